/**
 * The part of a long text that answers a question: the run of sentences that contains most of its words.
 *
 * It begins and ends with a sentence or line where it can. The first of equally good parts is taken.
 */
import type { Span } from "../text/paragraph.ts";
import { cut } from "../text/short-text.ts";
import { coverageStems, presentStems } from "./coverage.ts";

/** At most `limit` characters of the text, or all of it if it is short. */
export function excerptOf(text: string, wanted: readonly string[], limit: number): string {
  if (text.length <= limit) return text;
  const pieces = piecesOf(text, limit);
  const present = pieces.map(({ from, to }) => presentStems(wanted, text.slice(from, to)));
  let best = { from: 0, to: 0, found: -1 };
  for (const [first, { from }] of pieces.entries()) {
    const found = new Set<number>();
    let to = from;
    for (let at = first; at < pieces.length && pieces[at]!.to - from <= limit; at++) {
      for (const position of present[at]!) found.add(position);
      to = pieces[at]!.to;
    }
    if (found.size > best.found) best = { from, to, found: found.size };
  }
  return text.slice(best.from, best.to).trim();
}

interface Piece {
  from: number;
  to: number;
}

const BOUNDARY = /[.!?](?=\s)|[。！？]|\n/g;

/** Sentences and lines; one that is too long by itself is divided. */
function piecesOf(text: string, limit: number): Piece[] {
  const ends = [...text.matchAll(BOUNDARY)].map((end) => end.index + end[0].length);
  const pieces: Piece[] = [];
  let from = 0;
  for (const to of [...ends, text.length]) {
    while (to - from > limit) {
      const part = cut(text.slice(from, to), limit);
      // A word is not divided if there is a space to divide at.
      const space = part.lastIndexOf(" ");
      const length = space > limit / 2 ? space + 1 : part.length;
      pieces.push({ from, to: from + length });
      from += length;
    }
    if (to > from) pieces.push({ from, to });
    from = to;
  }
  return pieces;
}

/**
 * Which words of a text are those of a question, by their stems, so that they can be marked.
 *
 * Text without spaces between words (Chinese, Japanese, Korean) is marked where it contains a term of the question.
 */
interface Marked {
  from: number;
  to: number;
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** In order, without overlaps. */
export function matchedWords(text: string, wanted: readonly string[]): Marked[] {
  if (wanted.length === 0) return [];
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    if (UNSPACED.test(word))
      return termsIn(word, wanted).map(({ from, to }) => ({ from: index + from, to: index + to }));
    return presentStems(wanted, word).length > 0 ? [{ from: index, to: index + word.length }] : [];
  });
}

/** Terms overlap, because the index divides a run into pairs; what touches is one mark. */
function termsIn(run: string, wanted: readonly string[]): Marked[] {
  const isMarked = new Array<boolean>(run.length).fill(false);
  for (const term of wanted) {
    if (!UNSPACED.test(term)) continue;
    for (let at = run.indexOf(term); at !== -1; at = run.indexOf(term, at + 1))
      isMarked.fill(true, at, at + term.length);
  }
  const marks: Marked[] = [];
  isMarked.forEach((is, at) => {
    const last = marks.at(-1);
    if (is && last?.to === at) last.to = at + 1;
    else if (is) marks.push({ from: at, to: at + 1 });
  });
  return marks;
}

/** The part of a text that answers a question, on one line, as spans whose matching words are marked. */
const ELLIPSIS = "…";

/** Without a question, the beginning of the text. */
export function matchedPassage(text: string, question: string | undefined, limit: number): Span[] {
  const wanted = question === undefined ? [] : coverageStems(question);
  const whole = onOneLine(text);
  // Sentences end at line breaks too, so the part is chosen before they are removed.
  const part = onOneLine(excerptOf(text.trim(), wanted, limit));
  const before = whole.startsWith(part) ? "" : `${ELLIPSIS} `;
  const after = whole.endsWith(part) ? "" : ` ${ELLIPSIS}`;
  return [...plain(before), ...marked(part, wanted), ...plain(after)];
}

const onOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
const plain = (text: string): Span[] => (text === "" ? [] : [{ text }]);

function marked(text: string, wanted: readonly string[]): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const { from, to } of matchedWords(text, wanted)) {
    spans.push(...plain(text.slice(at, from)), { text: text.slice(from, to), style: "match" });
    at = to;
  }
  return [...spans, ...plain(text.slice(at))];
}
