import type { Chunk } from "../files/corpus.ts";

/**
 * Passages: long text split into searchable pieces.
 *
 * A piece ends at a natural break: a blank line, else a line end, else a sentence end, else a space. Nothing is lost
 * and nothing overlaps.
 */
export const PASSAGE_LIMIT_CHARACTERS = 900;

export interface Piece {
  text: string;
  startLine: number;
  endLine: number;
}

const BREAKS = [/\n[ \t\r]*\n/g, /\n/g, /[.!?]["')\]]?\s|[。！？][」』）]?/g, /\s/g];

export function cutPassages(text: string, limit = PASSAGE_LIMIT_CHARACTERS): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let line = 1;
  while (start < text.length) {
    const end = text.length - start <= limit ? text.length : start + breakPoint(text.slice(start, start + limit));
    const piece = text.slice(start, end);
    const lines = piece.split("\n").length - 1;
    const trimmed = piece.trim();
    if (trimmed) {
      const leading = piece.slice(0, piece.indexOf(trimmed)).split("\n").length - 1;
      const startLine = line + leading;
      pieces.push({ text: trimmed, startLine, endLine: startLine + trimmed.split("\n").length - 1 });
    }
    line += lines;
    start = end;
  }
  return pieces;
}

/** Where to split a full window: after the last break in its second half, never inside a character. */
function breakPoint(window: string): number {
  for (const pattern of BREAKS) {
    let position = 0;
    for (const match of window.matchAll(pattern)) position = match.index + match[0].length;
    if (position > window.length / 2) return position;
  }
  const last = window.charCodeAt(window.length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return splitsPair ? window.length - 1 : window.length;
}

/**
 * Line windows: how text without structure is split.
 *
 * Each window has a fixed number of lines, or fewer if lines are long, and shares some with the next, so that anything
 * a boundary divides is intact in one of them. Prose is split at natural breaks first; only pieces with more lines than
 * a window are split into windows.
 */
export const CHUNK: Chunk = { lines: 150, overlap: 10 };

interface LineWindow {
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
