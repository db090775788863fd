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
