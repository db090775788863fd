/**
 * Guards replacement: no item may eventually replace itself, or all items of the circle would vanish.
 *
 * Checked when a transaction has made all its changes, because two items may change places within it.
 */
import type { ChangeKind } from "../journal/change.ts";
import { handleOf } from "./handles.ts";
import type { Item, Status } from "./item.ts";
import type { Shelf } from "./shelves.ts";

export type Link = { status: Status; supersededBy: string | null };
type Next = (id: string) => Link | undefined;

/** An item that got another successor; `isFollowed` expects that one to be active. */
export interface Replaced {
  kind: ChangeKind;
  shelf: Shelf;
  id: string;
  isFollowed: boolean;
}

/** Null if the item has no successor, or still the same one. */
export function replacement(shelf: Shelf, before: Item | null, after: Item, isFollowed: boolean): Replaced | null {
  if (after.supersededBy === null || before?.supersededBy === after.supersededBy) return null;
  return { kind: before ? "revise_item" : "insert_item", shelf, id: after.id, isFollowed };
}

/** Which kind of change cannot stay, and why; null if all can. */
export function successionRefusal(
  noted: readonly Replaced[],
  linksOn: (shelf: Shelf) => Next,
): { kind: ChangeKind; reason: string } | null {
  for (const [shelf, own] of Map.groupBy(noted, (one) => one.shelf)) {
    const next = linksOn(shelf);
    // Items whose chain is known to end.
    const ending = new Set<string>();
    for (const { kind, id, isFollowed } of own) {
      if (leadsBack(id, next, ending))
        return { kind, reason: `${shelf} ${handleOf(id)} would eventually replace itself` };
      const successor = next(id)?.supersededBy ?? null;
      if (!isFollowed || successor === null || next(successor)?.status === "active") continue;
      return { kind, reason: `${shelf} ${handleOf(successor)} is no longer active` };
    }
  }
  return null;
}

/** A chain that enters another circle ends nowhere, but does not lead back. */
function leadsBack(id: string, next: Next, ending: Set<string>): boolean {
  const passed = new Set([id]);
  let at = next(id)?.supersededBy ?? null;
  while (at !== null && !passed.has(at) && !ending.has(at)) {
    passed.add(at);
    at = next(at)?.supersededBy ?? null;
  }
  if (at === id) return true;
  if (at === null || ending.has(at)) for (const one of passed) ending.add(one);
  return false;
}

/**
 * Finds circles of replacement: items that would eventually replace themselves.
 *
 * Each item has one successor, so a group of connected items without a circle has one end, and only that end can have no
 * successor yet. A successor within its own group therefore closes a circle. Groups are joined as items arrive, which
 * costs next to nothing however long a chain is and in whichever order it comes.
 */
interface Circles {
  /** Notes that an item was replaced. False if that closes a circle. An item is noted at most once. */
  replace(id: string, successor: string): boolean;
}

export function circles(): Circles {
  const towards = new Map<string, string>();
  function groupOf(id: string): string {
    let end = id;
    for (let next = towards.get(end); next !== undefined; next = towards.get(end)) end = next;
    for (let at = id; at !== end; ) {
      const next = towards.get(at)!;
      towards.set(at, end);
      at = next;
    }
    return end;
  }
  return {
    replace(id, successor) {
      const [own, other] = [groupOf(id), groupOf(successor)];
      if (own === other) return false;
      towards.set(own, other);
      return true;
    },
  };
}
