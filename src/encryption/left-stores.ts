/**
 * Stores that nobody uses any more: what a command that was killed has built or not yet removed.
 *
 * They may be plain text beside an encrypted memory, so they are looked for wherever one is opened. Nothing counts as left behind
 * unless the record proves it: without one, or with one that names no existing folder, a finished folder may be the memory itself.
 */
import { lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { Failure } from "../errors.ts";
import { type EncryptionRecord, STORES_FOLDER } from "./record.ts";

/** Name suffix of a folder that is being built. */
const UNFINISHED = ".tmp";
/** The parts of a data folder that was never encrypted. */
const PARTS = ["global.db", "global.db-wal", "global.db-shm", "global.db-journal", "spaces", "backups"];

export function leftStores(home: string, record: EncryptionRecord | null): string[] {
  const names = namesIn(home);
  const unfinished = names.filter((name) => name.endsWith(UNFINISHED) && STORES_FOLDER.test(name.slice(0, -4)));
  const within = (name: string) => join(home, name);
  if (record === null) return unfinished.map(within);
  if (!names.includes(record.folder)) return [];
  const others = names.filter((name) => STORES_FOLDER.test(name) && name !== record.folder);
  return [...storesBeside(home), ...[...unfinished, ...others].map(within)];
}

/** What has to go when the stores are elsewhere. */
export const storesBeside = (home: string): string[] => PARTS.map((name) => join(home, name)).filter(isThere);

/** Removing a link leaves what it leads to, so the former stores would stay readable where nobody looks for them. */
export function refuseLinks(home: string, record: EncryptionRecord | null): void {
  const within = record === null ? home : join(home, record.folder);
  const parts = PARTS.map((name) => join(within, name));
  const link = [...leftStores(home, record), ...(record === null ? [] : [within]), ...parts].find(isLink);
  if (link === undefined) return;
  const hint =
    "Put what it leads to in its place. The data folder itself may be a link, or STELE_HOME name another place.";
  throw new Failure("invalid_input", `${link} is a link: what it leads to would stay as it is.`, hint);
}

/** Returns those that could not be removed: some systems keep files that are open. */
export function removeStores(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    try {
      rmSync(path, { recursive: true, force: true });
      return false;
    } catch {
      return true;
    }
  });
}

/** A record and its folder belong together: beginning an empty memory in place of either would hide that it was lost. */
export function refuseHalf(home: string, record: EncryptionRecord | null): void {
  if (record !== null) {
    if (isThere(join(home, record.folder))) return;
    throw new Failure("unavailable", `${join(home, record.folder)} is missing: the memory was there.`, PUT_BACK);
  }
  if (isThere(join(home, "global.db"))) return;
  const [folder] = namesIn(home).filter((name) => STORES_FOLDER.test(name));
  if (folder === undefined) return;
  const missing = join(home, "encryption.json");
  throw new Failure("unavailable", `${missing} is missing, but the stores in ${folder} need it.`, PUT_BACK);
}

const PUT_BACK = "Put it back from a copy of the data folder. Nothing was changed.";

const isThere = (path: string): boolean => look(path) !== undefined;
const isLink = (path: string): boolean => look(path)?.isSymbolicLink() === true;

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Whoever cannot look into the data folder is told so when they open a store there.
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes((thrown as NodeJS.ErrnoException).code ?? "")) return [];
    throw thrown;
  }
}
