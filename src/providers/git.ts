/**
 * What git's own files say about a folder. Git itself is never run.
 *
 * A worktree's `.git` is a file that points to its directory, whose `commondir` points to
 * the repository; all of them share one identity. Everything read here is untrusted text.
 */
import { closeSync, existsSync, lstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Whereabouts } from "../logic/memory/locate-space.ts";
import type { Clock } from "../ports/world.ts";

export interface Repository extends Whereabouts {
  /** Where this checkout's HEAD lies; null outside git. */
  gitFolder: string | null;
  /** The folder whose files are meant: of a worktree its own, though its memory is that of the repository. */
  checkout: string;
}

export function readRepository(folder: string): Repository {
  const start = realpathSync(folder);
  const top = findUp(start);
  if (!top) return { key: start, root: start, remote: null, firstCommit: null, gitFolder: null, checkout: start };
  const found = gitFolderOf(join(top, ".git"));
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

/** Enough for the one line that is wanted; a log of every move of HEAD may be huge. */
const POINTER_BYTES = 4_096;
const CONFIG_BYTES = 1_000_000;
const BRANCH_FRESH_MS = 1_000;

/** Reads the branch at most once a second: many memories may come in one breath. */
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

/** The branch checked out, or null when HEAD is detached or unreadable. */
export function readBranch(gitFolder: string | null): string | null {
  if (!gitFolder) return null;
  return /^ref: refs\/heads\/(.{1,250})$/m.exec(read(join(gitFolder, "HEAD")) ?? "")?.[1]?.trim() ?? null;
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
 * A folder of its own, or a pointer that its target confirms. A link, or a pointer that nobody confirms, may have come
 * with an archive to borrow another project's memory; such a folder counts as no repository.
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
 * The repository this is a worktree of, or null. An archive can hold every file of a worktree but one: the repository's
 * own record of it. So the folder must lie among the worktrees that the repository keeps, and name `path` as its checkout.
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

/** A folder that merely holds one named `worktrees` is no repository; git asks for the same three things. */
function isRepository(folder: string): boolean {
  const isFolder = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() ?? false;
  return read(join(folder, "HEAD")) !== null && isFolder("objects") && isFolder("refs");
}

/** A submodule's folder names its work tree. It is a project of its own, so it borrows nobody's memory. */
function isSubmodule(gitFolder: string, path: string): boolean {
  const tree = /^\s*worktree\s*=\s*(.+)$/m.exec(read(join(gitFolder, "config"), CONFIG_BYTES) ?? "")?.[1]?.trim();
  return tree !== undefined && isSame(resolve(gitFolder, tree), dirname(path));
}

const isSame = (left: string, right: string) => existsSync(left) && realpathSync(left) === realpathSync(right);

/** The main checkout, so that all worktrees name the same root. */
function rootOf(common: string, top: string): string {
  return common.endsWith("/.git") || common.endsWith("\\.git") ? dirname(common) : top;
}

function remoteOf(common: string): string | null {
  const config = read(join(common, "config"), CONFIG_BYTES) ?? "";
  const url = /\[remote "origin"\][^[]*?\burl\s*=\s*(\S+)/.exec(config)?.[1] ?? null;
  // A password in a remote's address is nobody's business.
  return url?.replace(/(:\/\/)[^/]*@/, "$1") ?? null;
}

/** The oldest commit this clone has seen, from its own log: it moves along with the folder. */
function firstCommitOf(common: string): string | null {
  return /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(read(join(common, "logs", "HEAD")) ?? "")?.[1] ?? null;
}

/** The beginning of a regular file, or null when there is none to read. A pipe could block for ever. */
function read(path: string, limitBytes = POINTER_BYTES): string | null {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(limitBytes);
      return bytes.toString("utf8", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
