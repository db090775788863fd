/**
 * A text as one harmless line of injected memory.
 *
 * What was remembered may have been written by anybody. It must not end the block, begin another one, or pass for a mark
 * of the host, so markers and tags are broken, and control and invisible formatting characters are removed.
 */
import type { Source } from "../memory/item.ts";
import { MEMORY_PREFIX } from "../sessions/clean-text.ts";
import { titled } from "../text/short-text.ts";
import { words } from "../text/words.ts";

const UNPRINTED = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu;
/** They choose how the character before them looks; several could spell a hidden text. */
const SELECTORS = /([\ufe0e\ufe0f])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]*|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;
const MARK = new RegExp(MEMORY_PREFIX, "gi");
/** Where a tag or comment begins. */
const TAG = /<(?=[/!?a-z])/gi;
const COMMENT_END = /--+>/g;

export function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, " ")
    .replace(UNPRINTED, "")
    .replace(SELECTORS, "$1")
    .replace(MARK, (mark) => mark.replaceAll("_", " "))
    .replace(TAG, "‹")
    .replace(COMMENT_END, "→")
    .trim();
}

/** Between marks that the text itself cannot end. */
export const quoted = (line: string): string => `"${line.replaceAll('"', "'")}"`;

/** So many bytes take as much room as one Latin letter and a half: other scripts get shorter lines, not longer ones. */
const BYTES_PER_CHARACTER = 1.5;
/** A line that would become shorter than this share is cut at a word instead of a sentence. */
const SENTENCE_LEAST = 0.4;
const SENTENCE_END = /[.!?](?=\s)|[。！？]/g;

/** At most so many characters: whole sentences if that leaves enough, else whole words and an ellipsis. */
export function shortened(line: string, characters: number): string {
  const most = fitting(line, characters);
  if (most >= line.length) return line;
  const cut = line.slice(0, most);
  const sentence = [...`${cut} `.matchAll(SENTENCE_END)].at(-1);
  if (sentence && sentence.index + 1 >= most * SENTENCE_LEAST) return cut.slice(0, sentence.index + 1);
  const room = line.slice(0, Math.max(0, most - 1)).replace(/[\ud800-\udbff]$/, "");
  const space = line[room.length] === " " ? room.length : room.lastIndexOf(" ");
  const words = space >= most * SENTENCE_LEAST ? room.slice(0, space) : room;
  const closed = words.slice(0, openedAt(words));
  return `${(closed.length >= most * SENTENCE_LEAST ? closed : words).replace(/[\s,;:–—-]+$/, "")}…`;
}

/** Where a bracket or a quotation of code begins that does not end; the length if there is none. */
function openedAt(text: string): number {
  let [bracket, code] = [-1, -1];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "`") code = code < 0 ? at : -1;
    else if (code < 0 && (text[at] === "(" || text[at] === "[")) bracket = at;
    else if (code < 0 && (text[at] === ")" || text[at] === "]")) bracket = -1;
  }
  return Math.min(bracket < 0 ? text.length : bracket, code < 0 ? text.length : code);
}

/** How many UTF-16 units of it fit. */
function fitting(line: string, characters: number): number {
  const bytesMost = characters * BYTES_PER_CHARACTER;
  if (line.length <= characters && line.length * 3 <= bytesMost) return line.length;
  let bytes = 0;
  let units = 0;
  for (const character of line) {
    bytes += bytesOf(character.codePointAt(0)!);
    if (units + character.length > characters || bytes > bytesMost) return units;
    units += character.length;
  }
  return units;
}

/** In UTF-8. */
const bytesOf = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);

/** A longer run is a blob, except in scripts that leave no spaces between words. */
const WORD_CHARACTERS = 40;
const WITHOUT_SPACES = /\p{Lo}/u;

/** Whether a text says anything: a blob, a ruler of one letter or a row of pictures would only take room. */
export const hasWords = (text: string): boolean =>
  words(text).some(
    (word) => (word.length <= WORD_CHARACTERS || WITHOUT_SPACES.test(word)) && new Set(word.match(/\p{L}/gu)).size > 1,
  );

// Stored text as one line of an answer that an agent is handed, whatever its length.

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

/** Leaves out what does not fit a budget: from the last part, and there from the end. */
export function trimParts<Part extends string, Whole extends Record<Part, readonly unknown[]>>(
  whole: Whole,
  parts: readonly Part[],
  { tokensOf, budgetTokens }: { tokensOf(whole: Whole): number; budgetTokens: number },
): Whole {
  let trimmed = whole;
  while (tokensOf(trimmed) > budgetTokens) {
    const last = parts.findLast((part) => trimmed[part].length > 0);
    if (last === undefined) break;
    trimmed = { ...trimmed, [last]: trimmed[last].slice(0, -1) };
  }
  return trimmed;
}
