/** Guards replacement, by the rules of `memory/succession.ts`. */
import type { ChangeKind } from "../journal/change.ts";
import type { Item } from "../memory/item.ts";
import type { Shelf } from "../memory/shelves.ts";
import { type Link, type Replaced, replacement, successionRefusal } from "../memory/succession.ts";
import { among } from "./dialect.ts";
import { raw, rows, sql, type Steps } from "./sql.ts";

export interface SuccessionGuard {
  /** Called for every item written; `isFollowed` expects its successor to be active. */
  note(shelf: Shelf, before: Item | null, after: Item, isFollowed: boolean): void;
  /** Which kind of change cannot stay, and why; null if all can. */
  refusal(): Steps<{ kind: ChangeKind; reason: string } | null>;
  reset(): void;
}

/** These items and all their successors. */
const chainsFrom = (shelf: Shelf, ids: readonly string[]) =>
  rows<Link & { id: string }>(sql`
    with recursive chain (id, status, superseded_by) as (
      select id, status, superseded_by from ${raw(shelf)}_item where id ${among(ids)}
      union
      select item.id, item.status, item.superseded_by
      from chain join ${raw(shelf)}_item item on item.id = chain.superseded_by
    )
    select id, status, superseded_by as "supersededBy" from chain`);

export function successionGuard(): SuccessionGuard {
  let noted: Replaced[] = [];
  return {
    note(shelf, before, after, isFollowed) {
      const replaced = replacement(shelf, before, after, isFollowed);
      if (replaced) noted.push(replaced);
    },
    *refusal() {
      const links = new Map<Shelf, Map<string, Link>>();
      for (const [shelf, own] of Map.groupBy(noted, (one) => one.shelf)) {
        const found = yield* chainsFrom(
          shelf,
          own.map(({ id }) => id),
        );
        links.set(shelf, new Map(found.map(({ id, ...link }) => [id, link])));
      }
      return successionRefusal(noted, (shelf) => (id) => links.get(shelf)?.get(id));
    },
    reset() {
      noted = [];
    },
  };
}
