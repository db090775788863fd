/**
 * Line windows: how text without structure is split.
 *
 * Each window has a fixed number of lines, or fewer if lines are long, and shares some with the next, so that anything
 * a boundary divides is intact in one of them. Prose is split at natural breaks first; only pieces with more lines than
 * a window are split into windows.
 */
import type { Chunk } from "../../model/corpus/corpus.ts";
import { type Piece, cutPassages } from "./passages.ts";

export const CHUNK: Chunk = { lines: 150, overlap: 10 };

export interface LineWindow {
  /** Counted from one, both ends included. */
  from: number;
  to: number;
}

export function windowsOf(lines: readonly string[], { lines: most, overlap }: Chunk, limitCharacters: number) {
  const windows: LineWindow[] = [];
  // A window that shares more than half with the one before would be mostly repetition.
  const shared = Math.min(overlap, Math.floor(most / 2));
  for (let from = 1; ; ) {
    let to = from;
    let characters = lengthOf(lines, from);
    while (to < Math.min(lines.length, from + most - 1)) {
      characters += lengthOf(lines, to + 1);
      if (characters > limitCharacters) break;
      to += 1;
    }
    windows.push({ from, to });
    if (to >= lines.length) return windows;
    from = to + 1 - Math.floor(((to - from + 1) * shared) / most);
  }
}

/** Including the line break. */
const lengthOf = (lines: readonly string[], line: number): number => (lines[line - 1]?.length ?? 0) + 1;

export function textPassages(text: string, chunk: Chunk = CHUNK): Piece[] {
  return cutPassages(text).flatMap((piece) => {
    if (piece.endLine - piece.startLine < chunk.lines) return [piece];
    const lines = piece.text.split("\n");
    return windowsOf(lines, chunk, Infinity).flatMap(({ from, to }) => {
      const offset = piece.startLine + from - 2;
      return cutPassages(lines.slice(from - 1, to).join("\n")).map((part) => ({
        text: part.text,
        startLine: part.startLine + offset,
        endLine: part.endLine + offset,
      }));
    });
  });
}
