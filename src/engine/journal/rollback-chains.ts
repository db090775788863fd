/** Refuses a rollback that would let an item eventually replace itself: all items of the circle would vanish. */
import { type Goal, type Refusal, keyOf } from "../../logic/journal/plan-rollback.ts";
import type { Item } from "../../model/memory/item.ts";
import type { ItemReads } from "../../ports/store/items.ts";
import type { JournalReads } from "../../ports/store/journal.ts";

/** `goals` are those of one store. */
export async function circleAmong(goals: readonly Goal[], store: ItemReads & JournalReads): Promise<Refusal | null> {
  const known = new Map(goals.map((goal) => [keyOf(goal), goal]));
  // Items whose chain is known to end.
  const ending = new Set<string>();
  for (const { shelf, id, from, to } of goals) {
    if (!to?.supersededBy || from?.supersededBy === to.supersededBy) continue;
    const passed = [id];
    let at: string | null = to.supersededBy;
    while (at !== null && !passed.includes(at) && !ending.has(keyOf({ shelf, id: at }))) {
      passed.push(at);
      const goal = known.get(keyOf({ shelf, id: at }));
      const item: Item | null | undefined = goal ? goal.to : (await store.items(shelf, [at]))[0];
      at = item?.supersededBy ?? null;
    }
    if (at !== id) {
      if (at === null || !passed.includes(at)) for (const one of passed) ending.add(keyOf({ shelf, id: one }));
      continue;
    }
    const other = passed.findLast((one) => !known.has(keyOf({ shelf, id: one }))) ?? to.supersededBy;
    const { records } = await store.journal({ itemIds: [other], shelf }, { limit: 1, offset: 0 });
    return { why: "circle", shelf, id, other, call: records[0]?.call ?? null };
  }
  return null;
}
