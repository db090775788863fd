/**
 * The relevant memories of a context window: the recent ones of the project and those that a search found, in one order.
 *
 * A recent one has the base 0.8, a found one its match; both are multiplied by weight / 3.
 */
import { weightOf } from "../recall/blend.ts";

const RECENT_BASE = 0.8;
const NEUTRAL_WEIGHT = 3;

interface Known {
  id: string;
  priority: number;
}

export interface Relevant<Entry> {
  entry: Entry;
  relevance: number;
}

/** Each once, by its better relevance; equal ones stay in the order given, recent ones first. */
export function relevantMemories<Entry extends Known>(
  recent: readonly Entry[],
  found: readonly { entry: Entry; match: number }[],
  limit: number,
): Relevant<Entry>[] {
  const all = [...recent.map((entry) => ({ entry, match: RECENT_BASE })), ...found];
  const best = new Map<string, Relevant<Entry>>();
  for (const { entry, match } of all) {
    const relevance = match * (weightOf(entry.priority) / NEUTRAL_WEIGHT);
    if (relevance > (best.get(entry.id)?.relevance ?? -1)) best.set(entry.id, { entry, relevance });
  }
  return [...best.values()].sort((one, two) => two.relevance - one.relevance).slice(0, limit);
}
