/**
 * Windows of lines: how text that shows no structure is cut.
 *
 * Each has so many lines, or fewer where lines are long, and shares some with the next, so that what a cut divides is
 * whole in one of them. Prose is cut at its pauses first; only what has more lines than a window is cut into windows.
 */
import type { Chunk } from "../../model/corpus/corpus.ts";
import { type Piece, cutPassages } from "./passages.ts";

export const CHUNK: Chunk = { lines: 150, overlap: 10 };

export interface LineWindow {
  /** Counted from one, both included. */
  from: number;
  to: number;
}

export function windowsOf(lines: readonly string[], { lines: most, overlap }: Chunk, limitCharacters: number) {
  const windows: LineWindow[] = [];
  // A window that repeats more than half of the one before would be mostly repetition.
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

/** With its end. */
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
