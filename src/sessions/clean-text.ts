/**
 * Removes what must not be captured: what a person marked as private, memory that Stele itself put into the session, and
 * sequences for a terminal, which could also divide a mark or a secret.
 *
 * The first two reach to the end if they are not closed: the rest of a private text is private too.
 */

/** The marks around memory that Stele puts into a session, so that it is never captured as if somebody had said it. */
export const MEMORY_PREFIX = "STELE_MEMORY";
const MEMORY_START = `${MEMORY_PREFIX}_START`;
export const MEMORY_END = `${MEMORY_PREFIX}_END`;

/** The lines before and after such a block. */
export const BLOCK_START = `<!-- ${MEMORY_START} -->`;
export const BLOCK_END = `<!-- ${MEMORY_END} -->`;

// Removes what only a terminal understands: colours, cursor movements, titles and links.
//
// Captured output carries them as they are, written out (`\u001b[31m`), or without the escape that a host dropped
// (`[31m`). The last two are removed only from a text that shows they are none of its own: people write about `\e[0m`,
// and "[5m]" is also a span of time. Every pattern is bounded or ends where the next one begins, so a text is read once.

/** Marks of hidden text stay whole, even after a sequence that was cut off; so none takes "<", but modes of the keyboard. */
const NO_MARK = `(?!${MEMORY_PREFIX}|/?[Pp]rivate\\b|/?PRIVATE\\b)`;
const stringWithout = (excluded: string): string =>
  `\\u001b[\\]PX^_]${NO_MARK}(?:(?!${MEMORY_PREFIX})[^\\u0007\\u001b\\n${excluded}])*`;

const SEQUENCE = new RegExp(
  [
    // Colours and movements (CSI).
    `\\u001b\\[(?:<(?=[\\d;]{0,40}[uMm]))?[0-;=-?]*[ -/]*(?:${NO_MARK}[@-~])?|\\u009b[0-9;?]{1,40}${NO_MARK}[A-Za-z]`,
    // Titles and links (OSC), and other strings for the terminal, up to their end or the end of the line.
    `${stringWithout("<")}(?:\\u0007|\\u001b\\\\)|${stringWithout("<>")}`,
    // Character sets, and sequences of one character.
    `\\u001b(?:[#%()*+./-]?${NO_MARK}[0-;=-~])?`,
  ].join("|"),
  "g",
);

const CLOSING = "(?:0|2[2347]|[34]9)m";
/** The escape written out by a programming language, `cat -v` or a terminal; and by JSON. */
const SPELT = "(?:\\\\(?:x1[bB]|033|e)|\\u241b|\\^\\[)\\[";
const JSON_SPELT = "\\\\u001[bB]\\[";
const WRITTEN_OUT =
  `(?:${JSON_SPELT}|(?!\\^)${SPELT})[0-9;?]{0,40}${NO_MARK}[A-Za-z]|` + "\\^\\[\\[[0-9;?]{1,40}[mKJGAHhl]";
/** Quoted by itself, it is what somebody writes about; JSON quotes everything. */
const UNQUOTED = `(?:${JSON_SPELT}|(?<!["'\`])${SPELT})`;
/** Something coloured, with the end of its colour; or two in a row. */
const PRINTED = new RegExp(
  `${UNQUOTED}[\\d;:]{1,40}m(?=[^\\s"'\`])[^\\[\\n]{1,500}\\[(?:${CLOSING}|m)|` +
    `${UNQUOTED}[\\d;?]{1,40}[A-Za-z](?:${JSON_SPELT}|${SPELT})`,
);
const CODE = "(?<!`)`[^`\\n]{1,500}`(?!`)";
const IN_CODE = new RegExp(CODE, "g");
const WRITTEN_OR_CODE = new RegExp(`${CODE}|${WRITTEN_OUT}`, "g");

const CODES = "\\d{1,3}(?:;\\d{1,3}){0,8}";
/** A bracket whose escape is lost, not written out. */
const BRACKET = "(?<!\\\\(?:u001[bB]|x1[bB]|033|e)|\\u241b|\\^\\[)\\[";
/** Nobody writes these: several codes at once, the end of a colour after its beginning, an erased line, a hidden cursor. */
const LOST_ESCAPE = new RegExp(
  `${BRACKET}(?:\\d{1,3};${CODES}m|0m(?!\\])|\\d{1,3}m[^\\[\\]\\n]{0,500}${BRACKET}${CLOSING}|` +
    "[0-2]K(?![\\]\\s])|\\?\\d{1,4}[hl])",
);
const WITHOUT_ESCAPE = new RegExp(
  `${BRACKET}(?:(?:${CODES})?m\\[K|${CLOSING}|${CODES}m(?!\\])|\\d{1,3}[KJGA](?!\\])|\\?\\d{1,4}[hl])`,
  "g",
);

export function withoutTerminalSequences(text: string): string {
  const left = withoutWrittenOut(text.replace(SEQUENCE, ""));
  return LOST_ESCAPE.test(left) ? left.replace(WITHOUT_ESCAPE, "") : left;
}

function withoutWrittenOut(text: string): string {
  if (!PRINTED.test(text) || !PRINTED.test(text.replace(IN_CODE, "``"))) return text;
  return text.replace(WRITTEN_OR_CODE, (found) => (found.startsWith("`") ? found : ""));
}

const PRIVATE = /<(\/?)private\b[^<>]{0,200}>/gi;
const BLOCK = new RegExp(`(?:<!--\\s{0,9})?${MEMORY_START}[^]*?(?:${MEMORY_END}(?:\\s{0,9}-->)?|$)`, "g");

export function withoutUnsaid(text: string): string {
  const plain = withoutTerminalSequences(text);
  return withoutPrivate(plain.includes(MEMORY_START) ? plain.replace(BLOCK, "") : plain);
}

/** Private parts may be nested. A closing mark that closes nothing is ordinary text. */
function withoutPrivate(text: string): string {
  let kept = "";
  let depth = 0;
  let from = 0;
  for (const { 0: mark, 1: slash, index } of text.matchAll(PRIVATE)) {
    if (slash === "/" && depth === 0) continue;
    if (depth === 0) kept += text.slice(from, index);
    depth += slash === "/" ? -1 : 1;
    from = index + mark.length;
  }
  return depth === 0 ? kept + text.slice(from) : kept;
}

/** A text without halves of characters and NUL bytes, which no store takes: one of them must not cost a session. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll("\0", "");
