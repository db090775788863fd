/** Embeds all pending passages and links all pending memories now, and reports progress. Several processes share the work. */
import { Failure } from "../../errors.ts";
import type { Stores, World } from "../../ports/world.ts";
import { drain } from "./drain.ts";
import { linkMemories } from "../graph/link-memories.ts";

export interface Backfilled {
  embedded: number;
  waiting: number;
  embedder: string;
  /** Number of memories linked to those that resemble them. */
  linked: number;
}

export async function backfill(
  limit: number | undefined,
  world: Stores & Pick<World, "embedder" | "clock" | "ids" | "progress" | "origin">,
): Promise<Backfilled> {
  const { embedder } = world;
  if (embedder.dimensions === 0) {
    throw new Failure(
      "unavailable",
      "No embedder is configured.",
      "Set embedder.provider to minilm, then run backfill again.",
    );
  }
  await embedder.load();
  let embedded = 0;
  for (const store of [world.project, world.global]) {
    const total = Math.min(await store.waitingCount(embedder.identity), (limit ?? Infinity) - embedded);
    if (total <= 0) continue;
    if (store.readOnly) {
      throw new Failure(
        "unavailable",
        "The data folder cannot be written, so nothing was embedded.",
        "Check its permissions, or set STELE_HOME to a folder you can write.",
      );
    }
    world.progress.report(0, total, "Embedding");
    const onProgress = (done: number) => world.progress.report(done, total, "Embedding");
    embedded += await drain(store, world, { limit: total, patient: true, onProgress });
  }
  let linked = 0;
  for (const store of [world.project, world.global]) linked += await linkMemories(store, world, { patient: true });
  const waiting =
    (await world.project.waitingCount(embedder.identity)) + (await world.global.waitingCount(embedder.identity));
  return { embedded, waiting, embedder: embedder.identity, linked };
}
