/**
 * Chains of decisions, and the windows in which they hold.
 *
 * A decision holds from the start of its window until just before its end; the clock alone ends it,
 * nothing is written. Each has at most one successor and may have replaced several, so a chain is a line
 * through a tree. Windows follow each other along it: no two decisions of a chain ever hold together.
 */
import type { Item } from "../../model/memory/item.ts";
import type { DecisionOutline } from "../../model/recall/search.ts";
import { sameSubject } from "./subject.ts";

export type Decisions<Decision = Item> = ReadonlyMap<string, Decision>;

export interface Window {
  from: number;
  /** The first moment in which it no longer holds; null when there is none. */
  until: number | null;
}

export type ChainFault =
  | { why: "empty window"; window: Window }
  | { why: "cycle"; ids: string[] }
  | { why: "already superseded"; id: string; by: string }
  /** It was archived: nobody hears of it, so it neither needs a successor nor can be one. */
  | { why: "forgotten"; id: string }
  /** `id` would still hold, or only begin, when its successor already holds. */
  | { why: "overlap"; id: string; window: Window };

export function windowOf({ validFrom, validUntil, createdAt }: DecisionOutline): Window {
  return { from: validFrom ?? createdAt, until: validUntil };
}

/** A superseded decision held in its time, so its status does not matter; a forgotten one is never told. */
export function holdsAt(item: DecisionOutline, at: number): boolean {
  const { from, until } = windowOf(item);
  return isTold(item) && from <= at && (until === null || at < until);
}

export const isTold = ({ status }: Pick<Item, "status">): boolean => status === "active" || status === "superseded";

/** What holds at a time, for one subject or for all; the latest to begin comes first. */
export function holding<Decision extends DecisionOutline>(
  decisions: Iterable<Decision>,
  at: number,
  subject: string | null = null,
): Decision[] {
  const isAbout = subject === null ? () => true : sameSubject(subject);
  return [...decisions].filter((item) => holdsAt(item, at) && isAbout(item.title ?? "")).sort(latestFirst);
}

/** What holds at some time of a window; of one that has begun, only what is left of it counts. */
export function holdingDuring<Decision extends DecisionOutline>(
  decisions: Iterable<Decision>,
  { from, until }: Window,
  now: number,
): Decision[] {
  const start = until !== null && until <= now ? from : Math.max(from, now);
  return [...decisions].filter((item) => {
    const held = windowOf(item);
    return isTold(item) && (until === null || held.from < until) && (held.until === null || held.until > start);
  });
}

function latestFirst(one: DecisionOutline, two: DecisionOutline): number {
  return windowOf(two).from - windowOf(one).from || (one.id < two.id ? -1 : 1);
}

/** What came after a decision, in order. A loop in damaged data is walked once. */
export function successors<Decision extends DecisionOutline>(id: string, decisions: Decisions<Decision>): Decision[] {
  const found: Decision[] = [];
  const passed = new Set([id]);
  let next = decisions.get(id)?.supersededBy ?? null;
  while (next !== null && !passed.has(next)) {
    const item = decisions.get(next);
    if (!item) break;
    passed.add(next);
    found.push(item);
    next = item.supersededBy;
  }
  return found;
}

/** What each decision replaced, by its id. Whoever asks for many predecessors reads this once. */
export const replacements = <Decision extends DecisionOutline>(decisions: Decisions<Decision>) =>
  Map.groupBy(decisions.values(), ({ supersededBy }) => supersededBy);

/** All that a decision replaced, directly or through others, the latest first. */
export function predecessors<Decision extends DecisionOutline>(
  id: string,
  decisions: Decisions<Decision>,
  replaced: ReadonlyMap<string | null, Decision[]> = replacements(decisions),
): Decision[] {
  const passed = new Set([id]);
  const found: Decision[] = [];
  for (let ends = [id]; ends.length > 0; ) {
    const older = ends.flatMap((end) => replaced.get(end) ?? []).filter((item) => !passed.has(item.id));
    for (const item of older) passed.add(item.id);
    found.push(...older);
    ends = older.map((item) => item.id);
  }
  return found.sort(latestFirst);
}

export function windowFault(window: Window): ChainFault | null {
  return window.until !== null && window.until <= window.from ? { why: "empty window", window } : null;
}

/** Where a decision's window ends once another follows at `start`; one that ended before is not prolonged. */
export function closedAt(item: Item, start: number): number {
  return Math.min(item.validUntil ?? start, start);
}

/** Why a decision cannot be replaced by this successor, which may be new; null if it can. */
export function linkFault(
  item: Item,
  successor: { id: string; window: Window },
  decisions: Decisions,
): ChainFault | null {
  const after = [successor.id, ...successors(successor.id, decisions).map(({ id }) => id)];
  if (after.includes(item.id)) return { why: "cycle", ids: [item.id, ...after.slice(0, after.indexOf(item.id) + 1)] };
  if (!isTold(item)) return { why: "forgotten", id: item.id };
  if (item.supersededBy !== null) return { why: "already superseded", id: item.id, by: item.supersededBy };
  const window = windowOf(item);
  return window.from > successor.window.from ? { why: "overlap", id: item.id, window } : null;
}

/** Whether decisions that already name this new one as their successor leave room for its window. */
export function roomFault({ id, window }: { id: string; window: Window }, decisions: Decisions): ChainFault | null {
  for (const older of decisions.values()) {
    const held = windowOf(older);
    if (older.supersededBy === id && (held.until === null || held.until > window.from))
      return { why: "overlap", id: older.id, window: held };
  }
  return null;
}
