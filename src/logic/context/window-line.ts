/**
 * Stored text as one line of an answer that an agent is handed.
 *
 * It is hostile: it must not move the cursor, turn the direction of writing, fake a line, or end the block of memory that
 * a host puts it into.
 */
import { MEMORY_END, MEMORY_START } from "../../model/capture/memory-block.ts";
import { shownLine } from "../../model/text/cut.ts";

const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]+/gu;
const MARKS = new RegExp(`${MEMORY_START}|${MEMORY_END}`, "g");

/** Of a longer text only the beginning is looked at. */
const LOOKED_AT = 4;

export function windowLine(text: string, limit: number): string {
  const beginning = text.slice(0, limit * LOOKED_AT);
  const line = shownLine(beginning.replace(NOT_SHOWN, " ").replace(MARKS, " "), limit);
  return beginning.length < text.length && !line.endsWith("…") ? shownLine(`${line} …`, limit) : line;
}

/** A titled text; a title that the text begins with would only repeat it. */
export function titledLine({ title, content }: { title: string | null; content: string }, limit: number): string {
  return windowLine(title && !content.startsWith(title) ? `${title}: ${content}` : content, limit);
}
