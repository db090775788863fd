/**
 * Plans an index run: which files to read, then what to do with each.
 *
 * A file indexed under the same rules is not read again if its size and modification time are unchanged, unless it
 * changed just before it was checked: within one tick of the disk's clock it may have changed again unnoticed. Each
 * file records this for itself, so an interrupted run resumes. A file that disappears here and appears there counts as
 * renamed if the pair is unambiguous.
 */
import type { Change } from "../journal/change.ts";
import { newItem, type Provenance } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import { cutItem } from "../memory/passages.ts";
import type { Passage } from "../memory/shelves.ts";
import type { CodeSymbol, FileChange, FileShelf, FileState, FoundFile, Walk } from "./corpus.ts";
import { INITIAL_CONFIDENCE } from "./document-rules.ts";
import { isTemporary } from "./skip-rules.ts";

/** Coarsest clock resolution of a disk. */
const TICK_MS = 2_000;
const BATCH_FILES = 32;
/** One large write would block all other writers. */
const BATCH_BYTES = 500_000;

interface ReadingPlan {
  unchanged: FileState[];
  toRead: FoundFile[];
  /** Known files that no longer exist. */
  gone: FileState[];
  /** Known files that could not be checked. They stay as they are. */
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
    if (state && !all && state.rules === rulesOf(file.path) && needsNoReading(file, state)) plan.unchanged.push(state);
    else plan.toRead.push(file);
  }
  const kept = new Set(unread);
  for (const state of states.values()) (isAmong(state.path, kept) ? plan.hidden : plan.gone).push(state);
  return plan;
}

/** Whether the path or a folder above it could not be read. */
export function isAmong(path: string, unread: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (unread.has(path.slice(0, end))) return true;
  }
  return unread.has("");
}

function needsNoReading(file: FoundFile, state: FileState): boolean {
  const mustBeReread = isTaken(state) && state.hash === "";
  return !mustBeReread && isSameFile(file, state) && isSettled(file, state.lookedAt);
}

const isSameFile = (file: FoundFile, state: FileState): boolean =>
  state.bytes === file.bytes && state.modifiedAt === file.modifiedAt;

const isSettled = ({ modifiedAt }: FoundFile, lookedAt: number): boolean => modifiedAt <= lookedAt - TICK_MS;

/** How the project's files differ from what the last look knew of them, by size and time alone. */
export function changesSince(
  lookedAt: number,
  { found, unread }: Pick<Walk, "found" | "unread">,
  known: readonly FileState[],
  now: number,
): FileChange[] {
  const states = new Map(known.map((state) => [state.path, state]));
  const changes: FileChange[] = [];
  for (const file of found) {
    const { path, modifiedAt } = file;
    const state = states.get(path);
    states.delete(path);
    if (state && (!isTaken(state) || isSameFile(file, state))) continue;
    changes.push({ path, change: state ? "changed" : "added", at: modifiedAt > lookedAt ? modifiedAt : now });
  }
  const kept = new Set(unread);
  for (const state of states.values())
    if (isTaken(state) && !isAmong(state.path, kept)) changes.push({ path: state.path, change: "deleted", at: now });
  return changes;
}

/** In order; a large file is a batch of its own. */
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

/** Result of reading a file: its hash, or the reason it has none. */
export type Outcome = FoundFile &
  Pick<FileState, "shelf" | "rules" | "lookedAt"> &
  ({ hash: string } | { reason: string });
export type Taken = Extract<Outcome, { hash: string }>;
export type Refused = Extract<Outcome, { reason: string }>;

export interface Changed {
  file: Taken;
  was: FileState & { itemId: string };
}

interface IndexPlan {
  added: Taken[];
  /** The bytes changed, or the file must be split again. */
  updated: Changed[];
  renamed: Changed[];
  /** The same bytes, under different rules or with another modification time. */
  kept: Changed[];
  /** Skipped files, with their previous state. */
  skipped: { file: Refused; was: FileState | null }[];
  /** Files whose item is removed. */
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
      // Items never move between shelves.
      plan.removed.push(was);
      plan.added.push(file);
    } else if (all || was.hash !== file.hash || readingVersion(was) !== readingVersion(file)) {
      plan.updated.push({ file, was });
    } else if (was.rules !== file.rules || !isSameFile(file, was) || isSettled(file, file.lookedAt)) {
      plan.kept.push({ file, was });
    }
  }
  return withRenames(plan);
}

/** The first part of the rules; if it differs, the file is split again. */
export const readingVersion = ({ rules }: { rules: string }): string | undefined => rules.split(" ", 1)[0];

function refuse(plan: IndexPlan, file: Refused, was: FileState | null): void {
  // Someone is writing it. The known state stays, and its mismatch makes the next run read the file.
  if (isTemporary(file.reason)) return;
  plan.skipped.push({ file, was });
  if (was && isTaken(was)) plan.removed.push(was);
}

function withRenames(plan: IndexPlan): IndexPlan {
  const key = ({ shelf, hash }: { shelf: FileShelf; hash: string }) => `${shelf} ${hash}`;
  const addedByKey = Map.groupBy(plan.added, key);
  const removedByKey = Map.groupBy(plan.removed.filter(isTaken), key);
  const renamed = [...addedByKey].flatMap(([same, files]) => {
    const states = removedByKey.get(same) ?? [];
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

// The changes that index one file: its item with passages, its symbols and references, and the file's state.

/** A file that was read, cleaned and parsed. */
export interface PreparedFile {
  shelf: FileShelf;
  /** State of the file; the item's id is not known yet. */
  state: Omit<FileState, "itemId">;
  title: string | null;
  summary: string;
  content: string;
  /** Hash of the content. */
  hash: string;
  type: string;
  label: string | null;
  language: string | null;
  tags: string[];
  passages: Passage[];
  symbols: CodeSymbol[];
  /** References as they are written in the file. */
  targets: string[];
}

/** `known` is the existing item of this file, under this path or its former one. */
export function planFile(
  file: PreparedFile,
  known: Item | null,
  birth: Provenance & Pick<Item, "context" | "details">,
): Change[] {
  const { shelf, state } = file;
  // Fields that a person added are still searched, although they are not in the file.
  const beside = cutItem({ ...known, content: "" });
  const from = file.passages.length;
  const passages = [
    ...file.passages,
    ...beside.map((passage) => ({ ...passage, ordinal: from + passage.ordinal, tokens: null })),
  ];
  const id = known?.id ?? birth.id;
  const initial = shelf === "memory" ? {} : { confidence: INITIAL_CONFIDENCE };
  const fields = {
    title: file.title,
    content: file.content,
    summary: file.summary,
    hash: file.hash,
    path: state.path,
    // Someone may have set the type of this memory.
    type: shelf === "memory" && known ? known.type : file.type,
    label: file.label,
    tags: file.tags,
    context: { ...(known?.context ?? birth.context), language: file.language },
  };
  const item: Change = known
    ? {
        kind: "revise_item",
        shelf,
        id,
        expectedVersion: known.version,
        passages,
        embed: true,
        // Splitting the same text differently is not an update: memories about it are not out of date.
        set: { ...fields, status: "active", updatedAt: known.content === file.content ? known.updatedAt : birth.now },
      }
    : {
        kind: "insert_item",
        shelf,
        passages,
        embed: true,
        item: newItem({ ...fields, source: "file-index", ...initial, details: birth.details }, birth),
      };
  return [item, ...findingsOf(file, id), recordingState(state, id)];
}

function findingsOf({ shelf, symbols, targets }: PreparedFile, itemId: string): Change[] {
  if (shelf === "code") return [{ kind: "put_symbols", itemId, symbols }];
  return shelf === "document" ? [{ kind: "put_references", itemId, written: targets }] : [];
}

/** Records the state in which the file was indexed. */
export const recordingState = (state: PreparedFile["state"], itemId: string): Change => ({
  kind: "note_files",
  files: [{ ...state, itemId }],
});

/** For the same text under different rules, or merely saved again: nothing is split or embedded again. */
export function planRelabel(state: PreparedFile["state"], known: Item, set: Pick<Item, "type" | "label">): Change[] {
  const recorded = recordingState(state, known.id);
  if (known.type === set.type && known.label === set.label) return [recorded];
  const { id, version: expectedVersion } = known;
  const revision = {
    kind: "revise_item",
    shelf: state.shelf,
    id,
    expectedVersion,
    passages: null,
    embed: true,
  } as const;
  return [{ ...revision, set }, recorded];
}

/** For a file that no longer exists. A memory that is no longer active keeps its history. */
export function planRemoval({ path, shelf }: FileState, known: Item | null): Change[] {
  const dropped: Change = { kind: "drop_files", paths: [path] };
  if (!known || (shelf === "memory" && known.status !== "active")) return [dropped];
  return [{ kind: "remove_item", shelf, id: known.id, expectedVersion: known.version }, dropped];
}
