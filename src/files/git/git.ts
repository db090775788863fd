/**
 * Reads a repository from git's own files. Git itself is never run.
 *
 * A worktree's `.git` is a file that points to its directory, whose `commondir` points to the repository; all of them
 * share one identity. Everything read here is untrusted text.
 */
import { closeSync, existsSync, lstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Whereabouts } from "../../memory/open-space.ts";
import { COMMIT_ID } from "../../sessions/session.ts";
import type { Clock } from "../../world.ts";

export interface Repository extends Whereabouts {
  /** The folder with this checkout's HEAD; null outside git. */
  gitFolder: string | null;
  /** The folder with the files: a worktree has its own, though it shares the repository's memory. */
  checkout: string;
  /** Whether `.git` leads to a folder that does not name this checkout, so that nothing is read there. */
  isUnconfirmed?: boolean;
}

export function readRepository(folder: string): Repository {
  const { top, found } = locate(folder);
  if (!found) {
    const alone = { key: top, root: top, remote: null, firstCommit: null, gitFolder: null, checkout: top };
    return { ...alone, ...(existsSync(join(top, ".git")) && { isUnconfirmed: true }) };
  }
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

const POINTER_BYTES = 4_096;
const CONFIG_BYTES = 1_000_000;
const FRESH_MS = 1_000;

/** Reads it at most once a second: many memories may be stored at once. */
export function freshly<T>(read: () => T, clock: Clock): () => T {
  let kept: { value: T; at: number } | null = null;
  return () => {
    const now = clock.now();
    if (kept === null || now - kept.at >= FRESH_MS || now < kept.at) kept = { value: read(), at: now };
    return kept.value;
  };
}

/** The checked-out branch, or null if HEAD is detached or unreadable. */
export function readBranch(gitFolder: string | null): string | null {
  if (!gitFolder) return null;
  const branch = /^ref: refs\/heads\/(.{1,250})$/m.exec(read(join(gitFolder, "HEAD")) ?? "")?.[1]?.trim();
  // Where branches are not kept in files, HEAD names one that git does not allow.
  return branch && REF.test(`refs/heads/${branch}`) ? branch : null;
}

/** The branch and the newest commit that are checked out in a folder, from a few small files: no object is read. */
export function readHead(folder: string): { branch: string | null; commit: string | null } {
  const { found } = locate(folder);
  return { branch: readBranch(found?.gitFolder ?? null), commit: headCommit(found) };
}

/** What git allows as a name, so that it leads to no other folder. */
const REF = /^refs\/(?!.*(?:\.\.|\/\/|\/\.))[^\p{Cc} ~^:?*[\\]{1,1000}$/u;
/** A worktree has these of its own. */
const OWN_REF = /^refs\/(?:bisect|worktree|rewritten)\//;
const PACKED_BYTES = 32_000_000;
const LINKS_MOST = 5;

/** The commit that HEAD leads to; null if there is none yet, or it is not kept in files. */
export const headCommit = (folders: GitFolders | null): string | null => folders && followHead(folders).commit;

/** Why no commit is found from HEAD on; null if there is none yet. */
export const headFault = (folders: GitFolders): string | null => followHead(folders).fault();

/** Hooks want no more than the commit, and to find a fault takes long where there are many branches. */
function followHead({ gitFolder, common }: GitFolders): { commit: string | null; fault(): string | null } {
  const fault = (what: string) => `its ${what} is damaged`;
  const damaged = (what: string) => ({ commit: null, fault: () => fault(what) });
  let [what, text] = ["HEAD", read(join(gitFolder, "HEAD"))];
  for (let link = 0; link <= LINKS_MOST; link += 1) {
    const [line] = (text ?? "").split("\n", 1) as [string];
    if (COMMIT_ID.test(line.trim())) return { commit: line.trim(), fault: () => null };
    const name = /^ref:[ \t]*(\S+)/.exec(line)?.[1] ?? "";
    if (!REF.test(name)) return damaged(what);
    const path = join(OWN_REF.test(name) ? gitFolder : common, name);
    [what, text] = ["branch", read(path) || packedRef(name, common)];
    if (text !== null) continue;
    // What is there but no file, such as a pipe, holds no commit either.
    if (existsSync(path)) return damaged(what);
    return { commit: null, fault: () => (isSoundPacked(common) ? null : fault("packed-refs")) };
  }
  return damaged(what);
}

const PACKED_LINE = /^(?:#.*|\^?[0-9a-f]{40,64}(?: refs\/[^\n]+)?|)$/;
function isSoundPacked(common: string): boolean {
  const path = join(common, "packed-refs");
  const packed = read(path, PACKED_BYTES);
  return packed === null ? !existsSync(path) : packed.split("\n").every((line) => PACKED_LINE.test(line));
}

function packedRef(name: string, common: string): string | null {
  const packed = read(join(common, "packed-refs"), PACKED_BYTES) ?? "";
  const end = packed.indexOf(` ${name}\n`);
  return end < 0 ? null : packed.slice(packed.lastIndexOf("\n", end) + 1, end);
}

/** How a repository keeps what it has. */
export function storageOf(common: string): { refs: string; hashBytes: number; isPartial: boolean } {
  const config = read(join(common, "config"), CONFIG_BYTES) ?? "";
  const valueOf = (name: string) =>
    new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*(\\S+)`, "im").exec(config)?.[1]?.toLowerCase();
  return {
    refs: valueOf("refstorage") ?? "files",
    hashBytes: valueOf("objectformat") === "sha256" ? 32 : 20,
    isPartial: valueOf("partialclone") !== undefined || valueOf("promisor") === "true",
  };
}

function findUp(start: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return null;
  }
}

/** The folder with a checkout's HEAD, and that of the repository, which all worktrees share. */
export interface GitFolders {
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

/** What this clone began with, which moves along with the folder: it identifies the clone, not its history. */
function firstCommitOf(common: string): string | null {
  return /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(read(join(common, "logs", "HEAD")) ?? "")?.[1] ?? null;
}

/** The beginning of a regular file, or null if there is none. A pipe could block forever. */
function read(path: string, limitBytes = POINTER_BYTES): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) return null;
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(Math.min(limitBytes, found.size));
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
