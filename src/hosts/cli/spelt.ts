/**
 * A value as a person would type it in a command.
 *
 * Values may come from others, and a person may paste the command into any shell: only those that mean the same in all
 * of them are spelt out, the rest is left to the person.
 */
const PLAIN = /^[\w.:/-]+$/;
/** Means itself between double quotes. */
const QUOTABLE = /^[\p{L}\p{N} .,:;/_()?'+=-]{1,200}$/u;
const LEFT_OUT = "…";

export function spelt(value: unknown): string {
  const text = String(value);
  if (PLAIN.test(text)) return text;
  return QUOTABLE.test(text) ? `"${text}"` : LEFT_OUT;
}
