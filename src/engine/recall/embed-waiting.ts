/**
 * Embedding what was just written, before it is searched.
 *
 * A backlog is left to the server and to `backfill`: embedding the first of it would make every question wait and hardly
 * change an answer.
 */
import { toFailure } from "../../errors.ts";
import type { World } from "../../ports/world.ts";
import { drain } from "../care/drain.ts";
import { inTime } from "../care/in-time.ts";
import type { StoreShelf } from "./places.ts";

const TIME_LIMIT_MS = 1_500;

export type EmbedWaitingWorld = Pick<World, "embedder" | "settings" | "clock" | "ids" | "origin" | "log">;

/** Answers how many passages of these shelves still wait; other shelves do not matter here. */
export async function embedWaiting(places: readonly StoreShelf[], world: EmbedWaitingWorld): Promise<number> {
  const { drainPassages: limit, modelWaitMs } = world.settings.recall;
  const stores = [...new Set(places.map(({ store }) => store))];
  const shelves = [...new Set(places.map(({ shelf }) => shelf))];
  const counts = await Promise.all(stores.map((store) => store.waitingCount(world.embedder.identity, shelves)));
  const waiting = counts.reduce((sum, count) => sum + count, 0);
  if (waiting === 0 || waiting > limit) return waiting;
  try {
    // A cold model takes longer to load than to embed; the clock for embedding starts afterwards.
    const loading = world.embedder.load().then(() => true);
    if ((await inTime(loading, modelWaitMs)) === null) return waiting;
    const until = world.clock.now() + TIME_LIMIT_MS;
    const work = (async () => {
      let drained = 0;
      for (const store of stores) drained += await drain(store, world, { limit, until, shelves });
      return drained;
    })();
    // A worker that hangs must not hang the answer.
    return waiting - ((await inTime(work, TIME_LIMIT_MS + modelWaitMs)) ?? 0);
  } catch (thrown) {
    world.log.debug(`embedding waits: ${toFailure(thrown).message}`);
    return waiting;
  }
}
