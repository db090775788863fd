/** The text of a question to a person. Text written by others is marked, so that it cannot pass for our own words. */
import { handleOf } from "../memory/handles.ts";
import { oneLine } from "../recall/show-hits.ts";
import { counted, cut } from "../text/short-text.ts";

const LINES_SHOWN = 100;
/** Several texts fit into one question, with all of our own lines. */
const CHARACTERS_SHOWN = 5_000;

/** A question waits for its answer, so the rest is read elsewhere. */
export const readElsewhere = (id: string): string =>
  `\`stele get ${handleOf(id)}\` in another terminal shows all of it`;

/** `rest` says where a person finds the lines that are not shown. */
export function quoted(text: string, rest: string): string[] {
  const lines = text.split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/);
  const whole = lines.slice(0, LINES_SHOWN).join("\n");
  const shown = cut(whole, CHARACTERS_SHOWN);
  const marked = shown.split("\n").map((line) => `> ${line}`);
  const hidden = lines.length - LINES_SHOWN;
  if (hidden > 0) return [...marked, `(${counted(hidden, "more line")}; ${rest}.)`];
  const missing = whole.length - shown.length;
  return missing > 0 ? [...marked, `(${counted(missing, "more character")}; ${rest}.)`] : marked;
}

/** A single word says nothing of its own. */
const WORD = /^[\w./-]{1,40}$/;

/** A short text within one of our own lines. Its own quotation marks are straightened, so that it cannot leave ours. */
export const inQuotes = (text: string, limit?: number): string =>
  WORD.test(text) ? text : `“${oneLine(text, limit).replace(/[“”„‟]/g, '"')}”`;
