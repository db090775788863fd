/**
 * Withdraws what a move has inserted at the target, if the memory was closed, removed or erased at the source before the
 * move was complete.
 *
 * Anyone else who moves the memory there writes to the copy before removing the source. An untouched copy is therefore
 * this move's own, and what became of the source counts.
 */
import { removing } from "../../logic/memory/item-changes.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Item } from "../../model/memory/item.ts";
import type { ItemReads } from "../../ports/store/items.ts";
import type { JournalReads } from "../../ports/store/journal.ts";

interface Copies {
  from: ItemReads & JournalReads;
  to: ItemReads;
  /** The version of each. */
  inserted: ReadonlyMap<string, number>;
}

/** What nobody else has changed since. */
export async function untouched({ to, inserted }: Copies): Promise<Item[]> {
  if (inserted.size === 0) return [];
  const there = await to.items("memory", [...inserted.keys()]);
  return there.filter(({ id, version }) => inserted.get(id) === version);
}

/** A copy of something erased leaves no trace in the journal either. */
export async function withdrawing(copies: readonly Item[], { from }: Copies): Promise<Change[]> {
  const erased: string[] = [];
  for (const { id } of copies) {
    const { records } = await from.journal({ itemIds: [id], shelf: "memory" }, { limit: 1, offset: 0 });
    if (records[0]?.kind === "purge_items") erased.push(id);
  }
  const changes = copies.map((copy) => removing("memory", copy));
  return erased.length > 0 ? [...changes, { kind: "purge_items", ids: erased, queries: [] }] : changes;
}
