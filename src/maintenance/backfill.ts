/** Embeds all pending passages and links all pending memories now, and reports progress. Several processes share the work. */
import { setImmediate as immediate } from "node:timers/promises";
import { embedTexts } from "../embed/embed-texts.ts";
import { Failure } from "../errors.ts";
import { linkMemories } from "../graph/link-memories.ts";
import type { Change, QuantisedVector, QueuedPassage } from "../journal/change.ts";
import type { Shelf } from "../memory/shelves.ts";
import type { ApplyOptions, QueueReads, Store, WaitingPassage, Writes } from "../store/store.ts";
import { DAY_MS } from "../time/calendar.ts";
import type { Stores, World } from "../world.ts";

// Embeds pending passages.
//
// A batch is leased, embedded and stored; if the process dies in between, the lease expires. The
// embedder is adopted first, so that every passage is queued for it. Impatient callers do not
// wait for a busy store and embed nothing then.

/** Few enough that storing their vectors blocks other work for a millisecond or two only. */
const BATCH_PASSAGES = 32;
const LEASE_MS = 60_000;
const LEASE_ATTEMPTS = 3;
const RENEW_USE_MS = DAY_MS;

interface DrainOptions {
  /** Maximum number of passages; all pending ones when omitted. */
  limit?: number;
  /** No batch begins after this time. */
  until?: number;
  batch?: number;
  /** All when omitted. */
  shelves?: readonly Shelf[] | undefined;
  /** Waits for a store that another process holds. */
  patient?: boolean;
  onProgress?: (done: number) => void;
  /** Told of each batch that got its vectors. */
  onStored?: (stored: readonly EmbeddedPassage[]) => void;
}

export interface EmbeddedPassage extends QueuedPassage {
  vector: QuantisedVector;
}

type DrainWorld = Pick<World, "embedder" | "clock" | "ids" | "origin">;

interface Drainer extends Omit<DrainWorld, "ids"> {
  store: Writes & QueueReads;
  owner: string;
  /** How leases are written: by default impatiently, because embedding can wait. */
  manner: ApplyOptions;
  shelves: readonly Shelf[] | undefined;
}

export async function drain(
  store: Writes & QueueReads,
  world: DrainWorld,
  options: DrainOptions = {},
): Promise<number> {
  if (store.readOnly || world.embedder.state() === "absent") return 0;
  const {
    limit = Infinity,
    until = Infinity,
    batch = BATCH_PASSAGES,
    patient = false,
    shelves,
    onProgress,
    onStored,
  } = options;
  const { embedder, clock, origin } = world;
  const manner = { impatient: !patient };
  const drainer: Drainer = { embedder, clock, origin, store, owner: world.ids.next(), manner, shelves };
  let done = 0;
  while (done < limit && world.clock.now() < until) {
    const embedded = await drainBatch(Math.min(batch, limit - done), drainer);
    if (embedded.length === 0) break;
    done += embedded.length;
    onStored?.(embedded);
    onProgress?.(done);
  }
  return done;
}

async function drainBatch(size: number, drainer: Drainer): Promise<EmbeddedPassage[]> {
  const { store, owner, origin } = drainer;
  const waiting = await take(size, drainer).catch((thrown: unknown) => {
    if (drainer.manner.impatient && isBusy(thrown)) return [];
    throw thrown;
  });
  if (waiting.length === 0) return [];
  // Other calls get their turn first: the embedder may run in this very thread.
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
  // Always patient, so that finished vectors are not lost.
  await store.apply([{ kind: "store_vectors", embedder, owner, vectors }], origin);
  return vectors;
}

async function take(size: number, drainer: Drainer): Promise<WaitingPassage[]> {
  await adoptEmbedder(drainer);
  return lease(size, drainer);
}

/** Whether another process holds the store: the only failure of it that resolves by itself. */
function isBusy(thrown: unknown): boolean {
  const cause = thrown instanceof Failure && thrown.code === "unavailable" ? thrown.cause : null;
  return cause instanceof Error && "code" in cause && /^(SQLITE_(BUSY|LOCKED)|55P03)/.test(String(cause.code));
}

/** Leases passages that no other process has leased. If others are always faster, there is nothing left to do here. */
async function lease(size: number, { store, owner, manner, shelves, ...world }: Drainer): Promise<WaitingPassage[]> {
  const embedder = world.embedder.identity;
  for (let attempt = 1; attempt <= LEASE_ATTEMPTS; attempt += 1) {
    const at = world.clock.now();
    const waiting = await store.waiting({ embedder, limit: size, now: at, leaseMs: LEASE_MS, shelves });
    if (waiting.length === 0) return [];
    const passages = waiting.map(({ shelf, passage }) => ({ shelf, passage }));
    const change: Change = { kind: "lease_passages", embedder, passages, owner, at, until: at + LEASE_MS };
    if ((await store.apply([change], world.origin, manner)).status === "applied") return waiting;
  }
  return [];
}

/** Frees passages that could not be embedded, so that another process can try. */
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

/** Records that this embedder is in use. The first time, every passage is queued for it; vectors of others stay. */
async function adoptEmbedder({ store, embedder, clock, origin, manner }: Drainer): Promise<void> {
  const usedAt = await store.embedderUsedAt(embedder.identity);
  const at = clock.now();
  if (usedAt !== null && at - usedAt < RENEW_USE_MS) return;
  await store.apply([{ kind: "adopt_embedder", embedder: embedder.identity, at }], origin, manner);
}

interface Backfilled {
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
