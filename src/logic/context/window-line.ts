/** Stored text as one line of an answer that an agent is handed, whatever its length. */
import { plainLine, shortened } from "./plain-line.ts";

/** Of a longer text only the beginning is looked at. */
const LOOKED_AT = 4;

export function windowLine(text: string, limit: number): string {
  const beginning = text.slice(0, limit * LOOKED_AT);
  const line = plainLine(beginning);
  return shortened(beginning.length < text.length ? `${line} …`.trim() : line, limit);
}

/** A titled text; a title that the text begins with would only repeat it. */
export function titledLine({ title, content }: { title: string | null; content: string }, limit: number): string {
  return windowLine(title && !content.startsWith(title) ? `${title}: ${content}` : content, limit);
}
