/**
 * Runs scheduled maintenance now: whatever has expired, aged or been kept long enough.
 *
 * One process at a time does it for a project. Repeating it is harmless, and it can be stopped between any two batches.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { classifyEdges } from "../graph/classify.ts";
import { linkMemories } from "../graph/link-memories.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { revising } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import { dropEvents, retireCaptured } from "../sessions/upkeep.ts";
import type { AgedEvidence, DecisionReads, ItemReads, Store, Writes } from "../store/store.ts";
import { DAY_MS } from "../time/calendar.ts";
import type { Stores, World } from "../world.ts";
import { ageMemories } from "./age-memories.ts";
import { marksAt } from "./aging.ts";
import { rewriteFiles } from "./compact.ts";
import { type TakenStep, timesOf } from "./due-memories.ts";
import { holdLease } from "./lease.ts";

// Decides when items are archived.

/**
 * Evidence ages from when it was stored, not from when it was spoken: an old conversation imported today is relevant
 * today.
 */
const evidenceCutoff = (now: number, { archiveDays }: { archiveDays: number }): number => now - archiveDays * DAY_MS;

/**
 * Archives old evidence: it is compressed and removed from the index.
 *
 * Works in small transactions, so that other processes are not blocked. Each change expects the
 * version it read, so two processes can archive at the same time. Nothing but evidence is
 * archived here, least of all decisions.
 */
const BATCH_ITEMS = 50;
/** Compressing this much at once causes no noticeable delay. */
const BATCH_BYTES = 200_000;

interface ArchivedBatch {
  archived: number;
  bytesBefore: number;
  /** 0 in a dry run. */
  bytesAfter: number;
}

async function* archiveEvidence(
  world: Stores & Pick<World, "clock" | "settings" | "origin">,
): AsyncGenerator<ArchivedBatch> {
  const before = evidenceCutoff(world.clock.now(), world.settings.evidence);
  for (const store of [world.project, world.global]) {
    for (let after: AgedEvidence | null = null; ; ) {
      const aged: AgedEvidence[] = atOnce(await store.agedEvidence(before, { after, limit: BATCH_ITEMS }));
      if (aged.length === 0) break;
      yield await archiveBatch(store, aged, before, world);
      after = aged.at(-1)!;
    }
  }
}

function atOnce(aged: readonly AgedEvidence[]): AgedEvidence[] {
  let bytes = 0;
  const end = aged.findIndex((one, index) => (bytes += one.bytes) > BATCH_BYTES && index > 0);
  return aged.slice(0, end === -1 ? aged.length : end);
}

async function archiveBatch(
  store: Writes & ItemReads & DecisionReads,
  aged: readonly AgedEvidence[],
  before: number,
  world: Pick<World, "origin">,
): Promise<ArchivedBatch> {
  const ids = aged.map(({ id }) => id);
  const items = await commit<Item[]>(
    store,
    async () => {
      const due = (await store.items("evidence", ids)).filter(
        ({ status, updatedAt }) => status === "active" && updatedAt < before,
      );
      return { changes: due.map((item) => revising("evidence", item, { status: "archived" })), answer: due };
    },
    world,
  );
  return {
    archived: items.length,
    bytesBefore: items.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
    bytesAfter: await store.archivedBytes(items.map(({ id }) => id)),
  };
}

/**
 * Deletes expired working memories, with their words, vectors and access records.
 *
 * Deleted bytes stay in a file until it is rewritten, which takes longer for larger files, so the caller decides when.
 * None of this is journaled, because working memories never are.
 */
const EXPIRED_AT_ONCE = 100;

/** Returns how many were deleted. Stores to compact are added to `unclean` before anything in them is deleted. */
export async function expireWorking(
  world: Stores & Pick<World, "clock" | "origin">,
  unclean: Set<Store>,
): Promise<number> {
  const now = world.clock.now();
  let expired = 0;
  for (const store of [world.project, world.global]) {
    const ids = await store.expired("memory", now);
    if (ids.length > 0) unclean.add(store);
    for (let start = 0; start < ids.length; start += EXPIRED_AT_ONCE) {
      const batch = ids.slice(start, start + EXPIRED_AT_ONCE);
      const changes = [{ kind: "evict_items", shelf: "memory", ids: batch, expiredAt: now } as const];
      await commit(store, async () => ({ changes, answer: null }), world);
    }
    expired += ids.length;
  }
  return expired;
}

/**
 * Drops records that are older than the settings keep them: entries of the access log, and previous states in the
 * journal.
 *
 * In pages, each its own transaction. Dropped states cannot be brought back, so this belongs to no call, and goes by a
 * time that the clock has confirmed.
 */
const PAGE_RECORDS = 1_000;

type TrimWorld = Stores & Pick<World, "clock" | "settings" | "origin">;

/** Yields how many were dropped. */
function trimAccessLog(world: TrimWorld): AsyncGenerator<number> {
  return trim(
    world.settings.retention.accessDays,
    (store, before, after) => store.agedAccesses(before, { after, limit: PAGE_RECORDS }),
    (numbers) => ({ kind: "drop_accesses", numbers }),
    world,
  );
}

function trimJournal(world: TrimWorld): AsyncGenerator<number> {
  return trim(
    world.settings.retention.journalDays,
    (store, before, after) => store.agedPayloads(before, { after, limit: PAGE_RECORDS }),
    (numbers) => ({ kind: "drop_payloads", numbers }),
    world,
  );
}

async function* trim(
  keptDays: number,
  aged: (store: Store, before: number, after: number) => Promise<number[]>,
  dropping: (numbers: number[]) => Change,
  world: TrimWorld,
): AsyncGenerator<number> {
  const { project, global, origin } = world;
  for (const store of [project, global]) {
    const { settledAt } = await timesOf(store, world);
    if (settledAt === null) continue;
    for (let after = 0; ; ) {
      const numbers = await aged(store, settledAt - keptDays * DAY_MS, after);
      if (numbers.length === 0) break;
      await store.apply([dropping(numbers)], { ...origin, call: "" });
      yield numbers.length;
      after = numbers.at(-1)!;
    }
  }
}

const LEASE = "maintain";
/** So many steps of each kind are listed; all are counted. */
const LISTED_STEPS = 100;

interface Maintained {
  working: {
    expired: number;
    /** Files that may still hold expired or erased data. */
    traces: string[];
  };
  /** Number of memories linked to those that resemble them. */
  linked: number;
  /** Number of edges that the language model suggests. */
  classified: number;
  memories: Record<TakenStep["to"], number>;
  /** The first steps of each kind, and why each was due. */
  steps: TakenStep[];
  evidence: ArchivedBatch;
  accesses: { dropped: number };
  journal: { dropped: number };
  /** Memories that an earlier version captured and nobody used. */
  retired: number;
  /** Old events of sessions. */
  events: { dropped: number };
  disk: { rewritten: string[]; freedBytes: number };
}

interface MaintainOptions {
  isStopped?: () => boolean;
  /** Stores that hold deleted bytes; those named in `traces` still do afterwards. */
  unclean?: Set<Store>;
  /** How long to wait for another process that is doing the same. */
  patienceMs?: number;
}

type MaintainWorld = Stores & Pick<World, "clock" | "ids" | "progress" | "settings" | "origin" | "llm" | "log">;

/** Null if another process is doing it. */
export function maintain(
  world: MaintainWorld,
  { isStopped = () => false, unclean = new Set(), patienceMs = 0 }: MaintainOptions = {},
): Promise<Maintained | null> {
  const patience = { patienceMs, isEnding: isStopped };
  return holdLease(LEASE, patience, { ...world, store: world.project }, () =>
    maintainUnder(world, isStopped, unclean, patienceMs > 0),
  );
}

async function maintainUnder(
  world: MaintainWorld,
  isStopped: () => boolean,
  unclean: Set<Store>,
  patient: boolean,
): Promise<Maintained> {
  const done = nothingDone();
  done.working.expired = await expireWorking(world, unclean);
  // Many memories at once: only where somebody asked for maintenance, and is told of it.
  done.retired = patient ? await retireCaptured(world) : 0;
  await each(archiveEvidence(world), isStopped, (batch) => addBatch(done.evidence, batch));
  for (const store of [world.project, world.global])
    done.linked += await linkMemories(store, world, { isStopped, patient });
  for (const store of isStopped() ? [] : [world.project, world.global])
    done.classified += await classifyEdges(store, world);
  const aging = each(ageMemories(world, unclean), isStopped, (steps) => {
    for (const step of steps) {
      done.memories[step.to] += 1;
      if (done.memories[step.to] <= LISTED_STEPS) done.steps.push(step);
    }
  });
  // The rest of the run does not depend on it.
  const [aged] = await Promise.allSettled([aging]);
  await each(trimAccessLog(world), isStopped, (count) => (done.accesses.dropped += count));
  await each(trimJournal(world), isStopped, (count) => (done.journal.dropped += count));
  if (!isStopped()) done.events.dropped = await dropEvents(world);
  const { traces, ...disk } = await rewriteFiles([world.project, world.global], unclean);
  if (aged.status === "rejected") throw aged.reason;
  if (!isStopped()) await noteMaintenance(world);
  return { ...done, working: { ...done.working, traces }, disk };
}

const nothingDone = (): Maintained => ({
  working: { expired: 0, traces: [] },
  linked: 0,
  classified: 0,
  memories: { archived: 0, pruned: 0, erased: 0 },
  steps: [],
  evidence: { archived: 0, bytesBefore: 0, bytesAfter: 0 },
  accesses: { dropped: 0 },
  journal: { dropped: 0 },
  retired: 0,
  events: { dropped: 0 },
  disk: { rewritten: [], freedBytes: 0 },
});

/** Adds up the batches, and stops after one if it must. */
async function each<Batch>(
  batches: AsyncGenerator<Batch>,
  isStopped: () => boolean,
  add: (batch: Batch) => unknown,
): Promise<void> {
  if (isStopped()) return;
  for await (const batch of batches) {
    add(batch);
    if (isStopped()) break;
    // The store answers synchronously, so other work of this process gets its turn here.
    await immediate();
  }
}

function addBatch(sum: ArchivedBatch, batch: ArchivedBatch): void {
  sum.archived += batch.archived;
  sum.bytesBefore += batch.bytesBefore;
  sum.bytesAfter += batch.bytesAfter;
}

async function noteMaintenance({ project, global, clock, origin }: MaintainWorld): Promise<void> {
  const at = clock.now();
  for (const store of [project, global]) {
    const marks = marksAt(await store.clockMarks(), at);
    await store.apply([{ kind: "note_maintenance", at, marks }], origin);
  }
}

/** Whether a rollback could undo something of it: everything else is final or not journaled. */
export const isOnRecord = ({
  memories,
  evidence,
  classified,
  retired,
}: Pick<Maintained, "memories" | "evidence" | "classified" | "retired">): boolean =>
  classified + retired + evidence.archived + memories.archived + memories.pruned > 0;
