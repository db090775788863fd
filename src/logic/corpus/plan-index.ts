/**
 * What an index has to do: first which files to read, then what became of each.
 *
 * Size and time of change spare reading a file that was taken in by the same rules, unless it changed shortly before
 * it was looked at: within one tick of the disk's clock it may have changed once more and tell nobody. Each file says
 * so for itself, so a run that was cut short is gone on with. What went and came back elsewhere was renamed, where
 * there is only one such pair.
 */
import type { FileShelf, FileState, FoundFile, Walk } from "../../model/corpus/corpus.ts";
import { isPassing } from "./skip-rules.ts";

/** How coarse a disk's clock may be. */
const TICK_MS = 2_000;
const BATCH_FILES = 32;
/** What is written at once holds up whoever else wants to write. */
const BATCH_BYTES = 500_000;

export interface ReadingPlan {
  unchanged: FileState[];
  toRead: FoundFile[];
  /** Known files that are no longer met. */
  gone: FileState[];
  /** Known files that may be there or not: nobody could look. They stay as they were known. */
  hidden: FileState[];
}

export function planReading(
  { found, unread }: Pick<Walk, "found" | "unread">,
  known: readonly FileState[],
  { rulesOf, all }: { rulesOf(path: string): string; all: boolean },
): ReadingPlan {
  const states = new Map(known.map((state) => [state.path, state]));
  const plan: ReadingPlan = { unchanged: [], toRead: [], gone: [], hidden: [] };
  for (const file of found) {
    const state = states.get(file.path);
    states.delete(file.path);
    if (state && !all && state.rules === rulesOf(file.path) && isSpared(file, state)) plan.unchanged.push(state);
    else plan.toRead.push(file);
  }
  const kept = new Set(unread);
  for (const state of states.values()) (isAmong(state.path, kept) ? plan.hidden : plan.gone).push(state);
  return plan;
}

/** Whether it, or a folder around it, is among those that could not be looked at. */
function isAmong(path: string, unread: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (unread.has(path.slice(0, end))) return true;
  }
  return unread.has("");
}

function isSpared(file: FoundFile, state: FileState): boolean {
  const isToBeReadAgain = isTaken(state) && state.hash === "";
  return !isToBeReadAgain && isSameFile(file, state) && isSettled(file, state.lookedAt);
}

const isSameFile = (file: FoundFile, state: FileState): boolean =>
  state.bytes === file.bytes && state.modifiedAt === file.modifiedAt;

const isSettled = ({ modifiedAt }: FoundFile, lookedAt: number): boolean => modifiedAt <= lookedAt - TICK_MS;

/** In their order; a large file is a batch of its own. */
export function* inBatches<File extends { bytes: number }>(files: readonly File[]): Generator<File[]> {
  let [batch, bytes]: [File[], number] = [[], 0];
  for (const file of files) {
    if (batch.length === BATCH_FILES || (batch.length > 0 && bytes + file.bytes > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += file.bytes;
  }
  if (batch.length > 0) yield batch;
}

/** A file that was to be read: its hash, or why it has none. */
export type Outcome = FoundFile &
  Pick<FileState, "shelf" | "rules" | "lookedAt"> &
  ({ hash: string } | { reason: string });
export type Taken = Extract<Outcome, { hash: string }>;
export type Refused = Extract<Outcome, { reason: string }>;

export interface Changed {
  file: Taken;
  was: FileState & { itemId: string };
}

export interface IndexPlan {
  added: Taken[];
  /** Other bytes, or to be cut anew. */
  updated: Changed[];
  renamed: Changed[];
  /** The same bytes, under other rules or at another time. */
  kept: Changed[];
  /** Not to be read, and what is known of them. */
  skipped: { file: Refused; was: FileState | null }[];
  /** Files whose item goes. */
  removed: FileState[];
}

export function planIndex(
  outcomes: readonly Outcome[],
  /** By path. */
  known: ReadonlyMap<string, FileState>,
  { gone, all }: { gone: readonly FileState[]; all: boolean },
): IndexPlan {
  const plan: IndexPlan = { added: [], updated: [], renamed: [], kept: [], skipped: [], removed: [...gone] };
  for (const file of outcomes) {
    const was = known.get(file.path) ?? null;
    if ("reason" in file) refuse(plan, file, was);
    else if (!was || !isTaken(was)) plan.added.push(file);
    else if (was.shelf !== file.shelf) {
      // An item does not move to another shelf.
      plan.removed.push(was);
      plan.added.push(file);
    } else if (all || was.hash !== file.hash || wayOfReading(was) !== wayOfReading(file)) {
      plan.updated.push({ file, was });
    } else if (was.rules !== file.rules || !isSameFile(file, was) || isSettled(file, file.lookedAt)) {
      plan.kept.push({ file, was });
    }
  }
  return withRenames(plan);
}

/** What rules begin with: files that were cut in another way are cut anew. */
export const wayOfReading = ({ rules }: { rules: string }): string | undefined => rules.split(" ", 1)[0];

function refuse(plan: IndexPlan, file: Refused, was: FileState | null): void {
  // Somebody is at work on it. What is known stays, and does not match what the next walk finds.
  if (isPassing(file.reason)) return;
  plan.skipped.push({ file, was });
  if (was && isTaken(was)) plan.removed.push(was);
}

function withRenames(plan: IndexPlan): IndexPlan {
  const key = ({ shelf, hash }: { shelf: FileShelf; hash: string }) => `${shelf} ${hash}`;
  const came = Map.groupBy(plan.added, key);
  const went = Map.groupBy(plan.removed.filter(isTaken), key);
  const renamed = [...came].flatMap(([same, files]) => {
    const states = went.get(same) ?? [];
    const [file, was] = [files[0], states[0]];
    return file && was && files.length === 1 && states.length === 1 && file.path !== was.path ? [{ file, was }] : [];
  });
  const files = new Set(renamed.map(({ file }) => file));
  const states = new Set<FileState>(renamed.map(({ was }) => was));
  return {
    ...plan,
    renamed,
    added: plan.added.filter((file) => !files.has(file)),
    removed: plan.removed.filter((state) => !states.has(state)),
  };
}

function isTaken(state: FileState): state is Changed["was"] {
  return state.itemId !== null;
}
