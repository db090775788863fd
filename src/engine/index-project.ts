/**
 * Indexing: the project's documents and code become findable, and stay current.
 *
 * Discover, hash, cut, store, link; embedding is left to the queue. What has not changed is not read, and every batch
 * is committed by itself, so that a run that is cut short has still come further. One process at a time does it.
 */
import { Failure } from "../errors.ts";
import { planReading } from "../logic/plan-index.ts";
import type { CorpusShelf, FileState, SkippedFile, Walk } from "../model/corpus.ts";
import type { World } from "../ports.ts";
import { isReadAlike, rulesFor } from "./corpus-rules.ts";
import { type BatchOutcome, indexBatch, removeFiles } from "./index-batch.ts";
import { type Lease, holdLease } from "./lease.ts";
import { redactor } from "./redact.ts";
import { rankDocuments } from "./rank-documents.ts";

const LEASE = "index";
const BATCH_FILES = 32;

export interface IndexRequest {
  /** Reads everything again, also what seems unchanged. */
  all?: boolean;
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
  const { project, projectFiles, settings, clock } = world;
  const began = clock.now();
  const walk = withoutSecretNames(await projectFiles.walk(settings.index));
  const rules = rulesFor(walk.found, settings);
  const lastLook = await project.lastLook();
  // A run that was cut short left no look behind; what it took in, it took in by these rules.
  const sameRules = lastLook === null || lastLook.rules === rules.fingerprint;
  const isAgain = request.all || (lastLook !== null && !isReadAlike(lastLook.rules));
  const states = await project.fileStates();
  const known = isAgain ? states.map((state) => ({ ...state, hash: "", modifiedAt: -1 })) : states;
  const reading = planReading(walk, known, { rules: rules.fingerprint, lastLook });
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
  if (tally.hasChanged("document")) await rankDocuments(world);
  await project.apply([{ kind: "note_look", rules: rules.fingerprint, at: began }], world.origin);
  request.onProgress?.(reading.toRead.length, reading.toRead.length);
  return outcomeOf(tally, began, true, world);
}

/** A name is kept, shown and embedded with its file, and cannot be changed: such a file is left out. */
function withoutSecretNames({ found, skipped, unread }: Walk): Walk {
  const { clean } = redactor();
  const isKept = ({ path }: { path: string }) => clean(path) === path;
  const odd = found
    .filter((file) => !isKept(file))
    .map(({ path }) => ({ path: clean(path), reason: "a secret in its name" }));
  const told = skipped.map(({ path, reason }) => ({ path: clean(path), reason }));
  return { found: found.filter(isKept), skipped: [...told, ...odd], unread };
}

type Step = "added" | "updated" | "removed" | "unchanged";
type Steps = Partial<Pick<BatchOutcome, Step | "skipped">>;

interface Tally {
  counts: Record<CorpusShelf, Counts>;
  skipped: SkippedFile[];
  add(steps: Steps): void;
  hasChanged(shelf: CorpusShelf): boolean;
}

function newTally(unchanged: readonly FileState[], skipped: readonly SkippedFile[]): Tally {
  const none = (): Counts => ({ added: 0, updated: 0, removed: 0, unchanged: 0 });
  const tally: Tally = {
    counts: { document: none(), code: none() },
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
  return { documents: counts.document, code: counts.code, skipped: named, ms: clock.now() - began, isComplete };
}
