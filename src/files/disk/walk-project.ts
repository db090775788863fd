/**
 * Walks a project level by level, so that files near the root are found before any limit is reached.
 *
 * Ignored folders are not entered and links are not followed, so the walk cannot leave the project or loop. An
 * unreadable folder is reported, and the rest continues.
 */
import { type Dirent, lstatSync, type Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FoundFile, Walk, WalkLimits } from "../corpus.ts";
import { shelfOf } from "../languages.ts";
import {
  GONE,
  isNeverEntered,
  LINK,
  nameFault,
  NOT_REGULAR,
  reasonByName,
  shownPath,
  tooLarge,
} from "../skip-rules.ts";
import {
  createIgnoreRules,
  GIT_IGNORE,
  type IgnoreRules,
  type IgnoreText,
  inside,
  leavesOutFile,
  leavesOutFolder,
  type OuterRules,
  OWN_IGNORE,
  type Ruling,
} from "./ignore-rules.ts";
import { readWhole, reasonOf, staysInside } from "./read-project-file.ts";

export const IGNORE_FILE_BYTES = 1_000_000;
/** Nobody nests folders so deeply; very long paths make rules slow. */
const DEEPEST = 50;
/** Concurrently. */
const FOLDERS = 16;
const STATS = 64;
/** Names examined per file that may be found. */
const NAMES_PER_FILE = 20;
const SLICE_MS = 8;

interface Folder {
  path: string;
  rules: IgnoreRules;
}

interface Listing extends Folder {
  entries: Dirent[];
}

interface Round extends Walk {
  rules: Map<string, IgnoreRules>;
  limits: WalkLimits;
  namesLeft: number;
  /** Set once a limit is reached. */
  isFull: boolean;
  /** Set once the disk proves slow. */
  isSlow: boolean;
  pauseIfDue: () => Promise<void> | undefined;
}

export interface RuledWalk extends Walk {
  /** The folders that were entered, with the rules that apply in each. */
  rules: ReadonlyMap<string, IgnoreRules>;
}

/** `root` is a real path. */
export async function walkProject(
  root: string,
  outer: Pick<OuterRules, "exclude" | "except">,
  limits: WalkLimits,
): Promise<RuledWalk> {
  const round: Round = {
    found: [],
    skipped: [],
    unread: [],
    rules: new Map(),
    limits,
    namesLeft: NAMES_PER_FILE * limits.files,
    isFull: false,
    isSlow: false,
    pauseIfDue: yielder(),
  };
  const top = await createIgnoreRules({ ...outer, settings: limits.excludes });
  const isOpen = mayEnter("", top, round);
  if (!isOpen) round.rules.set("", top.rules);
  let level: Folder[] = isOpen ? [{ path: "", rules: top.rules }] : [];
  for (let depth = 0; level.length > 0 && !round.isFull; depth += 1) {
    level = await walkLevel(root, level, round);
    if (depth < DEEPEST) continue;
    for (const { path } of level) round.skipped.push({ path, reason: `more than ${DEEPEST} folders deep` });
    break;
  }
  const byPath = (left: { path: string }, right: { path: string }) => compare(left.path, right.path);
  const { found, skipped, unread, rules } = round;
  return { found: found.sort(byPath), skipped: skipped.sort(byPath), unread: unread.sort(compare), rules };
}

/** Lists these folders; returns their subfolders. */
async function walkLevel(root: string, level: readonly Folder[], round: Round): Promise<Folder[]> {
  const next: Folder[] = [];
  for (let start = 0; start < level.length && !round.isFull; start += FOLDERS) {
    const part = level.slice(start, start + FOLDERS);
    const listings = await Promise.all(part.map((folder) => list(root, folder, round)));
    const candidates: string[] = [];
    for (const listing of listings) if (listing) await sift(listing, { next, candidates }, round);
    await take(root, candidates, round);
  }
  return next;
}

/** Why a walk would not include this path, or null: checks the rules of each folder on the way. */
export async function leftOut(root: string, outer: OuterRules, path: string): Promise<string | null> {
  // No walk gets there, and reading it reports the reason.
  if (!staysInside(path)) return null;
  const parts = path.split("/");
  let { rules, fault } = await createIgnoreRules(outer);
  for (const [depth, name] of parts.entries()) {
    const folder = parts.slice(0, depth).join("/");
    const [git, own] = await Promise.all([GIT_IGNORE, OWN_IGNORE].map((file) => ignoreText(root, folder, file)));
    if (fault === null) ({ rules, fault } = rules.within(folder, { git: git ?? null, own: own ?? null }));
    if (fault !== null) return fault;
    const isFolder = depth < parts.length - 1;
    // Some disks do not distinguish .GIT from .git.
    if (isNeverEntered(name.toLowerCase())) return `nothing in ${name} is`;
    if (rules.ignores(inside(folder, name), isFolder)) return "ignored";
  }
  return reasonByName(parts.at(-1) ?? "");
}

export async function ignoreText(root: string, folder: string, name: string): Promise<IgnoreText> {
  const whole = await readWhole(root, inside(folder, name), IGNORE_FILE_BYTES);
  return "reason" in whole && whole.reason === GONE ? null : whole;
}

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** The entries of a folder by name, and the rules that apply there. */
async function list(root: string, { path, rules }: Folder, round: Round): Promise<Listing | null> {
  try {
    const entries = await readdir(join(root, path), { withFileTypes: true });
    const textOf = async (name: string): Promise<IgnoreText> => {
      const isThere = entries.some((entry) => entry.name === name && !entry.isDirectory());
      return isThere ? ignoreText(root, path, name) : null;
    };
    const [git, own] = await Promise.all([textOf(GIT_IGNORE), textOf(OWN_IGNORE)]);
    const ruling = rules.within(path, { git, own });
    round.rules.set(path, ruling.rules);
    return mayEnter(path, ruling, round) ? { path, rules: ruling.rules, entries } : null;
  } catch (thrown) {
    const reason = reasonOf(thrown);
    // A folder that was just removed took its files along; the project itself is expected back.
    if (reason === GONE && path !== "") return null;
    leaveUnread(path, reason, round);
    return null;
  }
}

/** Reports rules that were left out; returns whether the folder may be entered. */
function mayEnter(path: string, { fault, warnings }: Ruling, round: Round): boolean {
  round.skipped.push(...warnings.map((file) => ({ ...file, path: shownPath(file.path) })));
  if (fault !== null) leaveUnread(path, fault, round);
  return fault === null;
}

function leaveUnread(path: string, reason: string, { unread, skipped }: Round): void {
  unread.push(path);
  skipped.push({ path: shownPath(path) || ".", reason });
}

/** Filters by name alone. */
async function sift(
  { path: folder, rules, entries }: Listing,
  { next, candidates }: { next: Folder[]; candidates: string[] },
  round: Round,
): Promise<void> {
  entries.sort((left, right) => compare(left.name, right.name));
  for (const entry of entries) {
    const pause = round.pauseIfDue();
    if (pause) await pause;
    const path = inside(folder, entry.name);
    if ((round.namesLeft -= 1) < 0) return fill(round, path, "too many names");
    const isFolder = entry.isDirectory();
    if (isFolder ? leavesOutFolder(rules, path, entry.name) : leavesOutFile(rules, path, entry.name)) continue;
    if (!isFolder && isUnwanted(path, round.limits)) continue;
    const reason = reasonByEntry(entry);
    if (reason) round.skipped.push({ path: shownPath(path), reason });
    else if (isFolder) next.push({ path, rules });
    else candidates.push(path);
  }
}

/** Whether the settings exclude files of this kind. */
export const isUnwanted = (path: string, { code }: Pick<WalkLimits, "code">): boolean =>
  code === "off" && shelfOf(path) === "code";

function reasonByEntry(entry: Dirent): string | null {
  if (entry.isSymbolicLink()) return LINK;
  if (entry.isDirectory()) return nameFault(entry.name);
  return entry.isFile() ? reasonByName(entry.name) : NOT_REGULAR;
}

async function take(root: string, candidates: readonly string[], round: Round): Promise<void> {
  const { limits, found, skipped } = round;
  for (let start = 0; start < candidates.length; start += STATS) {
    const pause = round.pauseIfDue();
    if (pause) await pause;
    const part = candidates.slice(start, start + STATS);
    const looks = await lookAll(root, part, round);
    for (const [index, path] of part.entries()) {
      const outcome = looks[index];
      if (!outcome) continue;
      // A file that cannot be read is not known to be gone.
      if (typeof outcome === "string") leaveUnread(path, outcome, round);
      else if (outcome.bytes > limits.fileBytes) skipped.push({ path, reason: tooLarge(limits.fileBytes) });
      else if (found.length >= limits.files) return fill(round, path, `more than ${limits.files} files`);
      else found.push(outcome);
    }
  }
}

/** A file's current state, a reason to skip it, or null if it is gone. */
type Look = FoundFile | string | null;

/**
 * The system has just listed these names and mostly answers from memory: synchronous calls are three times as fast as
 * waiting for a thread. Once the disk proves slow, threads take over.
 */
async function lookAll(root: string, paths: readonly string[], round: Round): Promise<Look[]> {
  const startedAt = performance.now();
  const looks: Look[] = [];
  for (const path of round.isSlow ? [] : paths) {
    looks.push(lookNow(root, path));
    round.isSlow = performance.now() - startedAt > SLICE_MS;
    if (round.isSlow) break;
  }
  const others = paths.slice(looks.length).map((path) => lookLater(root, path));
  return others.length > 0 ? [...looks, ...(await Promise.all(others))] : looks;
}

function lookNow(root: string, path: string): Look {
  try {
    const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
    return stats ? lookOf(path, stats) : null;
  } catch (thrown) {
    return reasonOf(thrown);
  }
}

async function lookLater(root: string, path: string): Promise<Look> {
  try {
    return lookOf(path, await lstat(join(root, path)));
  } catch (thrown) {
    const reason = reasonOf(thrown);
    return reason === GONE ? null : reason;
  }
}

function lookOf(path: string, stats: Stats): Look {
  return stats.isFile() ? { path, bytes: stats.size, modifiedAt: stats.mtimeMs } : NOT_REGULAR;
}

function fill(round: Round, path: string, what: string): void {
  if (!round.isFull) round.skipped.push({ path, reason: `${what}: this one and all further ones are skipped` });
  round.isFull = true;
}

/** Yields to other work after each slice. */
function yielder(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        last = performance.now();
        resolve();
      });
    });
  };
}
