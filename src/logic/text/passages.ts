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
