/**
 * Fills a new store, which starts from a backup or empty, with salvaged items.
 *
 * Items changed since the backup are updated; items removed or erased since are removed or
 * erased again. Among several files the latest decides what has been removed.
 */
import { revisionTo } from "../../../logic/memory/item-changes.ts";
import { rereadingFiles } from "../../../logic/transfer/plan-import.ts";
import type { StoreName } from "../../../model/care/backup.ts";
import type { Change, Origin } from "../../../model/journal/change.ts";
import { EDGE_SHELVES, type Edge, hasEdges } from "../../../model/memory/edge.ts";
import type { StoreKey } from "../../../model/care/store-key.ts";
import type { Recovery } from "../../../model/care/finding.ts";
import { SHELVES } from "../../../model/memory/shelves.ts";
import type { Space } from "../../../model/memory/space.ts";
import type { Store } from "../../../ports/store/store.ts";
import type { Clock } from "../../../ports/world.ts";
import { codeOf } from "../connection/database.ts";
import { type LastEntry, type Salvaged, type SalvagedItem, isEnd } from "./salvage.ts";
import { openSqliteStore } from "../store.ts";

export const RECOVERY_ORIGIN = { verb: "recover", host: "doctor", session: "", space: "" };

type Counts = Pick<Recovery, "fromBackup" | "salvaged" | "unreadable">;

/** `salvaged`: oldest first. */
export async function fill(
  fresh: string,
  salvaged: readonly Salvaged[],
  { kind, clock, key, call }: { kind: StoreName; clock: Clock; key: StoreKey | null; call: string },
): Promise<Counts> {
  const store = await openSqliteStore({ path: fresh, kind, clock, key });
  const origin: Origin = { ...RECOVERY_ORIGIN, call };
  try {
    const { counts } = await store.report();
    const [longest] = salvaged.map(({ journal }) => journal).sort((a, b) => b.length - a.length);
    // A store that starts from a backup continues the backup's own journal.
    await store.apply([{ kind: "adopt_journal", entries: longest ?? [] }], origin);
    // Nobody knows by which rules the rest was redacted.
    await store.apply([{ kind: "note_redaction", rules: "" }], origin);
    const gone = goneFrom(salvaged);
    await remove(store, gone, origin);
    let merged = 0;
    for (const { items, edges, spaces } of salvaged) {
      const present = items.filter(({ item }) => !gone.has(item.id));
      merged += await mergeItems(store, present, origin);
      await mergeEdges(
        store,
        edges.filter(({ id }) => !gone.has(id)),
        origin,
      );
      if (kind === "global") for (const space of spaces) await mergeSpace(store, space, origin);
    }
    const expected = salvaged.flatMap((part) => [...part.expected]).filter((id) => !gone.has(id));
    const found = await Promise.all(SHELVES.map((shelf) => store.items(shelf, expected)));
    const foundEdges = await Promise.all(EDGE_SHELVES.map((shelf) => store.edges(shelf, expected)));
    const missing = new Set(expected);
    for (const { id } of [...found.flat(), ...foundEdges.flat()]) missing.delete(id);
    const fromBackup = counts.reduce((sum, { count }) => sum + count, 0);
    return { fromBackup, salvaged: merged, unreadable: missing.size };
  } finally {
    await store.close();
  }
}

/** Ids whose latest entry is a removal or an erasure, unless their row is in the latest file anyway. */
function goneFrom(salvaged: readonly Salvaged[]): Map<string, LastEntry> {
  const last = new Map<string, LastEntry>();
  for (const part of salvaged) {
    for (const [id, entry] of part.last) if (entry.at >= (last.get(id)?.at ?? -Infinity)) last.set(id, entry);
  }
  const { items, edges } = salvaged.at(-1) ?? { items: [], edges: [] };
  for (const { id } of [...items.map(({ item }) => item), ...edges]) last.delete(id);
  return new Map([...last].filter(([, { kind }]) => isEnd(kind)));
}

/** Repeats removals that happened after the backup. */
async function remove(store: Store, gone: ReadonlyMap<string, LastEntry>, origin: Origin): Promise<void> {
  const purged: string[] = [];
  for (const [id, { kind, shelf, at }] of gone) {
    const { records } = await store.journal({ itemIds: [id] }, { limit: 1, offset: 0 });
    const [known] = records;
    if (known && (known.at > at || known.kind === kind)) continue;
    const [edge] = hasEdges(shelf) ? await store.edges(shelf, [id]) : [];
    if (edge) await store.apply([{ kind: "remove_edge", shelf: edge.shelf, id }], origin);
    const [item] = await store.items(shelf, [id]);
    if (kind === "purge_items" && (known || item)) purged.push(id);
    else if (item) await store.apply([{ kind: "remove_item", shelf, id, expectedVersion: item.version }], origin);
  }
  if (purged.length === 0) return;
  await store.apply([{ kind: "purge_items", ids: purged, queries: await store.queriesFor(purged) }], origin);
  await store.compact();
}

const ITEMS_AT_ONCE = 128;

/** Returns how many were new, or newer than the existing ones. */
async function mergeItems(store: Store, items: readonly SalvagedItem[], origin: Origin): Promise<number> {
  let [merged, waiting] = [0, items];
  // Twice, because an outdated item may block another one until it is updated itself.
  for (let round = 1; round <= 2; round += 1) {
    const refused: SalvagedItem[] = [];
    for (let start = 0; start < waiting.length; start += ITEMS_AT_ONCE) {
      const group = waiting.slice(start, start + ITEMS_AT_ONCE);
      const outcomes = await Promise.all(group.map((item) => mergeItem(store, item, origin)));
      merged += outcomes.filter((outcome) => outcome === "merged").length;
      refused.push(...group.filter((_, index) => outcomes[index] === "refused"));
    }
    waiting = refused;
  }
  return merged;
}

async function mergeItem(store: Store, whole: SalvagedItem, origin: Origin): Promise<"merged" | "known" | "refused"> {
  const { shelf, item, passages, embed } = whole;
  const [present] = await store.items(shelf, [item.id]);
  if (present && present.version >= item.version) return "known";
  const { id, version } = item;
  const change: Change = present
    ? {
        kind: "revise_item",
        shelf,
        id,
        expectedVersion: present.version,
        version,
        set: revisionTo(item),
        passages,
        embed,
      }
    : { kind: "insert_item", shelf, item, passages, embed };
  try {
    return (await store.apply([change, ...rereadingFiles(shelf, present ?? null, item)], origin)).status === "applied"
      ? "merged"
      : "refused";
  } catch (thrown) {
    // A row that violates the schema was not intact.
    if (codeOf(thrown).startsWith("SQLITE_CONSTRAINT")) return "refused";
    throw thrown;
  }
}

/** Existing edges stay; edges that lost an end are refused. */
async function mergeEdges(store: Store, edges: readonly Edge[], origin: Origin): Promise<void> {
  for (let start = 0; start < edges.length; start += ITEMS_AT_ONCE) {
    const group = edges.slice(start, start + ITEMS_AT_ONCE);
    await Promise.all(group.map((edge) => store.apply([{ kind: "insert_edge", edge }], origin)));
  }
}

async function mergeSpace(store: Store, space: Space, origin: Origin): Promise<void> {
  const present = (await store.spaces()).find(({ id }) => id === space.id);
  const change: Change = present
    ? { kind: "move_space", id: space.id, expectedKey: present.key, space }
    : { kind: "insert_space", space };
  // A conflict means that another project has taken this folder meanwhile.
  await store.apply([change], origin);
}
