/**
 * Decision chains and the validity windows of decisions.
 *
 * A decision holds from the start of its window until just before its end; the clock alone ends it, nothing is written.
 * Each has at most one successor and may supersede several, so a chain is a path through a tree. Windows along it
 * follow each other: no two decisions of a chain ever hold at the same time.
 */
import type { Item } from "../memory/item.ts";
import type { DecisionOutline } from "../recall/search.ts";
import { sameSubject } from "./subject.ts";

export type Decisions<Decision = Item> = ReadonlyMap<string, Decision>;

export interface Window {
  from: number;
  /** The first moment at which it no longer holds; null if open-ended. */
  until: number | null;
}

export type ChainFault =
  | { why: "empty window"; window: Window }
  | { why: "cycle"; ids: string[] }
  | { why: "already superseded"; id: string; by: string }
  /** It was archived and is invisible, so it neither needs a successor nor can be one. */
  | { why: "forgotten"; id: string }
  /** `id` would still hold, or only begin, after its successor has begun. */
  | { why: "overlap"; id: string; window: Window };

export function windowOf({ validFrom, validUntil, createdAt }: DecisionOutline): Window {
  return { from: validFrom ?? createdAt, until: validUntil };
}

/** A superseded decision held in its time, so its status does not matter; a forgotten one is never shown. */
export function holdsAt(item: DecisionOutline, at: number): boolean {
  const { from, until } = windowOf(item);
  return isVisible(item) && from <= at && (until === null || at < until);
}

export const isVisible = ({ status }: Pick<Item, "status">): boolean => status === "active" || status === "superseded";

/** The decisions that hold at a time, for one subject or for all, latest start first. */
export function holding<Decision extends DecisionOutline>(
  decisions: Iterable<Decision>,
  at: number,
  subject: string | null = null,
): Decision[] {
  const isAbout = subject === null ? () => true : sameSubject(subject);
  return [...decisions].filter((item) => holdsAt(item, at) && isAbout(item.title ?? "")).sort(latestFirst);
}

/** The decisions that hold at some time during a window; if it has already begun, only the rest of it counts. */
export function holdingDuring<Decision extends DecisionOutline>(
  decisions: Iterable<Decision>,
  { from, until }: Window,
  now: number,
): Decision[] {
  const start = until !== null && until <= now ? from : Math.max(from, now);
  return [...decisions].filter((item) => {
    const held = windowOf(item);
    return isVisible(item) && (until === null || held.from < until) && (held.until === null || held.until > start);
  });
}

function latestFirst(one: DecisionOutline, two: DecisionOutline): number {
  return windowOf(two).from - windowOf(one).from || (one.id < two.id ? -1 : 1);
}

/** The decisions that followed this one, in order. A loop in damaged data is walked once. */
export function successors<Decision extends DecisionOutline>(id: string, decisions: Decisions<Decision>): Decision[] {
  const found: Decision[] = [];
  const visited = new Set([id]);
  let next = decisions.get(id)?.supersededBy ?? null;
  while (next !== null && !visited.has(next)) {
    const item = decisions.get(next);
    if (!item) break;
    visited.add(next);
    found.push(item);
    next = item.supersededBy;
  }
  return found;
}

/** The decisions that each one superseded, by its id. Callers that need many predecessors compute this once. */
export const replacements = <Decision extends DecisionOutline>(decisions: Decisions<Decision>) =>
  Map.groupBy(decisions.values(), ({ supersededBy }) => supersededBy);

/** All decisions that this one superseded, directly or indirectly, latest first. */
export function predecessors<Decision extends DecisionOutline>(
  id: string,
  decisions: Decisions<Decision>,
  replaced: ReadonlyMap<string | null, Decision[]> = replacements(decisions),
): Decision[] {
  const visited = new Set([id]);
  const found: Decision[] = [];
  for (let ends = [id]; ends.length > 0; ) {
    const older = ends.flatMap((end) => replaced.get(end) ?? []).filter((item) => !visited.has(item.id));
    for (const item of older) visited.add(item.id);
    found.push(...older);
    ends = older.map((item) => item.id);
  }
  return found.sort(latestFirst);
}

export function windowFault(window: Window): ChainFault | null {
  return window.until !== null && window.until <= window.from ? { why: "empty window", window } : null;
}

/** The end of a decision's window once a successor begins at `start`; an earlier end stays. */
export function closedAt(item: Item, start: number): number {
  return Math.min(item.validUntil ?? start, start);
}

/** Why a decision cannot be superseded by this successor, which may be new; null if it can. */
export function linkFault(
  item: Item,
  successor: { id: string; window: Window },
  decisions: Decisions,
): ChainFault | null {
  const after = [successor.id, ...successors(successor.id, decisions).map(({ id }) => id)];
  if (after.includes(item.id)) return { why: "cycle", ids: [item.id, ...after.slice(0, after.indexOf(item.id) + 1)] };
  if (!isVisible(item)) return { why: "forgotten", id: item.id };
  if (item.supersededBy !== null) return { why: "already superseded", id: item.id, by: item.supersededBy };
  const window = windowOf(item);
  return window.from > successor.window.from ? { why: "overlap", id: item.id, window } : null;
}

/** Checks that decisions which already name this new one as their successor leave room for its window. */
export function roomFault({ id, window }: { id: string; window: Window }, decisions: Decisions): ChainFault | null {
  for (const older of decisions.values()) {
    const held = windowOf(older);
    if (older.supersededBy === id && (held.until === null || held.until > window.from))
      return { why: "overlap", id: older.id, window: held };
  }
  return null;
}
