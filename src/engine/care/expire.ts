/**
 * Deletes expired working memories, with their words, vectors and access records.
 *
 * Deleted bytes stay in a file until it is rewritten, which takes longer for larger files, so the caller decides when.
 * None of this is journaled, because working memories never are.
 */
import type { Store } from "../../ports/store/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";

const BATCH_ITEMS = 100;

/** Returns how many were deleted. Stores to compact are added to `unclean` before anything in them is deleted. */
export async function expireWorking(
  world: Stores & Pick<World, "clock" | "origin">,
  unclean: Set<Store>,
): Promise<number> {
  const now = world.clock.now();
  let expired = 0;
  for (const store of [world.project, world.global]) {
    const ids = await store.expired("memory", now);
    if (ids.length > 0) unclean.add(store);
    for (let start = 0; start < ids.length; start += BATCH_ITEMS) {
      const batch = ids.slice(start, start + BATCH_ITEMS);
      const changes = [{ kind: "evict_items", shelf: "memory", ids: batch, expiredAt: now } as const];
      await commit(store, async () => ({ changes, answer: null }), world);
    }
    expired += ids.length;
  }
  return expired;
}
