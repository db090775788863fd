/**
 * The part of a long text that answers a question: the run of sentences that contains most of its words.
 *
 * It begins and ends with a sentence or line where it can. The first of equally good parts is taken.
 */
import { cut } from "../../model/text/cut.ts";
import { presentStems } from "./coverage.ts";

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
