/**
 * Draining: passages that wait get their vectors.
 *
 * A batch is leased, embedded and stored; a process that dies in between only lets its
 * lease run out. The embedder is adopted first: every passage then queues for it, beside
 * the vectors of other embedders that are still in use.
 */
import { setImmediate as immediate } from "node:timers/promises";
import type { Change, QueuedPassage } from "../model/change.ts";
import type { Shelf } from "../model/shelf.ts";
import type { Store, WaitingPassage, World } from "../ports.ts";
import { embedTexts } from "./embed.ts";

/** Few enough that storing their vectors takes a millisecond or two: others are served in between. */
const BATCH_PASSAGES = 32;
const LEASE_MS = 60_000;
const LEASE_ATTEMPTS = 3;
const SAY_AGAIN_MS = 86_400_000;

export interface DrainOptions {
  /** At most so many passages; all that wait when omitted. */
  limit?: number;
  /** No new batch after this time. */
  until?: number;
  batch?: number;
  /** Only these; all when omitted. */
  shelves?: readonly Shelf[] | undefined;
  onProgress?: (done: number) => void;
}

type DrainWorld = Pick<World, "embedder" | "clock" | "ids" | "origin">;

export async function drain(store: Store, world: DrainWorld, options: DrainOptions = {}): Promise<number> {
  if (store.readOnly || world.embedder.state() === "absent") return 0;
  const { limit = Infinity, until = Infinity, batch = BATCH_PASSAGES, shelves, onProgress } = options;
  const owner = world.ids.next();
  let done = 0;
  while (done < limit && world.clock.now() < until) {
    const embedded = await drainBatch(store, { owner, shelves, size: Math.min(batch, limit - done) }, world);
    if (embedded === 0) break;
    done += embedded;
    onProgress?.(done);
  }
  return done;
}

interface Batch {
  owner: string;
  size: number;
  shelves: readonly Shelf[] | undefined;
}

async function drainBatch(store: Store, batch: Batch, world: DrainWorld): Promise<number> {
  const { owner } = batch;
  await adoptEmbedder(store, world);
  const waiting = await lease(store, batch, world);
  if (waiting.length === 0) return 0;
  // Who asked in the meantime is answered first: an embedder may work in this very thread.
  await immediate();
  const texts = waiting.map(({ text }) => text);
  const embedded = await embedTexts(texts, store, world).catch(async (thrown: unknown) => {
    await release(store, owner, waiting, world);
    throw thrown;
  });
  const embedder = world.embedder.identity;
  const vectors = waiting.map(({ shelf, passage }, index) => {
    const { vector, hash, isFresh } = embedded[index]!;
    return { shelf, passage, vector, ...(isFresh && { hash }) };
  });
  await store.apply([{ kind: "store_vectors", embedder, owner, vectors }], world.origin);
  return waiting.length;
}

/** Takes what nobody else works on. When others are always faster, there is nothing to do here. */
async function lease(store: Store, { owner, size, shelves }: Batch, world: DrainWorld): Promise<WaitingPassage[]> {
  const embedder = world.embedder.identity;
  for (let attempt = 1; attempt <= LEASE_ATTEMPTS; attempt += 1) {
    const at = world.clock.now();
    const waiting = await store.waiting({ embedder, limit: size, now: at, shelves });
    if (waiting.length === 0) return [];
    const passages = waiting.map(({ shelf, passage }) => ({ shelf, passage }));
    const change: Change = { kind: "lease_passages", embedder, passages, owner, at, until: at + LEASE_MS };
    // Embedding can wait: whoever holds the file may be in the middle of something that cannot.
    if ((await store.apply([change], world.origin, { impatient: true })).status === "applied") return waiting;
  }
  return [];
}

/** What could not be embedded is free again at once, for whoever can. */
async function release(
  store: Store,
  owner: string,
  passages: readonly QueuedPassage[],
  world: DrainWorld,
): Promise<void> {
  const { embedder, clock, origin } = world;
  const queued = passages.map(({ shelf, passage }) => ({ shelf, passage }));
  const change: Change = {
    kind: "lease_passages",
    embedder: embedder.identity,
    passages: queued,
    owner,
    at: clock.now(),
    until: 0,
  };
  await store.apply([change], origin, { impatient: true }).catch(() => null);
}

/** Says that this embedder is in use; the first time, every passage queues for it. */
async function adoptEmbedder(store: Store, { embedder, clock, origin }: DrainWorld): Promise<void> {
  const usedAt = await store.embedderUsedAt(embedder.identity);
  const at = clock.now();
  if (usedAt !== null && at - usedAt < SAY_AGAIN_MS) return;
  await store.apply([{ kind: "adopt_embedder", embedder: embedder.identity, at }], origin, { impatient: true });
}
