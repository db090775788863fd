/**
 * Project files on the local disk: walked, read and watched.
 *
 * The root may be given through a link; inside it no links are followed. Every walk resolves it again, since it may be
 * moved or come back. A root that must stay inside another folder is refused as soon as a link leads it out.
 */
import { realpathSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import type { Committable } from "../../maintenance/doctor-rules.ts";
import type { NoteFiles, ProjectFiles } from "../../ports.ts";
import type { Log } from "../../world.ts";
import type { Walk, WalkLimits } from "../corpus.ts";
import { readRepository } from "../git/git.ts";
import { GONE, LEADS_OUT } from "../skip-rules.ts";
import { createIgnoreRules, GIT_IGNORE, type IgnoreText, inside, isIgnoreFile } from "./ignore-rules.ts";
import { readProjectFile, readWhole, reasonOf } from "./read-project-file.ts";
import { IGNORE_FILE_BYTES, ignoreText, isUnwanted, leftOut, type RuledWalk, walkProject } from "./walk-project.ts";
import type { WatchOptions } from "./watch.ts";

/** How to watch; the system decides what is not given. */
export interface ProjectFilesOptions extends Partial<Pick<WatchOptions, "pace" | "recursive" | "listen">> {
  /** Polls instead of relying on the system's notifications. */
  polling: boolean;
  /** Pause after which a burst of changes is over. */
  debounceMs?: number;
  /** Folders to leave out, as absolute paths: files written on every check are not changes. */
  except?: readonly string[];
  /** The folder that the root must stay in, wherever links lead. */
  within?: string | undefined;
  log: Log;
}

export function createProjectFiles(folder: string, options: ProjectFilesOptions): ProjectFiles {
  const named = resolve(folder);
  let known: string | null = null;

  /** The real path of the root, or why nothing in it may be read. */
  async function locate(): Promise<{ root: string } | { reason: string }> {
    try {
      const root = await realpath(named);
      const bounds = options.within === undefined ? root : await realpath(options.within);
      known = isInside(bounds, root) ? root : null;
      return known === null ? { reason: LEADS_OUT } : { root };
    } catch (thrown) {
      return { reason: reasonOf(thrown) };
    }
  }

  async function walk(limits: WalkLimits): Promise<RuledWalk> {
    const located = await locate();
    if ("root" in located) return walkProject(located.root, await outerRules(located.root), limits);
    return { found: [], skipped: [{ path: ".", reason: located.reason }], unread: [""], rules: new Map() };
  }

  const outerRules = async (root: string) => ({
    exclude: await excludeOf(root),
    except: await foldersIn(root, options.except ?? []),
  });

  return {
    async walk(limits) {
      const { found, skipped, unread } = await walk(limits);
      return { found, skipped, unread };
    },
    async leftOut(path, { excludes }) {
      const located = known === null ? await locate() : { root: known };
      if ("reason" in located) return located.reason;
      return leftOut(located.root, { ...(await outerRules(located.root)), settings: excludes }, path);
    },
    async read(path, limitBytes, since) {
      const located = known === null ? await locate() : { root: known };
      if ("reason" in located) return { path, reason: located.reason };
      return readProjectFile(located.root, path, limitBytes, since);
    },
    async watch(limits, onChange) {
      const { paceOf, watchProject } = await import("./watch.ts");
      const recursive = process.platform === "win32" || process.platform === "darwin";
      return watchProject({
        pace: paceOf(options.debounceMs),
        recursive,
        rulesIn: rulesElsewhere(named),
        ...options,
        onChange,
        root: () => known ?? named,
        walk: () => walk(limits),
        isUnwanted: (path) => isUnwanted(path, limits),
      });
    },
  };
}

/** Where git keeps the ignore rules of this clone alone. */
function rulesElsewhere(root: string): string[] {
  try {
    const { gitFolder, checkout, key } = readRepository(root);
    return gitFolder && checkout === realpathSync(root) ? [join(key, "info")] : [];
  } catch (thrown) {
    // An unavailable project has no rules yet; they are read when it is back.
    reasonOf(thrown);
    return [];
  }
}

/** The ignore rules of this clone alone. The file is git's, and may be behind a link of git's. */
async function excludeOf(root: string): Promise<IgnoreText> {
  try {
    await lstat(join(root, ".git"));
    const { gitFolder, key } = readRepository(root);
    if (!gitFolder) return null;
    const file = await realpath(join(key, "info", "exclude"));
    return await readWhole(dirname(file), basename(file), IGNORE_FILE_BYTES);
  } catch (thrown) {
    const reason = reasonOf(thrown);
    return reason === GONE ? null : { reason };
  }
}

/** As paths relative to the project; folders elsewhere do not matter. */
async function foldersIn(root: string, folders: readonly string[]): Promise<string[]> {
  const paths = await Promise.all(folders.map(realPathOf));
  return paths
    .filter((path) => path !== root && isInside(root, path))
    .map((path) => relative(root, path).replaceAll(sep, "/"));
}

/** Whether `path` is `folder` or inside it; both are real paths. */
export function isInside(folder: string, path: string): boolean {
  const fromFolder = relative(folder, path);
  return fromFolder.split(sep)[0] !== ".." && !isAbsolute(fromFolder);
}

async function realPathOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (thrown) {
    // A folder that cannot be resolved, or does not exist yet, has no other name.
    reasonOf(thrown);
    return resolve(folder);
  }
}

/** One of each kind that holds memories. Somebody may ignore databases, and nothing else. */
const HELD = ["global.db", "spaces/a.db", "spool/a/a.json"];

/** The repository that would commit memories, if the data folder is in one. Git is never run: only its files tell. */
export async function committableIn(folder: string): Promise<Committable | null> {
  const { checkout, gitFolder } = readRepository(folder);
  if (gitFolder === null) return null;
  const path = relative(checkout, realpathSync(folder)).replaceAll(sep, "/");
  const ignored = await Promise.all(HELD.map((name) => isIgnored(checkout, inside(path, name))));
  return ignored.every(Boolean) ? null : { checkout, path };
}

async function isIgnored(checkout: string, path: string): Promise<boolean> {
  const parts = path.split("/");
  if (parts.includes(".git")) return true;
  let { rules, fault } = await createIgnoreRules({ exclude: await excludeOf(checkout), settings: [], except: [] });
  for (const [depth, name] of parts.entries()) {
    const folder = parts.slice(0, depth).join("/");
    const git = await ignoreText(checkout, folder, GIT_IGNORE);
    if (fault === null) ({ rules, fault } = rules.within(folder, { git, own: null }));
    // Rules that cannot be read ignore nothing for certain.
    if (fault !== null) return false;
    if (rules.ignores(inside(folder, name), depth < parts.length - 1)) return true;
  }
  return false;
}

/**
 * A folder of notes: its Markdown files, by absolute paths.
 *
 * It is walked, read and watched like a project; all other files in it are ignored.
 */
const IS_NOTE = /\.(?:md|markdown)$/i;

interface NoteFilesOptions extends ProjectFilesOptions {
  limits: WalkLimits;
}

/** `named` is an absolute path. */
export function createNoteFiles(named: string, { limits, ...options }: NoteFilesOptions): NoteFiles {
  const files = createProjectFiles(named, options);
  const folder = named.replaceAll("\\", "/").replace(/\/+$/, "");
  const whole = (path: string) => (path === "" || path === "." ? folder : `${folder}/${path}`);
  const inside = (path: string) => path.slice(folder.length + 1);
  return {
    folder,
    async walk(): Promise<Walk> {
      const { found, skipped, unread } = await files.walk(limits);
      const matters = (path: string) =>
        IS_NOTE.test(path) || isIgnoreFile(posix.basename(path)) || unread.includes(path === "." ? "" : path);
      return {
        found: found.filter(({ path }) => IS_NOTE.test(path)).map((file) => ({ ...file, path: whole(file.path) })),
        skipped: skipped.filter(({ path }) => matters(path)).map(({ path, reason }) => ({ path: whole(path), reason })),
        unread: unread.map(whole),
      };
    },
    async read(path) {
      const read = await files.read(inside(path), limits.fileBytes);
      return { ...read, path };
    },
    watch: (onChange) => files.watch(limits, onChange),
  };
}
