/** Guards replacement, by the rules of `logic/memory/succession.ts`. */
import { type Link, type Replaced, replacement, successionRefusal } from "../../../logic/memory/succession.ts";
import type { ChangeKind } from "../../../model/journal/change.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Database } from "../connection/database.ts";

export interface SuccessionGuard {
  /** Called for every item written; `isFollowed` expects its successor to be active. */
  note(shelf: Shelf, before: Item | null, after: Item, isFollowed: boolean): void;
  /** Which kind of change cannot stay, and why; null if all can. */
  refusal(): Promise<{ kind: ChangeKind; reason: string } | null>;
}

export function successionGuard(db: Database): SuccessionGuard {
  const noted: Replaced[] = [];
  return {
    note(shelf, before, after, isFollowed) {
      const replaced = replacement(shelf, before, after, isFollowed);
      if (replaced) noted.push(replaced);
    },
    async refusal() {
      const links = new Map<Shelf, Map<string, Link>>();
      for (const [shelf, own] of Map.groupBy(noted, (one) => one.shelf)) {
        const rows = await chainsFrom(db, shelf).all({ ids: own.map(({ id }) => id) });
        links.set(shelf, new Map(rows.map(({ id, ...link }) => [id, link])));
      }
      return successionRefusal(noted, (shelf) => (id) => links.get(shelf)?.get(id));
    },
  };
}

/** These items and all their successors. */
const chainsFrom = (db: Database, shelf: Shelf) =>
  db.prepare<Link & { id: string }>(`
    with recursive chain (id, status, superseded_by) as (
      select id, status, superseded_by from ${shelf}_item where id = any (@ids::text[])
      union
      select item.id, item.status, item.superseded_by from chain join ${shelf}_item item on item.id = chain.superseded_by
    )
    select id, status, superseded_by as "supersededBy" from chain`);
