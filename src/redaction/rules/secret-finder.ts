/**
 * Finders: secrets that a pattern cannot recognise, because something on another line says what they are.
 *
 * A finder walks over the lines of a text. What it reads around a value is bounded, so that a text that grows is judged
 * as if it had been read at once.
 */

export interface Line {
  /** Where it begins in the text. */
  start: number;
  text: string;
}

export interface Found {
  start: number;
  end: number;
}

export interface SecretFinder {
  /** Shown in the placeholder. */
  readonly name: string;
  /** Lower case; a text with none of them is not searched. */
  readonly keywords: readonly string[];
  readonly find: (lines: readonly Line[]) => Found[];
}

/** How far from a value its context may begin; less than half of what a growing text is read again for. */
export const CONTEXT_CHARACTERS = 12_000;
/** Longer lines are data or generated code. */
export const LONGEST_LINE = 4_000;

export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    lines.push(lineAt(text, start, end));
    start = end + 1;
  }
  lines.push(lineAt(text, start, text.length));
  return lines;
}

function lineAt(text: string, start: number, end: number): Line {
  return { start, text: text.slice(start, text.charCodeAt(end - 1) === 13 && end > start ? end - 1 : end) };
}

/** A run of characters that has a line to itself, but for quotes, a prompt's or a list's sign. */
export function aloneOn({ start, text }: Line): { value: string; start: number; end: number } | null {
  if (text.length > LONGEST_LINE || text.length < 6) return null;
  const [, before, value] = ALONE.exec(text) ?? [];
  if (before === undefined || value === undefined) return null;
  return { value, start: start + before.length, end: start + before.length + value.length };
}
const ALONE = /^([ \t]{0,80}(?:[>*•-][ \t]{1,4})?["'`“«]{0,3})([^\s"'`“”«»]{6,4000})["'`”»]{0,3}[,;]?[ \t]{0,80}$/;

const isBlank = ({ text }: Line): boolean => /^[ \t>]{0,80}(?:(?:```|~~~)[\w-]{0,20})?[ \t]{0,80}$/.test(text);

/** The line before that says something. */
export function lineBefore(lines: readonly Line[], at: number): number | null {
  for (let before = at - 1; before >= at - 3 && before >= 0; before--) if (!isBlank(lines[before]!)) return before;
  return null;
}

/** The next line that says something, but for a blank one and the beginning of a code block. */
export function lineAfter(lines: readonly Line[], at: number): number | null {
  for (let next = at + 1; next <= at + 3 && next < lines.length; next++) if (!isBlank(lines[next]!)) return next;
  return null;
}
