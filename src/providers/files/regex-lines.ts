/** The lines of texts in which a pattern is found. */
import type { FoundLine } from "../../ports/pattern-search.ts";

/** What a search is begun with. */
export interface Order {
  source: string;
  flags: string;
}

/** What is asked of one batch. */
export interface Sought {
  texts: readonly { id: string; text: string }[];
  limit: number;
  limitPerText: number;
}

const WIDTH_CHARACTERS = 300;
/** How much of a long line is shown in front of what was found. */
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
