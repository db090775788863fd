/** Embeds all pending passages and links all pending memories now, and reports progress. Several processes share the work. */
import { Failure } from "../../errors.ts";
import type { Store } from "../../ports/store/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import { drain } from "./drain.ts";
import { linkMemories } from "../graph/link-memories.ts";

export interface Backfilled {
  embedded: number;
  waiting: number;
  embedder: string;
  /** Number of memories linked to those that resemble them. */
  linked: number;
  /** Why those that wait are left to others; null if they are not. */
  refusal: string | null;
}

type BackfillWorld = Stores & Pick<World, "embedder" | "remoteEmbedder" | "clock" | "ids" | "progress" | "origin">;

export async function backfill(limit: number | undefined, world: BackfillWorld): Promise<Backfilled> {
  const { embedder, remoteEmbedder } = world;
  if (embedder.dimensions === 0) {
    throw new Failure(
      "unavailable",
      "No embedder is configured.",
      "Set embedder.provider to minilm, then run backfill again.",
    );
  }
  const embedders = [embedder, ...(remoteEmbedder ? [remoteEmbedder] : [])];
  let embedded = 0;
  for (const own of embedders)
    for (const store of [world.project, world.global])
      embedded += await embedAll(store, (limit ?? Infinity) - embedded, { ...world, embedder: own });
  let linked = 0;
  for (const store of [world.project, world.global]) linked += await linkMemories(store, world, { patient: true });
  let waiting = 0;
  for (const { identity } of embedders)
    waiting += (await world.project.waitingCount(identity)) + (await world.global.waitingCount(identity));
  const refusal = waiting > 0 ? ((await world.project.refusal?.())?.message ?? null) : null;
  return { embedded, waiting, refusal, embedder: embedders.map(({ identity }) => identity).join(" and "), linked };
}

async function embedAll(store: Store, limit: number, world: BackfillWorld): Promise<number> {
  await world.embedder.load();
  const total = Math.min(await store.waitingCount(world.embedder.identity), limit);
  if (total <= 0) return 0;
  if (store.readOnly) {
    throw new Failure(
      "unavailable",
      "The data folder cannot be written, so nothing was embedded.",
      "Check its permissions, or set STELE_HOME to a folder you can write.",
    );
  }
  world.progress.report(0, total, "Embedding");
  const onProgress = (done: number) => world.progress.report(done, total, "Embedding");
  return drain(store, world, { limit: total, patient: true, onProgress });
}
