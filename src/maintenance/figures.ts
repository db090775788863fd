/** What decides how a memory ages: its stored values and times, never its text. */
import type { EdgeShelf, EdgeStatus } from "../graph/edges.ts";
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

/** Times that maintenance has read from the clock of the machine. */
export interface ClockMarks {
  /** The latest one that the clock has confirmed. */
  settledAt: number | null;
  /** The one that waits to be confirmed. */
  pendingAt: number | null;
}

// How the memories of a store are used, for people to read. Only active ones count.

/** Upper bounds of the age groups in days; everything older is one more group. */
export const AGE_GROUPS_DAYS = [1, 7, 30, 90, 365] as const;

/** Memories are counted by day for so long. */
export const COUNTED_DAYS = 90;

/** How many tags and often recalled memories are listed. */
export const LISTED = 10;

export interface StoreStatistics {
  /** One count for each age group, youngest first. */
  ages: number[];
  /** Days since 1970 (UTC) on which memories were made that are still active, with their number; the last of them only. */
  days: { day: number; count: number }[];
  /** Memories that nobody has read or found. */
  neverRecalled: number;
  mostRecalled: { id: string; summary: string; accessCount: number; accessedAt: number }[];
  /** The most frequent ones. */
  tags: { tag: string; count: number }[];
  edges: { shelf: EdgeShelf; status: EdgeStatus; count: number }[];
  /** Vectors kept so that a repeated text is not embedded again. */
  cachedVectors: number;
  /** When maintenance last ran, or null. */
  maintainedAt: number | null;
}
