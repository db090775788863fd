/**
 * What an index has to do: first which files to read, then what became of each.
 *
 * Size and time of change spare reading a file, unless it changed shortly before it was last looked at: within one tick
 * of the disk's clock it may have changed once more and tell nobody. What went and came back elsewhere was renamed,
 * where there is only one such pair.
 */
import type { FileShelf, FileState, FoundFile, Walk } from "../model/corpus.ts";
import { isPassing } from "./skip-rules.ts";

/** How coarse a disk's clock may be. */
const TICK_MS = 2_000;

export interface LastLook {
  /** Stands for everything that decides what is read and how it is labelled. */
  rules: string;
  /** When it began. */
  at: number;
}

export interface ReadingPlan {
  unchanged: FileState[];
  toRead: FoundFile[];
  /** Known files that are no longer met. */
  gone: FileState[];
}

export function planReading(
  { found, unread }: Pick<Walk, "found" | "unread">,
  known: readonly FileState[],
  { rules, lastLook }: { rules: string; lastLook: LastLook | null },
): ReadingPlan {
  const states = new Map(known.map((state) => [state.path, state]));
  const settledUntil = lastLook?.rules === rules ? lastLook.at - TICK_MS : -Infinity;
  const plan: ReadingPlan = { unchanged: [], toRead: [], gone: [] };
  for (const file of found) {
    const state = states.get(file.path);
    states.delete(file.path);
    const isSame = state?.bytes === file.bytes && state.modifiedAt === file.modifiedAt;
    if (isSame && file.modifiedAt <= settledUntil) plan.unchanged.push(state);
    else plan.toRead.push(file);
  }
  const kept = new Set(unread);
  for (const state of states.values()) (isAmong(state.path, kept) ? plan.unchanged : plan.gone).push(state);
  return plan;
}

/** Whether it, or a folder around it, is among those that could not be looked at. */
function isAmong(path: string, unread: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (unread.has(path.slice(0, end))) return true;
  }
  return unread.has("");
}

/** A file that was to be read: its hash, or why it has none. */
export type Outcome = FoundFile & { shelf: FileShelf } & ({ hash: string } | { reason: string });
export type Taken = Extract<Outcome, { hash: string }>;
export type Refused = Extract<Outcome, { reason: string }>;

export interface Changed {
  file: Taken;
  was: FileState & { itemId: string };
}

export interface IndexPlan {
  added: Taken[];
  updated: Changed[];
  renamed: Changed[];
  /** The same bytes under other rules. */
  relabelled: Changed[];
  /** The same bytes under the same rules, another size or time. */
  touched: Changed[];
  /** Not to be read, and what is known of them. */
  skipped: { file: Refused; was: FileState | null }[];
  /** Files whose item goes. */
  removed: FileState[];
}

export function planIndex(
  outcomes: readonly Outcome[],
  known: readonly FileState[],
  { gone, sameRules }: { gone: readonly FileState[]; sameRules: boolean },
): IndexPlan {
  const asked = new Set(outcomes.map(({ path }) => path));
  const states = new Map(known.filter(({ path }) => asked.has(path)).map((state) => [state.path, state]));
  const plan: IndexPlan = {
    added: [],
    updated: [],
    renamed: [],
    relabelled: [],
    touched: [],
    skipped: [],
    removed: [...gone],
  };
  for (const file of outcomes) {
    const was = states.get(file.path) ?? null;
    if ("reason" in file) refuse(plan, file, was);
    else if (!was || !isTaken(was)) plan.added.push(file);
    else if (was.shelf !== file.shelf) {
      // An item does not move to another shelf.
      plan.removed.push(was);
      plan.added.push(file);
    } else if (was.hash !== file.hash) plan.updated.push({ file, was });
    else if (!sameRules) plan.relabelled.push({ file, was });
    else if (was.bytes !== file.bytes || was.modifiedAt !== file.modifiedAt) plan.touched.push({ file, was });
  }
  return withRenames(plan);
}

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
