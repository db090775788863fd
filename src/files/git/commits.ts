/**
 * The commits of a repository as `git log` lists them, newest first, from its objects.
 *
 * The walk follows git's own: a queue by time, in which what the earlier commit reaches is hidden. Objects are not
 * checked against their names, so nothing here may rely on history being without rings.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Commit, CommitHistory, CommitQuery } from "../../world.ts";
import { openFile } from "./bounded-reads.ts";
import { type Objects, openObjects } from "./packs.ts";

export interface HistoryOrder extends CommitQuery {
  /** The folder that all worktrees share. */
  common: string;
  head: string;
  hashBytes: number;
  isPartial: boolean;
}

/** An answer crosses a thread and is held in memory; commits are written by anyone. */
const SUBJECT_CHARACTERS = 1_000;
const BODY_CHARACTERS = 16_000;
const AUTHOR_CHARACTERS = 200;
const FILES_MOST = 1_000;
const TREES_MOST = 5_000;
const DEEPEST = 200;
const SHALLOW_BYTES = 10_000_000;

const MISSING = "an object is missing";

export function readHistory(order: HistoryOrder): CommitHistory {
  const { common, isPartial, hashBytes, limit, filesOf = 0 } = order;
  const isBorrowing = existsSync(join(common, "objects", "info", "alternates"));
  const elsewhere = isBorrowing
    ? "objects of another repository, which it borrows, are not read"
    : isPartial
      ? "it is a partial clone, and an object is not here"
      : null;
  let degraded: string | null = null;
  const note = (reason: string) => void (degraded ??= reason === MISSING ? (elsewhere ?? reason) : reason);
  let objects: Objects | null = null;
  try {
    objects = openObjects(join(common, "objects"), hashBytes);
    const { shown, isCut, isLost } = walk(order, sourceOf(common, objects, note), note);
    if (isLost && elsewhere !== null) note(MISSING);
    const commits = shown.slice(0, limit).map((node, index) => ({
      ...textsOf(node.id, objects!.read(node.id, "commit")!),
      files: index < filesOf ? filesIn(node, objects!, note) : null,
    }));
    return { commits, total: shown.length, isCut, degraded };
  } catch (thrown) {
    note((thrown as Error).message);
    return { commits: [], total: 0, isCut: false, degraded };
  } finally {
    objects?.close();
  }
}

interface Node {
  id: string;
  /** Seconds. */
  time: number;
  parents: string[];
  isHidden: boolean;
}

type Source = (id: string) => Omit<Node, "isHidden"> | null;

/** A commit that cannot be read ends its line of history; the rest is still told. */
const sourceOf = (common: string, objects: Objects, note: (reason: string) => void): Source => {
  const grafts = shallowIn(common);
  return (id) => {
    try {
      const bytes = objects.read(id, "commit");
      if (bytes === null) return null;
      const { headers, time } = headersOf(bytes);
      return { id, time, parents: grafts.has(id) ? [] : headers.flatMap((line) => PARENT.exec(line)?.[1] ?? []) };
    } catch (thrown) {
      note((thrown as Error).message);
      return null;
    }
  };
};

/** In a shallow clone history ends at these. */
function shallowIn(common: string): Set<string> {
  const file = openFile(join(common, "shallow"));
  if (file === null) return new Set();
  try {
    if (file.bytes > SHALLOW_BYTES) throw new Error("its list of shallow commits is too long");
    return new Set(file.range(0, file.bytes).toString("latin1").split("\n"));
  } finally {
    file.close();
  }
}

const PARENT = /^parent ([0-9a-f]{40,64})$/;
const TREE = /^tree ([0-9a-f]{40,64})$/;

function headersOf(bytes: Buffer): { headers: string[]; time: number } {
  const end = bytes.indexOf("\n\n");
  const headers = bytes.toString("latin1", 0, end < 0 ? bytes.length : end).split("\n");
  const time = / (\d{1,12}) [+-]\d{1,6}$/.exec(headers.find((line) => line.startsWith("committer ")) ?? "")?.[1];
  if (!TREE.test(headers[0]!)) throw new Error("a commit is damaged");
  return { headers, time: Number(time ?? 0) };
}

/** How many steps git goes on where clocks were wrong, and so does this. */
const SLOP = 5;

/**
 * What HEAD reaches and the earlier commit does not. If that commit is gone (it was amended or rebased, and then pruned),
 * what was committed since, as `git log --since` has it: what was pulled since, but is older, is then missing.
 */
function walk({ head, after, since, most }: HistoryOrder, read: Source, note: (reason: string) => void) {
  const known = new Map<string, Node | null>();
  const queue: Node[] = [];
  let isCut = false;

  function meet(id: string, isHidden: boolean): Node | null {
    let node = known.get(id);
    if (node === undefined) {
      if (known.size >= most) {
        isCut = true;
        return null;
      }
      const found = read(id);
      node = found && { ...found, isHidden: false };
      known.set(id, node);
      if (node) queue.splice(firstNotBefore(queue, node.time), 0, node);
      else if (id !== after && !isHidden) note(MISSING);
    }
    if (node && isHidden) hide(node);
    return node;
  }

  /** What was met already is hidden with all that it reaches. */
  function hide(first: Node): void {
    const waiting = [first];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (node.isHidden) continue;
      node.isHidden = true;
      for (const id of node.parents) {
        const parent = known.get(id);
        if (parent) waiting.push(parent);
      }
    }
  }

  const isKnown = after !== null && meet(after, true) !== null;
  meet(head, false);
  const shown: Node[] = [];
  for (let node = queue.pop(), slop = SLOP; node && !isCut; node = queue.pop()) {
    // Only passed over, as git does without a range: another commit may lead to its parents, which clocks made newer.
    if (!isKnown && node.time * 1_000 < since) continue;
    for (const parent of node.parents) meet(parent, node.isHidden);
    if (!node.isHidden) shown.push(node);
    else {
      const isOpen = (shown.at(-1)?.time ?? Infinity) <= (queue.at(-1)?.time ?? -Infinity);
      slop = isOpen || queue.some(({ isHidden }) => !isHidden) ? SLOP : slop - 1;
      if (slop === 0) break;
    }
  }
  return { shown: shown.filter(({ isHidden }) => !isHidden), isCut, isLost: after !== null && !isKnown };
}

/** The queue is taken from its end; of equal times, what came first goes first. */
function firstNotBefore(queue: readonly Node[], time: number): number {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (queue[middle]!.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function textsOf(id: string, bytes: Buffer): Omit<Commit, "files"> {
  const { headers, time } = headersOf(bytes);
  const end = bytes.indexOf("\n\n");
  const encoding = headers.find((line) => line.startsWith("encoding "))?.slice("encoding ".length);
  const message = decoded(end < 0 ? bytes.subarray(bytes.length) : bytes.subarray(end + 2), encoding).trimStart();
  const author = headers.find((line) => line.startsWith("author ")) ?? "";
  const [subject] = message.split(/\n[ \t]*\n/, 1) as [string];
  return {
    id,
    at: time * 1_000,
    subject: subject.trim().replaceAll("\n", " ").slice(0, SUBJECT_CHARACTERS),
    body: message.slice(subject.length).trim().slice(0, BODY_CHARACTERS),
    author: decoded(
      Buffer.from(author.slice("author ".length, Math.max(0, author.indexOf(" <"))), "latin1"),
      encoding,
    ).slice(0, AUTHOR_CHARACTERS),
  };
}

function decoded(bytes: Buffer, encoding = "utf-8"): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    // An encoding of that name does not exist.
    return bytes.toString("utf8");
  }
}

/** What a commit changed of its only parent; like git, a merge tells none. Null if its trees cannot be read. */
function filesIn({ id, parents }: Node, objects: Objects, note: (reason: string) => void): string[] | null {
  if (parents.length > 1) return [];
  const treeOf = (commit: string): string => {
    const bytes = objects.read(commit, "commit");
    if (bytes === null) throw new Error(MISSING);
    return TREE.exec(headersOf(bytes).headers[0]!)![1]!;
  };
  try {
    return changedFiles(parents[0] === undefined ? null : treeOf(parents[0]), treeOf(id), objects);
  } catch (thrown) {
    note((thrown as Error).message);
    return null;
  }
}

function changedFiles(before: string | null, now: string, objects: Objects): string[] {
  const found: string[] = [];
  let trees = 0;
  function compare(old: string | null, young: string | null, prefix: string, depth: number): void {
    if (old === young || depth > DEEPEST) return;
    const [left, right] = [entries(old), entries(young)];
    for (const name of new Set([...left.keys(), ...right.keys()])) {
      if (found.length >= FILES_MOST) return;
      const [one, two] = [left.get(name), right.get(name)];
      if (one?.id === two?.id && one?.mode === two?.mode) continue;
      const isFolder = (entry: TreeEntry | undefined) => entry?.mode === "40000";
      if ((one && !isFolder(one)) || (two && !isFolder(two))) found.push(prefix + name);
      const [inner, outer] = [isFolder(one) ? one!.id : null, isFolder(two) ? two!.id : null];
      compare(inner, outer, `${prefix}${name}/`, depth + 1);
    }
  }
  function entries(id: string | null): Map<string, TreeEntry> {
    if (id === null) return new Map();
    if ((trees += 1) > TREES_MOST) throw new Error("a commit has too many folders");
    const bytes = objects.read(id, "tree");
    if (bytes === null) throw new Error(MISSING);
    return treeEntries(bytes, id.length / 2);
  }
  compare(before, now, "", 0);
  return found;
}

interface TreeEntry {
  mode: string;
  id: string;
}

function treeEntries(bytes: Buffer, hashBytes: number): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < bytes.length; ) {
    const [blank, end] = [bytes.indexOf(32, at), bytes.indexOf(0, at)];
    if (blank < 0 || end < blank || end + hashBytes >= bytes.length) throw new Error("a tree is damaged");
    const id = bytes.toString("hex", end + 1, end + 1 + hashBytes);
    entries.set(bytes.toString("utf8", blank + 1, end), { mode: bytes.toString("latin1", at, blank), id });
    at = end + 1 + hashBytes;
  }
  return entries;
}
