/**
 * Archives what an earlier version captured by rules about language, unless somebody used it: the sessions themselves are
 * told of now. One call, which `rollback` takes back.
 */
import { timesOf } from "../maintenance/due-memories.ts";
import { revising } from "../memory/item-changes.ts";
import { DAY_MS } from "../time/calendar.ts";
import type { Stores, World } from "../world.ts";

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

// Drops events of sessions that are older than the settings keep them, and what sessions were handed then. They cannot be
// brought back, so this goes by a time that the clock has confirmed.

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
