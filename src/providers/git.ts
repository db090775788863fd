/**
 * What git's own files say about a folder. Git itself is never run.
 *
 * A worktree's `.git` is a file that points to its directory, whose `commondir` points to
 * the repository; all of them share one identity. Everything read here is untrusted text.
 */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Whereabouts } from "../logic/locate-space.ts";
import type { Clock } from "../ports.ts";

export interface Repository extends Whereabouts {
  /** Where this checkout's HEAD lies; null outside git. */
  gitFolder: string | null;
}

export function readRepository(folder: string): Repository {
  const start = realpathSync(folder);
  const top = findUp(start);
  if (!top) return { key: start, root: start, remote: null, firstCommit: null, gitFolder: null };
  const gitFolder = gitFolderOf(join(top, ".git"));
  if (!gitFolder) return { key: start, root: start, remote: null, firstCommit: null, gitFolder: null };
  const common = commonFolderOf(gitFolder);
  return {
    key: common,
    root: rootOf(common, top),
    remote: remoteOf(common),
    firstCommit: firstCommitOf(common),
    gitFolder,
  };
}

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

function gitFolderOf(path: string): string | null {
  if (statSync(path).isDirectory()) return realpathSync(path);
  const target = /^gitdir: (.+)$/m.exec(read(path) ?? "")?.[1]?.trim();
  const folder = target ? resolve(dirname(path), target) : null;
  return folder && existsSync(folder) ? realpathSync(folder) : null;
}

function commonFolderOf(gitFolder: string): string {
  const pointer = read(join(gitFolder, "commondir"))?.trim();
  const folder = pointer ? resolve(gitFolder, pointer) : gitFolder;
  return existsSync(folder) ? realpathSync(folder) : gitFolder;
}

/** The main checkout, so that all worktrees name the same root. */
function rootOf(common: string, top: string): string {
  return common.endsWith("/.git") || common.endsWith("\\.git") ? dirname(common) : top;
}

function remoteOf(common: string): string | null {
  const config = read(join(common, "config")) ?? "";
  const url = /\[remote "origin"\][^[]*?\burl\s*=\s*(\S+)/.exec(config)?.[1] ?? null;
  // A password in a remote's address is nobody's business.
  return url?.replace(/(:\/\/)[^/]*@/, "$1") ?? null;
}

/** The oldest commit this clone has seen, from its own log: it moves along with the folder. */
function firstCommitOf(common: string): string | null {
  return /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(read(join(common, "logs", "HEAD")) ?? "")?.[1] ?? null;
}

function read(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.size < 10_000_000 ? readFileSync(path, "utf8") : null;
}
