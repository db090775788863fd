/**
 * Embeds passages that were just written, before they are searched.
 *
 * A long backlog is left to the server and to `backfill`: embedding its first part would delay every question and
 * hardly change an answer.
 */
import { toFailure } from "../../errors.ts";
import type { World } from "../../ports/world.ts";
import { type EmbeddedPassage, drain } from "../care/drain.ts";
import { inTime } from "../care/in-time.ts";
import type { NearWorld } from "../memory/near.ts";
import type { StoreShelf } from "./places.ts";

const TIME_LIMIT_MS = 1_500;

export type EmbedWaitingWorld = NearWorld & Pick<World, "ids">;

/** Returns how many passages of these shelves are still pending. */
export async function embedWaiting(places: readonly StoreShelf[], world: EmbedWaitingWorld): Promise<number> {
  const { drainPassages: limit, modelWaitMs } = world.settings.recall;
  const stores = [...new Set(places.map(({ store }) => store))];
  const shelves = [...new Set(places.map(({ shelf }) => shelf))];
  const counts = await Promise.all(stores.map((store) => store.waitingCount(world.embedder.identity, shelves)));
  const waiting = counts.reduce((sum, count) => sum + count, 0);
  if (waiting === 0 || waiting > limit) return waiting;
  try {
    // Loading a cold model takes longer than embedding, so the time limit starts after it.
    const loading = world.embedder.load().then(() => true);
    if ((await inTime(loading, modelWaitMs)) === null) return waiting;
    const until = world.clock.now() + TIME_LIMIT_MS;
    const work = (async () => {
      let drained = 0;
      for (const store of stores) {
        const stored: EmbeddedPassage[] = [];
        drained += await drain(store, world, { limit, until, shelves, onStored: (batch) => stored.push(...batch) });
        if (stored.some(({ shelf }) => shelf === "memory"))
          await (await import("../memory/near.ts")).compareEmbedded(stored, store, world);
      }
      return drained;
    })();
    // A hanging worker must not block the answer.
    return waiting - ((await inTime(work, TIME_LIMIT_MS + modelWaitMs)) ?? 0);
  } catch (thrown) {
    world.log.debug(`embedding postponed: ${toFailure(thrown).message}`);
    return waiting;
  }
}
