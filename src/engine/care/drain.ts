/**
 * Draining: passages that wait get their vectors.
 *
 * A batch is leased, embedded and stored; a process that dies in between only lets its
 * lease run out. The embedder is adopted first: every passage then queues for it. Who has no
 * time does not wait for a busy store, and has then drained nothing.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { Failure } from "../../errors.ts";
import type { Change, QueuedPassage } from "../../model/journal/change.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { QueueReads, WaitingPassage } from "../../ports/queue.ts";
import type { ApplyOptions, Writes } from "../../ports/store.ts";
import type { World } from "../../ports/world.ts";
import { embedTexts } from "../text/embed.ts";

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
  /** Waits for a store that another process holds. */
  patient?: boolean;
  onProgress?: (done: number) => void;
}

type DrainWorld = Pick<World, "embedder" | "clock" | "ids" | "origin">;

interface Drainer extends Omit<DrainWorld, "ids"> {
  store: Writes & QueueReads;
  owner: string;
  /** How leases are written. Embedding can wait: whoever holds the file may be at something that cannot. */
  manner: ApplyOptions;
  shelves: readonly Shelf[] | undefined;
}

export async function drain(
  store: Writes & QueueReads,
  world: DrainWorld,
  options: DrainOptions = {},
): Promise<number> {
  if (store.readOnly || world.embedder.state() === "absent") return 0;
  const { limit = Infinity, until = Infinity, batch = BATCH_PASSAGES, patient = false, shelves, onProgress } = options;
  const { embedder, clock, origin } = world;
  const manner = { impatient: !patient };
  const drainer: Drainer = { embedder, clock, origin, store, owner: world.ids.next(), manner, shelves };
  let done = 0;
  while (done < limit && world.clock.now() < until) {
    const embedded = await drainBatch(Math.min(batch, limit - done), drainer);
    if (embedded === 0) break;
    done += embedded;
    onProgress?.(done);
  }
  return done;
}

async function drainBatch(size: number, drainer: Drainer): Promise<number> {
  const { store, owner, origin } = drainer;
  const waiting = await take(size, drainer).catch((thrown: unknown) => {
    if (drainer.manner.impatient && isBusy(thrown)) return [];
    throw thrown;
  });
  if (waiting.length === 0) return 0;
  // Who asked in the meantime is answered first: an embedder may work in this very thread.
  await immediate();
  const texts = waiting.map(({ text }) => text);
  const embedded = await embedTexts(texts, store, drainer).catch(async (thrown: unknown) => {
    await release(waiting, drainer);
    throw thrown;
  });
  const embedder = drainer.embedder.identity;
  const vectors = waiting.map(({ shelf, passage }, index) => {
    const { vector, hash, isFresh } = embedded[index]!;
    return { shelf, passage, vector, ...(isFresh && { hash }) };
  });
  // Always with patience: what has been embedded should not be lost.
  await store.apply([{ kind: "store_vectors", embedder, owner, vectors }], origin);
  return waiting.length;
}

async function take(size: number, drainer: Drainer): Promise<WaitingPassage[]> {
  await adoptEmbedder(drainer);
  return lease(size, drainer);
}

/** Another process holds the file; of all faults of a store, this one passes by itself. */
function isBusy(thrown: unknown): boolean {
  const cause = thrown instanceof Failure && thrown.code === "unavailable" ? thrown.cause : null;
  return cause instanceof Error && "code" in cause && /^SQLITE_(BUSY|LOCKED)/.test(String(cause.code));
}

/** Takes what nobody else works on. When others are always faster, there is nothing to do here. */
async function lease(size: number, { store, owner, manner, shelves, ...world }: Drainer): Promise<WaitingPassage[]> {
  const embedder = world.embedder.identity;
  for (let attempt = 1; attempt <= LEASE_ATTEMPTS; attempt += 1) {
    const at = world.clock.now();
    const waiting = await store.waiting({ embedder, limit: size, now: at, shelves });
    if (waiting.length === 0) return [];
    const passages = waiting.map(({ shelf, passage }) => ({ shelf, passage }));
    const change: Change = { kind: "lease_passages", embedder, passages, owner, at, until: at + LEASE_MS };
    if ((await store.apply([change], world.origin, manner)).status === "applied") return waiting;
  }
  return [];
}

/** What could not be embedded is free again at once, for whoever can. */
async function release(passages: readonly QueuedPassage[], drainer: Drainer): Promise<void> {
  const { store, owner, embedder, clock, origin, manner } = drainer;
  const queued = passages.map(({ shelf, passage }) => ({ shelf, passage }));
  const change: Change = {
    kind: "lease_passages",
    embedder: embedder.identity,
    passages: queued,
    owner,
    at: clock.now(),
    until: 0,
  };
  await store.apply([change], origin, manner).catch(() => null);
}

/** Says that this embedder is in use; the first time, every passage queues for it, beside the vectors of others. */
async function adoptEmbedder({ store, embedder, clock, origin, manner }: Drainer): Promise<void> {
  const usedAt = await store.embedderUsedAt(embedder.identity);
  const at = clock.now();
  if (usedAt !== null && at - usedAt < SAY_AGAIN_MS) return;
  await store.apply([{ kind: "adopt_embedder", embedder: embedder.identity, at }], origin, manner);
}
