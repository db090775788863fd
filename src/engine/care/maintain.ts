/**
 * Runs scheduled maintenance now: whatever has expired, aged or been kept long enough.
 *
 * One process at a time does it for a project. Repeating it is harmless, and it can be stopped between any two batches.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { marksAt } from "../../logic/care/clock-marks.ts";
import type { Store } from "../../ports/store/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import { ageMemories } from "./aging/age-memories.ts";
import { type ArchivedBatch, archiveEvidence } from "./archive-evidence.ts";
import { rewriteFiles } from "./compact.ts";
import type { TakenStep } from "./aging/due-memories.ts";
import { expireWorking } from "./expire.ts";
import { dropEvents } from "../capture/drop-events.ts";
import { classifyEdges } from "../graph/classify-edges.ts";
import { retireCaptured } from "../sessions/retire-captured.ts";
import { linkMemories } from "../graph/link-memories.ts";
import { holdLease } from "./lease.ts";
import { trimAccessLog, trimJournal } from "./trim-records.ts";

const LEASE = "maintain";
/** So many steps of each kind are listed; all are counted. */
const LISTED_STEPS = 100;

export interface Maintained {
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

export interface MaintainOptions {
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
