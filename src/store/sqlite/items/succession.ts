/**
 * Guards replacement: no item may eventually replace itself, or all items of the circle would vanish.
 *
 * Checked when a transaction has made all its changes, because two items may change places within it.
 */
import type { ChangeKind } from "../../../model/journal/change.ts";
import { handleOf } from "../../../model/memory/handles.ts";
import type { Item, Status } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Database } from "../connection/database.ts";

export interface SuccessionGuard {
  /** Called for every item written; `isFollowed` expects its successor to be active. */
  note(shelf: Shelf, before: Item | null, after: Item, isFollowed: boolean): void;
  /** Which kind of change cannot stay, and why; null if all can. */
  refusal(): { kind: ChangeKind; reason: string } | null;
  reset(): void;
}

type Link = { status: Status; supersededBy: string | null };
type Next = (id: string) => Link | undefined;

export function successionGuard(db: Database): SuccessionGuard {
  const readers = new Map<Shelf, Next>();
  function linkOn(shelf: Shelf): Next {
    const known = readers.get(shelf);
    if (known) return known;
    const statement = db.prepare<[string], Link>(
      `select status, superseded_by as supersededBy from ${shelf}_item where id = ?`,
    );
    const next: Next = (id) => statement.get(id);
    readers.set(shelf, next);
    return next;
  }
  let noted: { kind: ChangeKind; shelf: Shelf; id: string; isFollowed: boolean }[] = [];
  return {
    note(shelf, before, { id, supersededBy }, isFollowed) {
      if (supersededBy === null || before?.supersededBy === supersededBy) return;
      noted.push({ kind: before ? "revise_item" : "insert_item", shelf, id, isFollowed });
    },
    refusal() {
      for (const [shelf, own] of Map.groupBy(noted, (one) => one.shelf)) {
        const next = linkOn(shelf);
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
    },
    reset() {
      noted = [];
    },
  };
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
