/**
 * Drops events of sessions that are older than the settings keep them, and what sessions were handed then. They cannot be
 * brought back, so this goes by a time that the clock has confirmed.
 */
import { DAY_MS } from "../../model/duration.ts";
import { timesOf } from "../care/aging/due-memories.ts";
import type { Stores, World } from "../../ports/world.ts";

/** Returns how many events were dropped. */
export async function dropEvents(world: Stores & Pick<World, "clock" | "settings" | "origin">): Promise<number> {
  let dropped = 0;
  for (const store of [world.project, world.global]) {
    const { settledAt } = await timesOf(store, world);
    if (settledAt === null) continue;
    const before = settledAt - world.settings.capture.eventDays * DAY_MS;
    dropped += await store.eventCount({ before });
    await store.apply([{ kind: "drop_events", before }], { ...world.origin, call: "" });
  }
  return dropped;
}
