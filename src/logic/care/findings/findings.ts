/** Findings of the doctor, and the words they share. */
import type { Finding, Remedy } from "../../../model/care/finding.ts";

export const RECOVER = "`stele doctor --recover`";
export const MOVE_AWAY = "Move it elsewhere.";

type Check = Finding["check"];

export const ok = (check: Check, message: string): Finding => ({
  check,
  state: "ok",
  message,
  next: null,
  remedy: null,
});
export const note = (check: Check, message: string, next: string | null, remedy: Remedy | null = null): Finding => ({
  ...{ check, state: "note", message, next, remedy },
});
export const problem = (check: Check, message: string, next: string, remedy: Remedy | null = null): Finding => ({
  ...{ check, state: "problem", message, next, remedy },
});

const SHOWN = 3;

export function some(texts: readonly string[]): string {
  const more = texts.length - SHOWN;
  return [...texts.slice(0, SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

export const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
