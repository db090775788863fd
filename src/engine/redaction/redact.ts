/** Removes secrets from everything that will be stored, and counts them by rule. */
import { redact, type Redaction } from "../../logic/redaction/redaction.ts";

export type { Redaction };

/** Pass each text through `clean`, then read `redactions`. */
export function redactor(options?: { keepsLines: boolean }): {
  clean(text: string): string;
  redactions(): Redaction[];
} {
  const counts = new Map<string, number>();
  return {
    clean(text) {
      const result = redact(text, options);
      for (const { rule, count } of result.redactions) counts.set(rule, (counts.get(rule) ?? 0) + count);
      return result.text;
    },
    redactions: () => [...counts].map(([rule, count]) => ({ rule, count })).sort((a, b) => (a.rule < b.rule ? -1 : 1)),
  };
}
