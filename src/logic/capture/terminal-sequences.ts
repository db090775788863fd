/**
 * Removes what only a terminal understands: colours, cursor movements, titles and links.
 *
 * Captured output carries them as they are, written out (`\u001b[31m`), or without the escape that a host dropped
 * (`[31m`). The last are removed only from a text that shows they are none of its own: "[5m]" is also a span of time.
 * Every pattern is bounded or ends where the next one begins, so a text is read once.
 */

const SEQUENCE = new RegExp(
  [
    // Colours and movements (CSI).
    "\\u001b\\[[0-?]*[ -/]*[@-~]?|\\u009b[0-9;?]{1,40}[A-Za-z]",
    // Titles and links (OSC), and other strings for the terminal, up to their end or the end of the line.
    "\\u001b[\\]PX^_][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)?",
    // Character sets, and sequences of one character.
    "\\u001b[#%()*+./-][0-~]|\\u001b[0-~]?",
    // The escape written out, by JSON, a programming language, `cat -v` or a terminal.
    "(?:\\\\(?:u001[bB]|x1[bB]|033|e)|\\u241b)\\[[0-9;?]{0,40}[A-Za-z]|\\^\\[\\[[0-9;?]{1,40}[mKJGAHhl]",
  ].join("|"),
  "g",
);
const CODES = "\\d{1,3}(?:;\\d{1,3}){0,8}";
const CLOSING = "(?:0|2[2347]|[34]9)m";

/** Nobody writes these: several codes at once, the end of a colour after its beginning, an erased line, a hidden cursor. */
const LOST_ESCAPE = new RegExp(
  `\\[\\d{1,3};${CODES}m|\\[0m(?!\\])|\\[\\d{1,3}m[^\\[\\]\\n]{0,500}\\[${CLOSING}|\\[[0-2]K(?![\\]\\s])|\\[\\?\\d{1,4}[hl]`,
);
const WITHOUT_ESCAPE = new RegExp(
  `\\[(?:${CODES})?m\\[K|\\[${CLOSING}|\\[${CODES}m(?!\\])|\\[\\d{1,3}[KJGA](?!\\])|\\[\\?\\d{1,4}[hl]`,
  "g",
);

export function withoutTerminalSequences(text: string): string {
  const left = text.replace(SEQUENCE, "");
  return LOST_ESCAPE.test(left) ? left.replace(WITHOUT_ESCAPE, "") : left;
}
