/** Stored text as one line of an answer that an agent is handed, whatever its length. */
import type { Source } from "../../../model/memory/item.ts";
import { titled } from "../../../model/text/titled.ts";
import { noteLine } from "./note-line.ts";
import { plainLine, shortened } from "./plain-line.ts";

/** Of a longer text only the beginning is looked at. */
const LOOKED_AT = 4;

export const windowLine = (text: string, limit: number): string => lineWithin(text, limit, plainLine);

/** The same of a note, which may come from a longer message. */
export const noteWithin = (text: string, limit: number): string => lineWithin(text, limit, noteLine);

function lineWithin(text: string, limit: number, asLine: (text: string) => string): string {
  const beginning = text.slice(0, limit * LOOKED_AT);
  const line = asLine(beginning);
  return shortened(beginning.length < text.length ? `${line} …`.trim() : line, limit);
}

/** A session may have read anything aloud: what was captured from one says so, whatever it says about itself. */
export const marked = (line: string, source: Source): string => (source === "extraction" ? `captured: ${line}` : line);

/** A titled text; a title that the text begins with would only repeat it. */
export function titledLine({ title, content }: { title: string | null; content: string }, limit: number): string {
  return noteWithin(titled(title, content), limit);
}
