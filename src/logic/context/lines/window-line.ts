/** Stored text as one line of an answer that an agent is handed, whatever its length. */
import type { Source } from "../../../model/memory/item.ts";
import { titled } from "../../../model/text/titled.ts";
import { plainLine, shortened } from "./plain-line.ts";

/** Of a longer text only the beginning is looked at. */
const LOOKED_AT = 4;

export function windowLine(text: string, limit: number): string {
  const beginning = text.slice(0, limit * LOOKED_AT);
  const line = plainLine(beginning);
  return shortened(beginning.length < text.length ? `${line} …`.trim() : line, limit);
}

/** A session may have read anything aloud: what was captured from one says so, whatever it says about itself. */
export const marked = (line: string, source: Source): string => (source === "extraction" ? `captured: ${line}` : line);

/** A titled text; a title that the text begins with would only repeat it. */
export function titledLine({ title, content }: { title: string | null; content: string }, limit: number): string {
  return windowLine(titled(title, content), limit);
}
