/**
 * The files of a project on this machine's disk: walked, read and watched.
 *
 * The root may be named by way of a link; inside of it none is followed. It is looked up anew by every walk, since it
 * may be moved or come back. One that must stay inside another folder is refused as soon as a link leads it out.
 */
import { realpathSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { GONE, LEADS_OUT } from "../../logic/corpus/skip-rules.ts";
import type { WalkLimits } from "../../model/corpus/corpus.ts";
import type { ProjectFiles } from "../../ports/project-files.ts";
import type { Log } from "../../ports/world.ts";
import { readRepository } from "../git.ts";
import type { IgnoreText } from "./ignore-rules.ts";
import { readProjectFile, readWhole, reasonOf } from "./read-project-file.ts";
import { IGNORE_FILE_BYTES, type RuledWalk, isUnwanted, leftOut, walkProject } from "./walk-project.ts";
import type { WatchOptions } from "./watch.ts";

/** How it is watched; the system decides what is not said. */
export interface ProjectFilesOptions extends Partial<Pick<WatchOptions, "pace" | "recursive" | "listen">> {
  /** Looks at everything from time to time instead of being told by the system. */
  polling: boolean;
  /** So long after its last change a burst is over. */
  debounceMs?: number;
  /** Folders that are left out wherever they lie, by absolute paths: what is written with every look is no news. */
  except?: readonly string[];
  /** The folder that the root must not leave, wherever links lead. */
  within?: string | undefined;
  log: Log;
}

export function createProjectFiles(folder: string, options: ProjectFilesOptions): ProjectFiles {
  const named = resolve(folder);
  let known: string | null = null;

  /** Where the root really lies, or why nothing in it may be read. */
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
        ...{ pace: paceOf(options.debounceMs), recursive, rulesIn: rulesElsewhere(named), ...options, onChange },
        ...{ root: () => known ?? named, walk: () => walk(limits) },
        isUnwanted: (path) => isUnwanted(path, limits),
      });
    },
  };
}

/** Where git keeps what it leaves out for this clone alone. */
function rulesElsewhere(root: string): string[] {
  try {
    const { gitFolder, checkout, key } = readRepository(root);
    return gitFolder && checkout === realpathSync(root) ? [join(key, "info")] : [];
  } catch (thrown) {
    // A project that is away has no rules yet; they are read when it is back.
    reasonOf(thrown);
    return [];
  }
}

/** What git leaves out for this clone alone. The file is git's, and may lie behind a link of git's. */
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

/** As paths inside of the project; those that lie elsewhere are of no concern. */
async function foldersIn(root: string, folders: readonly string[]): Promise<string[]> {
  const paths = await Promise.all(folders.map(realPathOf));
  return paths
    .filter((path) => path !== root && isInside(root, path))
    .map((path) => relative(root, path).replaceAll(sep, "/"));
}

/** Whether `path` is `folder` or lies in it; both are real paths. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== ".." && !isAbsolute(way);
}

async function realPathOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (thrown) {
    // One that cannot be looked up, or is not there yet, has no other name.
    reasonOf(thrown);
    return resolve(folder);
  }
}
