/**
 * Purging: an item is erased, wherever something of it is kept.
 *
 * Both stores are asked, because what was promoted or taken back lives on in a journal
 * alone. Files are compacted afterwards, and backups cleaned. What could not be is told.
 */
import type { Store, World } from "../ports.ts";
import { SHELVES } from "../model/shelf.ts";

export interface Purged {
  /** Files that may still hold something of it. */
  traces: string[];
}

/** Null when neither a row nor the journal knows the id. */
export async function purge(id: string, world: World): Promise<Purged | null> {
  const stores = [world.project, world.global];
  const known = await Promise.all(stores.map((store) => knows(store, id)));
  if (!known.includes(true)) return null;
  // What was just read is noted after its answer; noted after the erasure, it would name what is gone.
  await world.afterwards.settle();
  const queries = [...new Set((await Promise.all(stores.map((store) => store.queriesFor([id])))).flat())];
  for (const store of stores) await store.apply([{ kind: "purge_items", ids: [id], queries }], world.origin);
  const traces: string[] = [];
  for (const store of stores) if (!(await store.compact())) traces.push((await store.report()).path);
  traces.push(...(await world.backups.erase([id], queries)));
  return { traces };
}

async function knows(store: Store, id: string): Promise<boolean> {
  for (const shelf of SHELVES) if ((await store.items(shelf, [id])).length > 0) return true;
  return (await store.journal({ itemIds: [id] }, { limit: 1, offset: 0 })).total > 0;
}
