/** What was settled about two items that are near each other. */
export const VERDICTS = ["replaces", "both", "repeats", "unrelated"] as const;
export type VerdictKind = (typeof VERDICTS)[number];

export interface Verdict {
  as: VerdictKind;
  by: "person" | "agent";
  /** Under which condition each of them holds. */
  when?: string;
}

/** Whether a stored value is one. Whoever shares a store, or made a file that was imported, may have written anything. */
export function isVerdict(value: unknown): value is Verdict {
  const { as, by, when } = (value ?? {}) as Partial<Record<keyof Verdict, unknown>>;
  return (
    VERDICTS.some((one) => one === as) &&
    (by === "person" || by === "agent") &&
    (when === undefined || typeof when === "string")
  );
}

/** Where a memory keeps what was settled about it and decisions, by their ids. */
export const SETTLED = "settled";

/** The details of a memory without what was settled of it and these; null if nothing was. */
export function withoutVerdicts(details: unknown, ids: readonly string[]): Record<string, unknown> | null {
  const all = (details ?? {}) as Record<string, unknown>;
  const entries = Object.entries(all[SETTLED] ?? {});
  const kept = entries.filter(([id]) => !ids.includes(id));
  return kept.length === entries.length ? null : { ...all, [SETTLED]: Object.fromEntries(kept) };
}
