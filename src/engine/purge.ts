/**
 * Purging: an item and what it replaced are erased, wherever something of them is kept.
 *
 * Both stores, the stores of other projects and the backups are asked, because what was
 * promoted, taken back or restored lives on in a journal or a copy alone. Files are compacted
 * afterwards. What could not be cleaned is told; the same call again tries it again.
 */
import type { Store, World } from "../ports.ts";
import { SHELVES } from "../model/shelf.ts";
import { chainOf } from "./find-item.ts";

export interface Purged {
  /** What it replaced and went with it. */
  replaced: string[];
  /** Files that may still hold something of it. */
  traces: string[];
}

/** Null when nothing that is kept knows the id. */
export async function purge(id: string, world: World): Promise<Purged | null> {
  // What was just read is noted after its answer; noted after the erasure, it would name what is gone.
  await world.afterwards.settle();
  const stores = [world.project, world.global];
  const ids = [...new Set((await Promise.all(stores.map((store) => chainIn(store, id)))).flat().concat(id))];
  if (!(await isKnown(ids, world))) return null;
  const queries = [...new Set((await Promise.all(stores.map((store) => store.queriesFor(ids)))).flat())];
  const [first, second] = stores as [Store, Store];
  const erasing = (store: Store) => store.apply([{ kind: "purge_items", ids, queries }], world.origin);
  // From here on something is erased: what a full disk or a busy file keeps us from is told as a trace, not as a failure.
  await erasing(first);
  const traces = [
    ...(await tracesOf(() => first.compact(), first)),
    ...(await tracesOf(() => erasing(second).then(() => second.compact()), second)),
    ...(await world.otherSpaces.erase(ids, queries, world.origin)),
    ...(await world.backups.erase(ids, queries).catch(() => [world.backups.pathOf("")])),
  ];
  return { replaced: ids.filter((one) => one !== id), traces };
}

async function tracesOf(clean: () => Promise<boolean>, store: Store): Promise<string[]> {
  const isClean = await clean().catch(() => false);
  return isClean ? [] : [(await store.report()).path];
}

async function chainIn(store: Store, id: string): Promise<string[]> {
  for (const shelf of SHELVES) {
    // What it says may be damaged, and is erased all the same.
    const [item] = await store.outlines(shelf, [id]);
    if (item) return (await chainOf(item, shelf, store)).map((one) => one.id);
  }
  return [];
}

async function isKnown(ids: readonly string[], { project, global, otherSpaces, backups }: World): Promise<boolean> {
  for (const store of [project, global]) {
    for (const shelf of SHELVES) if ((await store.outlines(shelf, ids)).length > 0) return true;
    if ((await store.journal({ itemIds: ids }, { limit: 1, offset: 0 })).total > 0) return true;
  }
  return (await otherSpaces.mention(ids)) || (await backups.mentions(ids));
}
