/**
 * The memories of a context window for which nobody has asked: the recent ones of the project, and global ones that the
 * working memories find, in one order.
 *
 * A recent one has the base 0.8, a found one its match; both are multiplied by weight / 3.
 */
import { weightOf } from "../recall/blend.ts";

const RECENT_BASE = 0.8;
const NEUTRAL_WEIGHT = 3;

interface Known {
  priority: number;
}

export interface Relevant<Entry> {
  entry: Entry;
  relevance: number;
  /** It stands there because it is new, not because it was found. */
  isRecent: boolean;
}

/** Equal ones stay in the order given, recent ones first. */
export function relevantMemories<Entry extends Known>(
  recent: readonly Entry[],
  found: readonly { entry: Entry; match: number }[],
  limit: number,
): Relevant<Entry>[] {
  const weighted = (entry: Entry, match: number) => match * (weightOf(entry.priority) / NEUTRAL_WEIGHT);
  return [
    ...recent.map((entry) => ({ entry, relevance: weighted(entry, RECENT_BASE), isRecent: true })),
    ...found.map(({ entry, match }) => ({ entry, relevance: weighted(entry, match), isRecent: false })),
  ]
    .sort((one, two) => two.relevance - one.relevance)
    .slice(0, limit);
}
