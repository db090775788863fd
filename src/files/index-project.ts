/**
 * Indexes the project's documents and code, and a person's notes, and keeps the index current.
 *
 * Steps: discover, hash, split, store, link; embedding is left to the queue. Unchanged files are not read, and every
 * batch is its own transaction, so an interrupted run still makes progress. Only one process indexes at a time.
 */
import { Failure } from "../errors.ts";
import { holdLease, type Lease, type Patience } from "../maintenance/lease.ts";
import type { Indexing, IndexRun, IndexTurns } from "../ports.ts";
import type { World } from "../world.ts";
import type {
  FileChange,
  FileCounts,
  FileShelf,
  FileState,
  Indexed,
  LastLook,
  OnlyNotes,
  SkippedFile,
} from "./corpus.ts";
import { type CorpusRules, rulesFor } from "./document-rules.ts";
import { type BatchOutcome, indexBatch, removeFiles } from "./index-batch.ts";
import { inBatches, planReading } from "./plan-index.ts";
import { needsRanking, rankDocuments } from "./rank-documents.ts";
import { changesOnDisk, type WalkedFiles, walkFiles } from "./walk-files.ts";

const LEASE = "index";
/** Of the changes that a session is told, so many are kept. */
const KEPT_CHANGES = 200;

/** Once `isEnding` is true, no further batch begins. */
export interface IndexRequest extends Patience {
  /** Reads every file again, even if it seems unchanged. */
  all?: boolean;
  /** Indexes only the notes. */
  only?: OnlyNotes;
  onProgress?: (done: number, total: number) => void;
}

/** Null if another process is indexing. */
export async function indexProject(request: IndexRequest, world: World): Promise<Indexed | null> {
  if (world.project.readOnly) {
    throw new Failure("unavailable", "The data folder cannot be written.", "Check its permissions, or set STELE_HOME.");
  }
  return holdLease(LEASE, request, { ...world, store: world.project }, (lease) => indexUnder(lease, request, world));
}

async function indexUnder(lease: Lease, request: IndexRequest, world: World): Promise<Indexed> {
  const { project, clock } = world;
  const began = clock.now();
  if (request.only === undefined) await claim(world);
  const walked = await walkFiles(request, world);
  const { known, ...walk } = walked;
  const rules = rulesFor(walk.found, world);
  const changes = request.only === undefined ? await noteChanges(walked, rules, world) : [];
  const { all = false } = request;
  const reading = planReading(walk, known, { rulesOf: rules.fingerprintOf, all });
  const tally = newTally([...reading.unchanged, ...reading.hidden], walk.skipped);
  const outcome = (isComplete: boolean) =>
    outcomeOf(tally, { began, isComplete, hidden: reading.hidden.length }, world);
  const situation = { known: new Map(known.map((state) => [state.path, state])), all, rules, lookedAt: began };
  const steps = stepsUnder(lease, request);
  let [gone, done] = [reading.gone, 0];
  for (const files of inBatches(reading.toRead)) {
    if (!(await steps.mayGoOn())) return outcome(false);
    request.onProgress?.(done, reading.toRead.length);
    const { gone: left, ...batch } = await indexBatch(files, { ...situation, gone }, world);
    gone = left;
    done += files.length;
    tally.add(batch);
  }
  for (const states of inBatches(gone)) {
    if (!(await steps.mayGoOn())) return outcome(false);
    await removeFiles(states, world);
    tally.add({ removed: states.map(({ shelf }) => shelf) });
  }
  if (await needsRanking(world)) await rankDocuments(world);
  // A run over the notes alone does not count as a check of the project.
  const { checkout } = world.place;
  if (request.only === undefined) await project.apply([looked({ at: began, checkout }, changes)], world.origin);
  request.onProgress?.(done, done);
  return outcome(true);
}

/** Marks the index as this checkout's, so that a process watching another one does not consider its files indexed. */
async function claim({
  project,
  place: { checkout },
  origin,
}: Pick<World, "project" | "place" | "origin">): Promise<void> {
  const look = await project.lastLook();
  if (look && look.checkout !== checkout) await project.apply([{ kind: "note_look", at: 0, checkout }], origin);
}

/** Before the index forgets how they differed: a session that begins later is told. Returns those that are kept. */
async function noteChanges(walked: WalkedFiles, rules: CorpusRules, world: World): Promise<FileChange[]> {
  const { project, origin } = world;
  const look = await project.lastLook();
  const found = await changesOnDisk(look, walked, world, rules);
  if (look === null || found === null) return [];
  const { changes: earlier = [], ...when } = look;
  // Of a file that was written to, the index keeps the time.
  const told = new Map(walked.found.map(({ path, modifiedAt }) => [path, modifiedAt]));
  const untold = found.filter(({ path, change, at }) => change !== "changed" || told.get(path) !== at);
  if (untold.length === 0) return earlier;
  const isFound = new Set(untold.map(({ path }) => path));
  const latestFirst = untold.toSorted((one, two) => two.at - one.at);
  const changes = [...latestFirst, ...earlier.filter(({ path }) => !isFound.has(path))].slice(0, KEPT_CHANGES);
  await project.apply([looked(when, changes)], origin);
  return changes;
}

const looked = (when: Omit<LastLook, "changes">, changes: FileChange[]) =>
  ({ kind: "note_look", ...when, ...(changes.length > 0 && { changes }) }) as const;

/** A process that is about to exit still does one batch, so that even short runs make progress. */
function stepsUnder(lease: Lease, { isEnding = () => false }: Patience): { mayGoOn(): Promise<boolean> } {
  let steps = 0;
  return {
    async mayGoOn() {
      if (steps > 0 && isEnding()) return false;
      steps += 1;
      await lease.renew();
      return true;
    },
  };
}

type Step = "added" | "updated" | "removed" | "unchanged";
type Steps = Partial<Pick<BatchOutcome, Step | "skipped">>;

interface Tally {
  counts: Record<FileShelf, FileCounts>;
  skipped: SkippedFile[];
  add(steps: Steps): void;
}

function newTally(unchanged: readonly FileState[], skipped: readonly SkippedFile[]): Tally {
  const none = (): FileCounts => ({ added: 0, updated: 0, removed: 0, unchanged: 0 });
  const tally: Tally = {
    counts: { document: none(), code: none(), memory: none() },
    skipped: [...skipped],
    add({ skipped: more = [], ...steps }) {
      for (const [step, shelves] of Object.entries(steps)) {
        for (const shelf of shelves) tally.counts[shelf][step as Step] += 1;
      }
      tally.skipped.push(...more);
    },
  };
  tally.add({
    unchanged: unchanged.filter(({ itemId }) => itemId !== null).map(({ shelf }) => shelf),
    skipped: unchanged.flatMap(({ path, reason }) => (reason === null ? [] : [{ path, reason }])),
  });
  return tally;
}

function outcomeOf(
  { counts, skipped }: Tally,
  { began, ...rest }: { began: number } & Pick<Indexed, "isComplete" | "hidden">,
  { clock }: Pick<World, "clock">,
): Indexed {
  const named = skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const { document: documents, code, memory: notes } = counts;
  return { documents, code, notes, skipped: named, ms: clock.now() - began, ...rest };
}

/**
 * Brings the index up to date, with one run at a time in this process.
 *
 * Requests made during a run share the next one, because the current run may have checked a file before it changed. A
 * run continues even if its callers stop waiting, and an exiting process waits for its current batch.
 */
type RefreshRequest = Pick<IndexRequest, "only" | "patienceMs">;

export function refresh(request: RefreshRequest, world: World): IndexRun {
  const ours = turnsOf(world.indexing, request.only);
  const { isSettling: isEnding } = world.afterwards;
  function begin(): IndexRun {
    // Its own call, so that it can be distinguished and undone separately.
    const origin = { ...world.origin, verb: "index", call: world.ids.next() };
    const run: IndexRun = indexProject({ ...request, isEnding }, { ...world, origin }).finally(
      () => (ours.underWay = null),
    );
    ours.underWay = run;
    world.afterwards.add("bring the index up to date", () => run);
    return run;
  }
  const follow = async () => {
    ours.next = null;
    return isEnding() ? null : begin();
  };
  if (!ours.next && !ours.underWay) return begin();
  return (ours.next ??= ours.underWay!.then(follow, follow));
}

function turnsOf({ turns }: Indexing, only: OnlyNotes): IndexTurns {
  const own = turns.get(only) ?? { underWay: null, next: null };
  turns.set(only, own);
  return own;
}
