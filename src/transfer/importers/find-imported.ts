/** Finds what is already here of foreign memories: what was imported before, and what says the same. */
import { isExpired } from "../../memory/item-changes.ts";
import type { Item, LastingScope } from "../../memory/item.ts";
import type { Stores, World } from "../../world.ts";
import type { PreparedForeign } from "./prepare-foreign.ts";

// Decides what becomes of a foreign memory.
//
// What a person did here counts: a memory that they changed, archived or erased stays so. One that only the source
// has changed follows the source.

/** The mark, among the details of a memory, of where it came from and what it said there. */
export const IMPORTED = "imported";

export interface ForeignSituation {
  /** The memory that was imported from this one, wherever it is now. */
  present: Item | null;
  /** Another current one with the same content. */
  twin: Item | null;
  isErased: boolean;
}

export type ForeignVerdict =
  | { outcome: "inserted" }
  | { outcome: "updated"; present: Item }
  /** `id` is that of the memory here. */
  | { outcome: "unchanged" | "kept"; id: string }
  | { outcome: "erased" };

export function judgeForeign(hash: string, { present, twin, isErased }: ForeignSituation): ForeignVerdict {
  if (twin) return { outcome: "unchanged", id: twin.id };
  if (!present) return { outcome: isErased ? "erased" : "inserted" };
  const said = hashThen(present);
  if (hash === present.hash || hash === said) return { outcome: "unchanged", id: present.id };
  const isUntouched = present.hash === said && present.status === "active" && present.scope !== "working";
  return isUntouched ? { outcome: "updated", present } : { outcome: "kept", id: present.id };
}

/** The hash of its content when it was imported. */
function hashThen({ details }: Item): string | null {
  const mark = details[IMPORTED];
  return typeof mark === "object" && mark !== null && "hash" in mark ? String(mark.hash) : null;
}

const CHUNK = 500;

export interface Imported extends ForeignSituation {
  /** An expired one with the same content, which must make room. */
  expired: Item | null;
}

/** By the ids of the prepared ones. */
export async function findImported(
  prepared: readonly PreparedForeign[],
  scope: LastingScope,
  world: Stores & Pick<World, "clock">,
): Promise<Map<string, Imported>> {
  const now = world.clock.now();
  const present = await presentAmong(prepared, world);
  const found = new Map<string, Imported>();
  for (const { id, shelf, draft } of prepared) {
    const same = await sameAs(shelf, scope, draft.hash, world);
    const twin = same && !isExpired(same, now) ? same : null;
    found.set(id, { present: present.get(id) ?? null, twin, expired: twin ? null : same, isErased: false });
  }
  const gone = [...found].filter(([, one]) => !one.present && !one.twin).map(([id]) => id);
  for (const id of await erasedAmong(gone, world)) found.set(id, { ...found.get(id)!, isErased: true });
  return found;
}

/** The store of each, by id: that of what was imported before, which may have been promoted since, or the one asked for. */
export async function scopesOf(
  prepared: readonly PreparedForeign[],
  asked: LastingScope,
  world: Stores,
): Promise<Map<string, LastingScope>> {
  const present = await presentAmong(prepared, world);
  const scopeOf = ({ id, shelf }: PreparedForeign): LastingScope => {
    const known = present.get(id);
    if (known) return known.scope === "global" ? "global" : "project";
    return shelf === "proposal" ? "project" : asked;
  };
  return new Map(prepared.map((one) => [one.id, scopeOf(one)]));
}

/** A memory may have been promoted since, so both stores are asked. */
async function presentAmong(
  prepared: readonly PreparedForeign[],
  { project, global }: Stores,
): Promise<Map<string, Item>> {
  const present = new Map<string, Item>();
  for (const [shelf, own] of Map.groupBy(prepared, (one) => one.shelf)) {
    for (let start = 0; start < own.length; start += CHUNK) {
      const ids = own.slice(start, start + CHUNK).map(({ id }) => id);
      const stores = shelf === "memory" ? [global, project] : [project];
      for (const store of stores) for (const item of await store.items(shelf, ids)) present.set(item.id, item);
    }
  }
  return present;
}

/** What was decided need not be proposed. */
async function sameAs(
  shelf: PreparedForeign["shelf"],
  scope: LastingScope,
  hash: string,
  world: Stores,
): Promise<Item | null> {
  if (shelf === "memory") return world[scope].sameContent("memory", scope, hash);
  return (
    (await world.project.sameContent("proposal", "project", hash)) ??
    (await world.project.sameContent("decision", "project", hash))
  );
}

/** Those whose last record, in either store, is that somebody erased them. */
async function erasedAmong(ids: readonly string[], { project, global }: Stores): Promise<string[]> {
  const erased: string[] = [];
  for (const store of [project, global]) {
    for (let start = 0; start < ids.length; start += CHUNK) {
      const itemIds = ids.slice(start, start + CHUNK);
      const { records } = await store.journal({ itemIds, verb: "forget" }, { limit: CHUNK, offset: 0 });
      for (const id of new Set(records.map(({ itemId }) => itemId))) {
        const [last] = (await store.journal({ itemIds: [id] }, { limit: 1, offset: 0 })).records;
        if (last?.verb === "forget") erased.push(id);
      }
    }
  }
  return erased;
}
