/**
 * A value as a person would type it in a command.
 *
 * Values may come from others, and a person may paste the command into any shell: only those that mean the same in all
 * of them are spelt out, the rest is left to the person.
 */
const PLAIN = /^[\w.:/-]+$/;
const LEFT_OUT = "…";

export function spelt(value: unknown): string {
  const text = String(value);
  if (PLAIN.test(text)) return text;
  // Means itself between double quotes. Built where it is used, because that takes long.
  const isQuotable = /^[\p{L}\p{N} .,:;/_()?'+=-]{1,200}$/u.test(text);
  return isQuotable ? `"${text}"` : LEFT_OUT;
}
