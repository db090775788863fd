/**
 * Purging: an item and what it replaced are erased, wherever something of them is kept.
 *
 * Both stores, the stores of other projects and the backups are asked, because what was
 * promoted, taken back or restored lives on in a journal or a copy alone. Files are compacted
 * afterwards. What could not be cleaned is told; the same call again tries it again.
 */
import type { ItemReads } from "../../ports/items.ts";
import type { Store, Writes } from "../../ports/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import { SHELVES } from "../../model/memory/shelf.ts";
import { tracesAfter } from "../care/compact.ts";
import { type Touched, fingerprint, touchedIn } from "../decisions/consent.ts";
import { chainOf } from "./find-item.ts";
import { recordsOf } from "../journal/records.ts";

export interface Purged {
  /** What it replaced and went with it. */
  replaced: string[];
  /** Files that may still hold something of it. */
  traces: string[];
}

/** Null when nothing that is kept knows the id. */
export async function purge(
  id: string,
  world: Stores & Pick<World, "afterwards" | "backups" | "otherSpaces" | "origin">,
): Promise<Purged | null> {
  // What was just read is noted after its answer; noted after the erasure, it would name what is gone.
  await world.afterwards.settle();
  const stores = [world.project, world.global];
  const ids = await erasedWith(id, world);
  if (!(await isKnown(ids, world))) return null;
  const queries = [...new Set((await Promise.all(stores.map((store) => store.queriesFor(ids)))).flat())];
  const [first, second] = stores as [Store, Store];
  const erasing = (store: Writes) => store.apply([{ kind: "purge_items", ids, queries }], world.origin);
  // From here on something is erased: what a full disk or a busy file keeps us from is told as a trace, not as a failure.
  await erasing(first);
  const traces = [
    ...(await tracesAfter([first])),
    ...(await tracesAfter([second], erasing)),
    ...(await world.otherSpaces.erase(ids, queries, world.origin)),
    ...(await world.backups.erase(ids, queries).catch(() => [world.backups.pathOf("")])),
  ];
  return { replaced: ids.filter((one) => one !== id), traces };
}

async function erasedWith(id: string, { project, global }: Stores): Promise<string[]> {
  return [...new Set([...(await chainIn(project, id)), ...(await chainIn(global, id)), id])];
}

/** What purging would do to decisions. A pure read. */
export async function decisionsErased(id: string, world: Stores & Pick<World, "otherSpaces">): Promise<Touched> {
  const ids = await erasedWith(id, world);
  const stores = [world.project, world.global];
  async function* records() {
    for (const store of stores) yield* recordsOf(store, { itemIds: ids, shelf: "decision" });
  }
  const touched = await touchedIn(records(), ids);
  // A store that was recovered has rows that no journal knows.
  const rows = (await Promise.all(stores.map((store) => store.outlines("decision", ids)))).flat();
  if (touched.about !== null || rows.length > 0) {
    return { ...touched, count: Math.max(touched.count, rows.length), about: fingerprint([ids, touched.about]) };
  }
  const isElsewhere = !(await isKnownHere(ids, world)) && (await world.otherSpaces.mention(ids));
  if (!isElsewhere) return touched;
  return { ...touched, otherwise: "what another project keeps, which may be a decision", about: fingerprint(ids) };
}

async function chainIn(store: ItemReads, id: string): Promise<string[]> {
  for (const shelf of SHELVES) {
    // What it says may be damaged, and is erased all the same.
    const [item] = await store.outlines(shelf, [id]);
    if (item) return (await chainOf(item, shelf, store)).map((one) => one.id);
  }
  return [];
}

async function isKnown(
  ids: readonly string[],
  world: Stores & Pick<World, "backups" | "otherSpaces">,
): Promise<boolean> {
  if (await isKnownHere(ids, world)) return true;
  return (await world.otherSpaces.mention(ids)) || (await world.backups.mentions(ids));
}

async function isKnownHere(ids: readonly string[], { project, global }: Stores): Promise<boolean> {
  for (const store of [project, global]) {
    for (const shelf of SHELVES) if ((await store.outlines(shelf, ids)).length > 0) return true;
    if ((await store.journal({ itemIds: ids }, { limit: 1, offset: 0 })).total > 0) return true;
  }
  return false;
}
