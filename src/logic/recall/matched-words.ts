/**
 * Which words of a text are those of a question, by their stems, so that they can be marked.
 *
 * Text without spaces between words (Chinese, Japanese, Korean) is marked where it contains a term of the question.
 */
import { presentStems } from "./coverage.ts";

export interface Marked {
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
