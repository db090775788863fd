/**
 * Reduces any text to one short line: a title, a name, a session.
 *
 * Line breaks, terminal controls and invalid characters become spaces. Secrets are redacted first, so that truncation
 * never leaves half of one, and again after each truncation, because a new end can turn a harmless text into a secret.
 * The result is clean and passes an import.
 */

/**
 * Whether a text has nothing but spaces and characters that nobody sees. Without a schema, because hooks ask too.
 *
 * The first pattern spares most texts the second, which is slow to build.
 */
export const isUnseen = (text: string): boolean =>
  !/[!-~]/.test(text) && /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);

type Clean = (text: string) => string;

// Replacement characters go too: they carry no information, and many of them pass for binary data.
const NOT_SHOWN = /[\s\p{Cc}\p{Cs}\ufffd]+/gu;
/** A placeholder at the end may be longer than what it replaces, so each truncation leaves more room for it. */
const ROOM_CHARACTERS = 20;

/** Null if nothing is left. `limit` is in UTF-16 units, as zod counts. */
export function oneLine(text: string, limit: number, clean: Clean): string | null {
  let line = clean(onOneLine(clean(text)));
  for (let length = limit; line.length > limit; length -= ROOM_CHARACTERS) {
    line = clean(onOneLine(line.slice(0, Math.max(0, length))));
  }
  return isUnseen(line) ? null : line;
}

/** Truncation may split a surrogate pair; the lone half is removed like any other. */
const onOneLine = (text: string): string => text.replace(NOT_SHOWN, " ").trim();

/** A summary of at most 200 characters: the first sentence or line, truncated at a word. */
export const SUMMARY_LIMIT_CHARACTERS = 200;
const UNEVEN_SPACE = /[^\S ]|  /;

export function summaryOf(content: string): string {
  const line = firstLine(content.trim());
  // A text never has more characters than UTF-16 units, whose count is known.
  if (line.length <= SUMMARY_LIMIT_CHARACTERS || [...line].length <= SUMMARY_LIMIT_CHARACTERS) return line;
  const sentence = /^.{20,198}?(?:[.!?](?=\s|$)|[。！？])/u.exec(line)?.[0];
  if (sentence) return sentence;
  const cut = [...line].slice(0, SUMMARY_LIMIT_CHARACTERS - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > 100 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  const line = end < 0 ? text : text.slice(0, end);
  return UNEVEN_SPACE.test(line) ? line.replace(/\s+/g, " ") : line;
}

/** Truncates text to a length, without leaving half of a surrogate pair. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
}

/** The same, with an ellipsis if anything was removed. */
export function cutLine(text: string, limit: number): string {
  return text.length <= limit ? text : `${cut(text, limit - 1)}…`;
}

/** The same, on one line. */
export function shownLine(text: string, limit: number): string {
  return cutLine(text.replace(/\s+/g, " ").trim(), limit);
}

/** Counts in text: "1 item", "2 items". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Between the headings of a title that was taken from a document. */
export const HEADING_SEPARATOR = " › ";

/** A text and its title as they are shown one after the other: no title that the text itself begins with. */
export function titleApart(title: string | null, text: string): { title: string | null; text: string } {
  if (!title) return { title: null, text };
  const heading = `${title.split(HEADING_SEPARATOR).at(-1)!}: `;
  if (text.startsWith(heading)) return { title, text: text.slice(heading.length) };
  return { title: text.startsWith(title) ? null : title, text };
}

/** The text behind its title. */
export function titled(title: string | null, text: string): string {
  const apart = titleApart(title, text);
  return apart.title === null ? apart.text : `${apart.title}: ${apart.text}`;
}
