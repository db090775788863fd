/**
 * The files of a project on this machine's disk: walked, read and watched.
 *
 * The root may be named by way of a link; inside of it none is followed. It is looked up anew by every walk, since it
 * may be moved or come back.
 */
import { lstat, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { WalkLimits } from "../model/corpus.ts";
import type { Log, ProjectFiles } from "../ports.ts";
import { readRepository } from "./git.ts";
import { readProjectFile, readSmallText, reasonOf } from "./read-project-file.ts";
import { type RuledWalk, leftOut, walkProject } from "./walk-project.ts";
import type { WatchOptions } from "./watch.ts";

const EXCLUDE_BYTES = 100_000;

/** How it is watched; the system decides what is not said. */
export interface ProjectFilesOptions extends Partial<Pick<WatchOptions, "pace" | "recursive" | "listen">> {
  /** Looks at everything from time to time instead of being told by the system. */
  polling: boolean;
  log: Log;
}

export function createProjectFiles(folder: string, options: ProjectFilesOptions): ProjectFiles {
  const named = resolve(folder);
  let known: string | null = null;

  async function walk(limits: WalkLimits): Promise<RuledWalk> {
    try {
      known = await realpath(named);
    } catch (thrown) {
      return { found: [], skipped: [{ path: ".", reason: reasonOf(thrown) }], unread: [""], rules: new Map() };
    }
    return walkProject(known, await excludeOf(known), limits);
  }

  return {
    async walk(limits) {
      const { found, skipped, unread } = await walk(limits);
      return { found, skipped, unread };
    },
    async leftOut(path, { excludes }) {
      try {
        known ??= await realpath(named);
      } catch (thrown) {
        return reasonOf(thrown);
      }
      return leftOut(known, await excludeOf(known), path, excludes);
    },
    async read(path, limitBytes) {
      try {
        known ??= await realpath(named);
      } catch (thrown) {
        return { path, reason: reasonOf(thrown) };
      }
      return readProjectFile(known, path, limitBytes);
    },
    async watch(limits, onChange) {
      const { PACE, watchProject } = await import("./watch.ts");
      const root = () => known ?? named;
      const recursive = process.platform === "win32" || process.platform === "darwin";
      return watchProject({ pace: PACE, recursive, ...options, root, walk: () => walk(limits), onChange });
    },
  };
}

/** What git leaves out for this clone alone. */
async function excludeOf(root: string): Promise<string> {
  try {
    await lstat(join(root, ".git"));
    const { gitFolder, key } = readRepository(root);
    return (gitFolder && (await readSmallText(key, "info/exclude", EXCLUDE_BYTES))) || "";
  } catch (thrown) {
    // Outside of git, or in a repository that nobody can read: then nothing is excluded.
    reasonOf(thrown);
    return "";
  }
}
