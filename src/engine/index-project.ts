/**
 * Indexing: the project's documents and code, and a person's notes, become findable and stay current.
 *
 * Discover, hash, cut, store, link; embedding is left to the queue. What has not changed is not read, and every batch
 * is committed by itself, so that a run that is cut short has still come further. One process at a time does it.
 */
import { Failure } from "../errors.ts";
import { planReading } from "../logic/plan-index.ts";
import type { FileShelf, FileState, SkippedFile } from "../model/corpus.ts";
import type { World } from "../ports.ts";
import { isReadAlike, rulesFor } from "./corpus-rules.ts";
import { type BatchOutcome, indexBatch, removeFiles } from "./index-batch.ts";
import { type Lease, holdLease } from "./lease.ts";
import { lookAround } from "./look-around.ts";
import { needsRanking, rankDocuments } from "./rank-documents.ts";

const LEASE = "index";
const BATCH_FILES = 32;

export interface IndexRequest {
  /** Reads everything again, also what seems unchanged. */
  all?: boolean;
  /** Leaves the project's own files alone. */
  only?: "notes";
  /** No new batch after this time. */
  until?: number;
  /** How long to wait for another process that is at it. */
  patienceMs?: number;
  onProgress?: (done: number, total: number) => void;
}

export interface Counts {
  added: number;
  updated: number;
  removed: number;
  unchanged: number;
}

export interface Indexed {
  documents: Counts;
  code: Counts;
  notes: Counts;
  skipped: SkippedFile[];
  ms: number;
  /** False when time ran out; what is left is done next time. */
  isComplete: boolean;
}

/** Null when another process is at it. */
export async function indexProject(request: IndexRequest, world: World): Promise<Indexed | null> {
  if (world.project.readOnly) {
    throw new Failure("unavailable", "The data folder cannot be written.", "Check its permissions, or set STELE_HOME.");
  }
  return holdLease(LEASE, request.patienceMs ?? 0, world, (lease) => indexUnder(lease, request, world));
}

async function indexUnder(lease: Lease, request: IndexRequest, world: World): Promise<Indexed> {
  const { project, settings, clock } = world;
  const began = clock.now();
  const { known: states, ...walk } = await lookAround(request, world);
  const lastLook = await project.lastLook();
  const rules = rulesFor(walk.found, settings);
  // Notes alone do not tell by which rules the project goes, nor that all of it was looked at.
  const isWhole = request.only === undefined;
  const fingerprint = isWhole ? rules.fingerprint : (lastLook?.rules ?? rules.fingerprint);
  // A run that was cut short left no look behind; what it took in, it took in by these rules.
  const sameRules = lastLook === null || lastLook.rules === fingerprint;
  const isAgain = request.all || (lastLook !== null && !isReadAlike(lastLook.rules));
  const known = isAgain ? states.map((state) => ({ ...state, hash: "", modifiedAt: -1 })) : states;
  const reading = planReading(walk, known, { rules: fingerprint, lastLook });
  const tally = newTally(reading.unchanged, walk.skipped);
  let gone = reading.gone;
  for (let done = 0; done < reading.toRead.length; done += BATCH_FILES) {
    if (clock.now() >= (request.until ?? Infinity)) return outcomeOf(tally, began, false, world);
    await lease.renew();
    request.onProgress?.(done, reading.toRead.length);
    const files = reading.toRead.slice(done, done + BATCH_FILES);
    const { gone: left, ...steps } = await indexBatch(files, { known, gone, sameRules, rules }, world);
    gone = left;
    tally.add(steps);
  }
  await removeFiles(gone, world);
  tally.add({ removed: gone.map(({ shelf }) => shelf) });
  if (await needsRanking(world)) await rankDocuments(world);
  if (isWhole) await project.apply([{ kind: "note_look", rules: fingerprint, at: began }], world.origin);
  request.onProgress?.(reading.toRead.length, reading.toRead.length);
  return outcomeOf(tally, began, true, world);
}

type Step = "added" | "updated" | "removed" | "unchanged";
type Steps = Partial<Pick<BatchOutcome, Step | "skipped">>;

interface Tally {
  counts: Record<FileShelf, Counts>;
  skipped: SkippedFile[];
  add(steps: Steps): void;
  hasChanged(shelf: FileShelf): boolean;
}

function newTally(unchanged: readonly FileState[], skipped: readonly SkippedFile[]): Tally {
  const none = (): Counts => ({ added: 0, updated: 0, removed: 0, unchanged: 0 });
  const tally: Tally = {
    counts: { document: none(), code: none(), memory: none() },
    skipped: [...skipped],
    add({ skipped: more = [], ...steps }) {
      for (const [step, shelves] of Object.entries(steps)) {
        for (const shelf of shelves) tally.counts[shelf][step as Step] += 1;
      }
      tally.skipped.push(...more);
    },
    hasChanged(shelf) {
      const { added, updated, removed } = tally.counts[shelf];
      return added + updated + removed > 0;
    },
  };
  const [taken, refused] = [unchanged.filter(isTaken), unchanged.filter((state) => !isTaken(state))];
  tally.add({
    unchanged: taken.map(({ shelf }) => shelf),
    skipped: refused.map(({ path, reason }) => ({ path, reason: reason ?? "" })),
  });
  return tally;
}

const isTaken = ({ itemId }: FileState): boolean => itemId !== null;

function outcomeOf({ counts, skipped }: Tally, began: number, isComplete: boolean, { clock }: World): Indexed {
  const named = skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const { document: documents, code, memory: notes } = counts;
  return { documents, code, notes, skipped: named, ms: clock.now() - began, isComplete };
}
