/**
 * Reads a repository from git's own files. Git itself is never run.
 *
 * A worktree's `.git` is a file that points to its directory, whose `commondir` points to the repository; all of them
 * share one identity. Everything read here is untrusted text.
 */
import { closeSync, existsSync, lstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Whereabouts } from "../logic/memory/locate-space.ts";
import type { Clock, LoggedCommit } from "../ports/world.ts";

export interface Repository extends Whereabouts {
  /** The folder with this checkout's HEAD; null outside git. */
  gitFolder: string | null;
  /** The folder with the files: a worktree has its own, though it shares the repository's memory. */
  checkout: string;
}

export function readRepository(folder: string): Repository {
  const { top, found } = locate(folder);
  if (!found) return { key: top, root: top, remote: null, firstCommit: null, gitFolder: null, checkout: top };
  const { gitFolder, common } = found;
  return {
    key: common,
    root: rootOf(common, top),
    remote: remoteOf(common),
    firstCommit: firstCommitOf(common),
    gitFolder,
    checkout: top,
  };
}

/** The key alone, for hooks: what else identifies a repository is not read. */
export function repositoryKey(folder: string): string {
  const { top, found } = locate(folder);
  return found?.common ?? top;
}

/** Outside git, the folder itself is the top. */
function locate(folder: string): { top: string; found: GitFolders | null } {
  const start = realpathSync(folder);
  const top = findUp(start);
  return top ? { top, found: gitFolderOf(join(top, ".git")) } : { top: start, found: null };
}

/** Enough for the one line needed; a log of every move of HEAD may be huge. */
const POINTER_BYTES = 4_096;
const CONFIG_BYTES = 1_000_000;
const BRANCH_FRESH_MS = 1_000;

/** Reads the branch at most once a second: many memories may be stored at once. */
export function branchReader(gitFolder: string | null, clock: Clock): () => string | null {
  let branch: string | null = null;
  let readAt = -Infinity;
  return () => {
    const now = clock.now();
    if (now - readAt >= BRANCH_FRESH_MS || now < readAt) {
      branch = readBranch(gitFolder);
      readAt = now;
    }
    return branch;
  };
}

/** The checked-out branch, or null if HEAD is detached or unreadable. */
export function readBranch(gitFolder: string | null): string | null {
  if (!gitFolder) return null;
  return /^ref: refs\/heads\/(.{1,250})$/m.exec(read(join(gitFolder, "HEAD")) ?? "")?.[1]?.trim() ?? null;
}

const LOG_BYTES = 256_000;
/** As git writes it: old id, new id, author, seconds, zone, a tab, what moved HEAD, and a subject. */
const LOGGED =
  /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) .{0,500}> (\d{1,12}) [+-]\d{4}\t((commit|merge|pull|cherry-pick|revert)(?:[ (][^:]{0,300})?): (.*)$/;

/** What was committed or taken over in this checkout between two moments, from the end of git's own log; newest last. */
export function readCommits(gitFolder: string | null, from: number, to: number): LoggedCommit[] {
  const log = gitFolder === null ? null : readEnd(join(gitFolder, "logs", "HEAD"), LOG_BYTES);
  return (log ?? "").split("\n").flatMap((line) => {
    const [, id, seconds, action, verb, text] = LOGGED.exec(line) ?? [];
    const at = Number(seconds) * 1_000;
    if (id === undefined || !(at >= from && at <= to)) return [];
    return [{ id, at, isOwn: verb === "commit", subject: verb === "commit" ? text! : `${action}: ${text}` }];
  });
}

function findUp(start: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return null;
  }
}

interface GitFolders {
  gitFolder: string;
  common: string;
}

/**
 * A real folder, or a pointer that its target confirms. A link or an unconfirmed pointer may have come with an archive
 * to gain access to another project's memory; such a folder does not count as a repository.
 */
function gitFolderOf(path: string): GitFolders | null {
  const kind = lstatSync(path);
  if (kind.isDirectory()) return { gitFolder: realpathSync(path), common: realpathSync(path) };
  const target = kind.isFile() ? /^gitdir: (.+)$/m.exec(read(path) ?? "")?.[1]?.trim() : undefined;
  const folder = target ? resolve(dirname(path), target) : null;
  if (!folder || !existsSync(folder)) return null;
  const gitFolder = realpathSync(folder);
  const common = commonOfWorktree(gitFolder, path);
  if (common) return { gitFolder, common };
  return isSubmodule(gitFolder, path) ? { gitFolder, common: gitFolder } : null;
}

/**
 * The repository this is a worktree of, or null. An archive can contain every file of a worktree except the
 * repository's own record of it. So the folder must be among the repository's worktrees and name `path` as its
 * checkout.
 */
function commonOfWorktree(gitFolder: string, path: string): string | null {
  const back = read(join(gitFolder, "gitdir"))?.trim();
  const pointer = read(join(gitFolder, "commondir"))?.trim();
  if (!back || !pointer || !isSame(resolve(gitFolder, back), path)) return null;
  const named = resolve(gitFolder, pointer);
  const common = existsSync(named) ? realpathSync(named) : null;
  if (common === null || dirname(gitFolder) !== join(common, "worktrees")) return null;
  return isRepository(common) ? common : null;
}

/** A folder that merely contains one named `worktrees` is not a repository; git requires the same three things. */
function isRepository(folder: string): boolean {
  const isFolder = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() ?? false;
  return read(join(folder, "HEAD")) !== null && isFolder("objects") && isFolder("refs");
}

/** A submodule's folder names its work tree. It is a project of its own, with its own memory. */
function isSubmodule(gitFolder: string, path: string): boolean {
  // Blanks, not line ends: thousands of empty lines would be tried from each of them.
  const tree = /^[ \t]*worktree[ \t]*=[ \t]*(.+)$/m
    .exec(read(join(gitFolder, "config"), CONFIG_BYTES) ?? "")?.[1]
    ?.trim();
  return tree !== undefined && isSame(resolve(gitFolder, tree), dirname(path));
}

const isSame = (left: string, right: string) => existsSync(left) && realpathSync(left) === realpathSync(right);

/** The main checkout, so that all worktrees have the same root. */
function rootOf(common: string, top: string): string {
  return common.endsWith("/.git") || common.endsWith("\\.git") ? dirname(common) : top;
}

function remoteOf(common: string): string | null {
  const config = read(join(common, "config"), CONFIG_BYTES) ?? "";
  const url = /\[remote "origin"\][^[]*?\burl\s*=\s*(\S+)/.exec(config)?.[1] ?? null;
  // A password in a remote URL must not be kept.
  return url?.replace(/(:\/\/)[^/]*@/, "$1") ?? null;
}

/** The oldest commit in this clone's own log, which moves along with the folder. */
function firstCommitOf(common: string): string | null {
  return /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(read(join(common, "logs", "HEAD")) ?? "")?.[1] ?? null;
}

/** The beginning of a regular file, or null if there is none. A pipe could block forever. */
function read(path: string, limitBytes = POINTER_BYTES): string | null {
  return readFrom(path, () => 0, limitBytes);
}

/** The end of a regular file, or null if there is none. */
function readEnd(path: string, limitBytes: number): string | null {
  return readFrom(path, (size) => Math.max(0, size - limitBytes), limitBytes);
}

function readFrom(path: string, startIn: (size: number) => number, limitBytes: number): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) return null;
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(limitBytes);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, limitBytes, startIn(found.size)));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
