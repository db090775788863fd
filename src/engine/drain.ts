/**
 * Draining: passages that wait get their vectors.
 *
 * A batch is leased, embedded and stored; a process that dies in between only lets its
 * lease run out. The embedder is adopted first: vectors of another one are dropped and
 * every passage queues again.
 */
import type { Change } from "../model/change.ts";
import type { Store, WaitingPassage, World } from "../ports.ts";
import { embedTexts } from "./embed.ts";

const BATCH_PASSAGES = 32;
const LEASE_MS = 60_000;
const LEASE_ATTEMPTS = 3;

export interface DrainOptions {
  /** At most so many passages; all that wait when omitted. */
  limit?: number;
  /** No new batch after this time. */
  until?: number;
  batch?: number;
  onProgress?: (done: number) => void;
}

type DrainWorld = Pick<World, "embedder" | "clock" | "ids" | "origin">;

export async function drain(store: Store, world: DrainWorld, options: DrainOptions = {}): Promise<number> {
  if (store.readOnly || world.embedder.state() === "absent") return 0;
  const { limit = Infinity, until = Infinity, batch = BATCH_PASSAGES, onProgress } = options;
  const owner = world.ids.next();
  let done = 0;
  while (done < limit && world.clock.now() < until) {
    const embedded = await drainBatch(store, owner, Math.min(batch, limit - done), world);
    if (embedded === 0) break;
    done += embedded;
    onProgress?.(done);
  }
  return done;
}

async function drainBatch(store: Store, owner: string, size: number, world: DrainWorld): Promise<number> {
  await adoptEmbedder(store, world);
  const waiting = await lease(store, owner, size, world);
  if (waiting.length === 0) return 0;
  const embedded = await embedTexts(
    waiting.map(({ text }) => text),
    store,
    world,
  );
  const embedder = world.embedder.identity;
  const vectors = waiting.map(({ shelf, passage }, index) => ({ shelf, passage, vector: embedded[index]!.vector }));
  const entries = embedded.filter(({ isFresh }) => isFresh).map(({ hash, vector }) => ({ hash, vector }));
  await store.apply(
    [
      { kind: "store_vectors", embedder, owner, vectors },
      { kind: "cache_vectors", embedder, at: world.clock.now(), entries },
    ],
    world.origin,
  );
  return waiting.length;
}

/** Takes what nobody else works on. When others are always faster, there is nothing to do here. */
async function lease(store: Store, owner: string, size: number, world: DrainWorld): Promise<WaitingPassage[]> {
  for (let attempt = 1; attempt <= LEASE_ATTEMPTS; attempt += 1) {
    const at = world.clock.now();
    const waiting = await store.waiting({ limit: size, now: at });
    if (waiting.length === 0) return [];
    const passages = waiting.map(({ shelf, passage }) => ({ shelf, passage }));
    const change: Change = { kind: "lease_passages", passages, owner, at, until: at + LEASE_MS };
    if ((await store.apply([change], world.origin)).status === "applied") return waiting;
  }
  return [];
}

export async function adoptEmbedder(store: Store, world: Pick<World, "embedder" | "origin">): Promise<void> {
  const { identity } = world.embedder;
  if ((await store.embedder()) === identity) return;
  await store.apply([{ kind: "adopt_embedder", embedder: identity }], world.origin);
}
