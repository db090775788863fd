/** One item in full, with what it replaced. Reading it counts as access. */
import { Failure } from "../errors.ts";
import type { Memory } from "../model/memory.ts";
import type { World } from "../ports.ts";
import { findItem } from "./find-item.ts";
import { memoryOf } from "./view.ts";

export async function getItem(id: string, world: World): Promise<{ memory: Memory; history: Memory[] }> {
  const found = await findItem(id, world);
  if (!found)
    throw new Failure("not_found", `There is nothing with the id ${id}.`, "Search for it, or list what is there.");
  const { item, shelf, store } = found;
  if (!store.readOnly) {
    const touches = [{ id, how: "get" as const, relevance: null }];
    const at = world.clock.now();
    world.afterwards.add("note what was read", () =>
      store.apply([{ kind: "touch_items", shelf, touches, query: null, at }], world.origin, { impatient: true }),
    );
  }
  const history = await store.replacedBy(shelf, [id]);
  return { memory: memoryOf(shelf, item), history: history.map((past) => memoryOf(shelf, past)) };
}
