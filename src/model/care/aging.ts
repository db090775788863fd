/** What decides how a memory ages: its stored values and times, never its text. */
import type { Item } from "../memory/item.ts";

export interface AgingMemory
  extends Pick<
    Item,
    | "id"
    | "type"
    | "scope"
    | "status"
    | "source"
    | "host"
    | "pinned"
    | "confidence"
    | "createdAt"
    | "updatedAt"
    | "accessedAt"
    | "accessCount"
    | "summary"
  > {
  /** Whether an agent wrote it in a shell of its own. */
  byAgent: boolean;
  /** Whether a person agreed to it word for word. */
  agreed?: boolean;
  /** Whether an agent has reworded a person's text. */
  reworded?: boolean;
}

/** The place of a memory among those it is related to. */
export interface GraphStanding {
  /** From 0 to 1. */
  centrality: number;
  /** At least three others refer to it. */
  isHub: boolean;
}

/** What happens to a memory that fades: each step follows the one before it. */
export const STEPS = ["archived", "pruned", "erased"] as const;
export type Step = (typeof STEPS)[number];

/** Days after which things fade, and thresholds; named like their settings. */
export interface DecayRules {
  readonly patternDays: number;
  readonly gotchaDays: number;
  readonly progressDays: number;
  readonly otherDays: number;
  readonly archiveBelow: number;
  readonly archiveAfterDays: number;
  readonly globalDays: number;
  readonly globalBelow: number;
  readonly pruneAfterDays: number;
  readonly eraseAfterDays: number;
}
