/**
 * Archives what an earlier version captured by rules about language, unless somebody used it: the sessions themselves are
 * told of now. One call, which `rollback` takes back.
 */
import { revising } from "../../logic/memory/item-changes.ts";
import type { Stores, World } from "../../ports/world.ts";

const MOST = 5_000;

/** Returns how many. */
export async function retireCaptured({ project, global, origin }: Stores & Pick<World, "origin">): Promise<number> {
  let retired = 0;
  for (const store of [project, global]) {
    const items = await store.items("memory", await store.unusedCaptured(MOST));
    const changes = items.map((item) => revising("memory", item, { status: "archived" }));
    // Somebody has just used one of them: the next run looks again.
    if (items.length > 0 && (await store.apply(changes, origin)).status === "applied") retired += items.length;
  }
  return retired;
}
