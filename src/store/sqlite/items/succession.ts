/** Guards replacement, by the rules of `logic/memory/succession.ts`. */
import {
  type Link,
  type Next,
  type Replaced,
  replacement,
  successionRefusal,
} from "../../../logic/memory/succession.ts";
import type { ChangeKind } from "../../../model/journal/change.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Database } from "../connection/database.ts";

export interface SuccessionGuard {
  /** Called for every item written; `isFollowed` expects its successor to be active. */
  note(shelf: Shelf, before: Item | null, after: Item, isFollowed: boolean): void;
  /** Which kind of change cannot stay, and why; null if all can. */
  refusal(): { kind: ChangeKind; reason: string } | null;
  reset(): void;
}

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
  let noted: Replaced[] = [];
  return {
    note(shelf, before, after, isFollowed) {
      const replaced = replacement(shelf, before, after, isFollowed);
      if (replaced) noted.push(replaced);
    },
    refusal: () => successionRefusal(noted, linkOn),
    reset() {
      noted = [];
    },
  };
}
