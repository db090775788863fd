/** Finds the lines of texts that match a pattern. */
import type { FoundLine } from "../../ports.ts";

/** Parameters of a search. */
export interface Order {
  source: string;
  flags: string;
}

/** One batch to search. */
export interface Sought {
  texts: readonly { id: string; text: string }[];
  limit: number;
  limitPerText: number;
}

const WIDTH_CHARACTERS = 300;
/** How much of a long line is shown before the match. */
const BEFORE_CHARACTERS = 80;

export function linesWith(pattern: RegExp, { texts, limit, limitPerText }: Sought): FoundLine[] {
  const found: FoundLine[] = [];
  for (const { id, text } of texts) {
    const room = Math.min(limit - found.length, limitPerText);
    if (room <= 0) break;
    found.push(...linesIn(text, pattern, room).map((line) => ({ id, ...line })));
  }
  return found;
}

function linesIn(text: string, pattern: RegExp, limit: number): Omit<FoundLine, "id">[] {
  const found: Omit<FoundLine, "id">[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const match = pattern.exec(line);
    if (!match) continue;
    found.push({ line: index + 1, text: shown(line, match.index) });
    if (found.length === limit) break;
  }
  return found;
}

function shown(line: string, at: number): string {
  if (line.length <= WIDTH_CHARACTERS) return line;
  const start = at + BEFORE_CHARACTERS < WIDTH_CHARACTERS ? 0 : at - BEFORE_CHARACTERS;
  const part = line
    .slice(start, start + WIDTH_CHARACTERS)
    .toWellFormed()
    .replace(/^\ufffd|\ufffd$/g, "");
  return `${start > 0 ? "…" : ""}${part}${start + WIDTH_CHARACTERS < line.length ? "…" : ""}`;
}
