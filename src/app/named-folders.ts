/** Folders that settings name: notes, which are read, and the daily log, which is written and never read. */
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isInside } from "../files/disk/project-files.ts";
import type { Repository } from "../files/git/git.ts";
import type { Stores, World } from "../world.ts";
import type { Config } from "./config.ts";

/** The stores, which also note what is added in the daily log, if there is one. */
export async function loggedDaily(
  stores: Stores,
  { root, checkout }: Repository,
  {
    config,
    home,
    key,
    clock,
    zone,
    log,
    afterwards,
  }: Pick<World, "clock" | "zone" | "log" | "afterwards"> & {
    config: Config;
    home: string;
    key: object | null;
  },
): Promise<Stores> {
  const { dailyLog, notes } = config;
  if (dailyLog.enabled === "off") return stores;
  if (key !== null) {
    log.warn("the daily log is not written: it would be plain text beside an encrypted memory");
    return stores;
  }
  const { isUnsafe, withDailyLog } = await import("../journal/daily-log.ts");
  const folder = dailyLog.folder === undefined ? join(home, "daily") : resolve(home, fromUserHome(dailyLog.folder));
  const indexed = notes.folder === undefined ? [] : [notesFolder(notes.folder, root).folder];
  if (isUnsafe(realPlace(folder), [root, checkout, ...indexed].map(realPlace))) {
    log.warn(`the daily log is not written: ${folder} is in a project or has to do with the notes folder`);
    return stores;
  }
  const logged = (store: Stores["project"]) => withDailyLog(store, { folder, clock, zone, afterwards });
  return { project: logged(stores.project), global: logged(stores.global) };
}

/** Where a folder really is, or will be: the parts of its path that exist may be links. */
function realPlace(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : join(realPlace(above), basename(folder));
  }
}

/** A shell expands `~`, a settings file does not. */
const fromUserHome = (path: string): string => path.replace(/^~(?=[/\\]|$)/, homedir());

/**
 * Links are resolved, so that one folder has one name. A relative folder
 * inside the project must stay inside: the repository could replace it with a link to anywhere.
 */
export function notesFolder(named: string, root: string): { folder: string; within: string | undefined } {
  const folder = resolve(root, fromUserHome(named));
  const within = isInside(root, folder) && !isAbsolute(named) ? root : undefined;
  const real = isFolder(folder) ? realpathSync(folder) : folder;
  return { folder: within === undefined || isInside(within, real) ? real : folder, within };
}

/** Invalid names, circular links and unreadable places count as no folder. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
