/**
 * Erases items from backups.
 *
 * A cleaned copy is written next to the old one, the manifest switches to it in one step, and
 * the old one is removed: a manifest never lists a file that does not exist. Files that cannot
 * be cleaned (damaged copies, kept originals, other processes' work) are reported, never skipped.
 */
import { randomBytes } from "node:crypto";
import { constants, copyFileSync, createReadStream } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { StoreKey } from "../../../encryption/store-key.ts";
import type { Backup, BackupFile, StoreName } from "../../../maintenance/backup.ts";
import { SHELVES } from "../../../memory/shelves.ts";
import { contentHash } from "../../../text/content-hash.ts";
import type { Clock } from "../../../world.ts";
import type { Store } from "../../store.ts";
import { refuseSpecial } from "../data-file.ts";
import { isEncrypted, openKeyed } from "../sqlite.ts";
import { openSqliteStore } from "../store.ts";
import { describeCopy, foreignObject, makeSingle } from "./backup-copy.ts";
import { isIntact, readBackups, UNFINISHED, writeManifest } from "./backup-folder.ts";

/** What is done to every copy. */
interface Rewriting {
  /** Whether a file needs it at all. */
  concerns(path: string): boolean;
  /** Returns whether it changed anything. */
  work(copy: Store, store: StoreName): Promise<boolean>;
  /** Only report what would remain. */
  dryRun?: boolean;
}

export interface Erasure {
  ids: readonly string[];
  queries: readonly string[];
  /** Only report what would remain. */
  dryRun?: boolean;
}

/** What opens the copies. */
interface Opening {
  clock: Clock;
  key: StoreKey | null;
}

/** Longer than any copy takes; older files were abandoned. */
const ABANDONED_MS = 3_600_000;
const CHUNK_BYTES = 1_048_576;
/** Name prefix of a folder that keeps the files a recovery has replaced. */
export const DAMAGED = "damaged-";

/** Returns the files that may still hold traces. The caller holds the lock, except in a dry run. */
export async function eraseFromBackups(folder: string, erasure: Erasure, opening: Opening): Promise<string[]> {
  const { ids, queries, dryRun = false } = erasure;
  const origin = { verb: "purge", host: "stele", session: "", call: "", space: "" };
  const rewriting: Rewriting = {
    concerns: (path) => mentions(path, erasure, opening.key),
    async work(copy) {
      await copy.apply([{ kind: "purge_items", ids: [...ids], queries: [...queries] }], origin);
      return true;
    },
    dryRun,
  };
  return [...(await rewriteEach(folder, rewriting, opening)), ...(await othersIn(folder, erasure))];
}

/** Returns the files that could not be worked on. The caller holds the lock, except in a dry run. */
export async function rewriteBackups(
  folder: string,
  { work, dryRun = false }: Pick<Rewriting, "work" | "dryRun">,
  opening: Opening,
): Promise<string[]> {
  const traces = await rewriteEach(folder, { concerns: () => !dryRun, work, dryRun }, opening);
  // Nobody knows what these hold.
  return [...traces, ...(await unreadableIn(folder))];
}

async function rewriteEach(folder: string, rewriting: Rewriting, opening: Opening): Promise<string[]> {
  const traces: string[] = [];
  for (const backup of await readBackups(folder)) traces.push(...(await rewrite(folder, backup, rewriting, opening)));
  return traces;
}

/** Files that cannot be queried are searched for the ids as bytes. */
export async function isInBackups(folder: string, ids: readonly string[], key: StoreKey | null): Promise<boolean> {
  for (const { id, files } of await readBackups(folder)) {
    for (const { name } of files) {
      try {
        if (mentions(join(folder, id, name), { ids, queries: [] }, key)) return true;
      } catch {
        // Damaged, or removed meanwhile.
        if ((await tracesIn(join(folder, id), ids)).length > 0) return true;
      }
    }
  }
  const found = await Promise.all((await unreadableIn(folder)).map((place) => tracesIn(place, ids)));
  return found.flat().length > 0;
}

async function rewrite(folder: string, backup: Backup, rewriting: Rewriting, opening: Opening): Promise<string[]> {
  const place = join(folder, backup.id);
  const traces: string[] = [];
  const files: BackupFile[] = [];
  for (const file of backup.files) {
    const cleaned = await cleanCopy(place, file, rewriting, opening).catch(() => null);
    if (!cleaned) traces.push(join(place, file.name));
    files.push(cleaned ?? file);
  }
  if (files.some((file, index) => file !== backup.files[index])) await writeManifest(place, { ...backup, files });
  return [...traces, ...(await dropUnlisted(place, files, { ...rewriting, before: backup.files }))];
}

/** The same file when nothing in it changes, else its cleaned replacement; null when it cannot be cleaned. */
async function cleanCopy(
  place: string,
  file: BackupFile,
  { concerns, work, dryRun }: Rewriting,
  opening: Opening,
): Promise<BackupFile | null> {
  const path = join(place, file.name);
  if (!concerns(path)) return file;
  // A trigger of somebody else's could bring back what is erased.
  if (isForeign(path, file.store, opening.key)) return null;
  // A new checksum would certify the damage as well.
  if (!(await isIntact(path, file))) return null;
  if (dryRun) return file;
  const target = join(place, `${file.store}-${randomBytes(4).toString("hex")}.db`);
  try {
    copyFileSync(path, target, constants.COPYFILE_EXCL);
    const outcome = await workedOn(target, { work, store: file.store, ...opening });
    if (outcome === "changed") {
      await makeSingle(target, opening.key);
      return await describeCopy(target, file.store, opening.key);
    }
    await removeWithLog(target);
    return outcome === "unchanged" ? file : null;
  } catch (thrown) {
    await removeWithLog(target);
    throw thrown;
  }
}

async function workedOn(
  path: string,
  { work, store: kind, clock, key }: Pick<Rewriting, "work"> & Opening & { store: StoreName },
): Promise<"changed" | "unchanged" | "held"> {
  const store = await openSqliteStore({ path, kind, clock, key });
  try {
    if (!(await work(store, kind))) return "unchanged";
    return (await store.compact()) ? "changed" : "held";
  } finally {
    await store.close();
  }
}

function isForeign(path: string, store: StoreName, key: StoreKey | null): boolean {
  refuseSpecial(path);
  const db = openKeyed(path, key, { readonly: true, fileMustExist: true });
  try {
    return foreignObject(db, store) !== null;
  } finally {
    db.close();
  }
}

async function removeWithLog(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) await rm(path + suffix, { force: true });
}

/** Whether the file holds anything of these items or queries. */
export function mentions(path: string, { ids, queries }: Erasure, key: StoreKey | null): boolean {
  refuseSpecial(path);
  const db = openKeyed(path, key, { readonly: true, fileMustExist: true });
  try {
    const isIn = (table: string, column: string, values: readonly string[]) =>
      db
        .prepare(`select 1 from ${table} where ${column} in (select value from json_each(?)) limit 1`)
        .get(JSON.stringify(values)) !== undefined;
    // Older files have no such table.
    const isQuoted = (table: string, column: string) =>
      isIn("sqlite_schema", "name", [table]) &&
      ids.some(
        (id) => db.prepare(`select 1 from ${table} where instr(${column}, ?) > 0 limit 1`).get(id) !== undefined,
      );
    return (
      SHELVES.some((shelf) => isIn(`${shelf}_item`, "id", ids)) ||
      isIn("journal_payload join journal using (seq)", "item_id", ids) ||
      isIn("access_log", "item_id", ids) ||
      isIn("access_log", "query", queries) ||
      isIn("embedding_cache", "text_hash", queries.map(contentHash)) ||
      isQuoted("event", "payload") ||
      // The surface of one project shows global memories, which other projects may erase.
      isQuoted("surface", "items") ||
      isQuoted("injection", "key") ||
      isQuoted("handover", "sources")
    );
  } finally {
    db.close();
  }
}

/**
 * Removes files the manifest no longer lists, and files that a dead process never listed. Recent unlisted files may be
 * another machine's work, in case the lock does not hold across machines, so those are reported instead.
 */
async function dropUnlisted(
  place: string,
  files: readonly BackupFile[],
  { before, dryRun = false }: { before: readonly BackupFile[]; dryRun?: boolean },
): Promise<string[]> {
  const [listed, earlier] = [files, before].map((list) => new Set(list.map(({ name }) => name)));
  const traces: string[] = [];
  for (const name of await readdir(place)) {
    const database = /^(.*\.db)(-wal|-shm|-journal)?$/.exec(name)?.[1];
    if (database === undefined || listed!.has(database)) continue;
    const isOurs = earlier!.has(database) || (await isAbandoned(join(place, name)));
    if (!isOurs) traces.push(join(place, name));
    else if (!dryRun) await rm(join(place, name), { force: true });
  }
  return traces;
}

async function isAbandoned(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > ABANDONED_MS;
}

/** Reports copies in progress and kept originals that hold traces; removes abandoned copies. */
async function othersIn(folder: string, { ids, queries, dryRun }: Erasure): Promise<string[]> {
  const traces: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (!name.endsWith(UNFINISHED)) continue;
    if (!(await isAbandoned(path))) traces.push(path);
    else if (!dryRun) await rm(path, { recursive: true, force: true });
  }
  const report = (path: string) => traces.push(path);
  for (const place of await unreadableIn(folder)) traces.push(...(await tracesIn(place, [...ids, ...queries], report)));
  return traces;
}

/** Folders that are not valid backups: kept by a recovery, or with an unreadable manifest. */
async function unreadableIn(folder: string): Promise<string[]> {
  const known = new Set((await readBackups(folder)).map(({ id }) => id));
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !known.has(entry.name) && !entry.name.endsWith(UNFINISHED))
    .map(({ name }) => join(folder, name));
}

/**
 * A damaged file cannot be queried, but anything about an item includes its id. Unreadable and encrypted files are reported,
 * because nobody knows what they hold.
 */
async function tracesIn(
  place: string,
  texts: readonly string[],
  report: (path: string) => void = () => {},
): Promise<string[]> {
  const needles = texts.map((text) => Buffer.from(text));
  const traces: string[] = [];
  const entries = await readdir(place, { withFileTypes: true }).catch(() => null);
  if (!entries) report(place);
  for (const entry of entries ?? []) {
    const path = join(place, entry.name);
    if (entry.isDirectory()) traces.push(...(await tracesIn(path, texts, report)));
    if (!entry.isFile()) continue;
    const isHeld = isEncrypted(path) ? null : await holdsAny(path, needles).catch(() => null);
    if (isHeld === null) report(path);
    else if (isHeld) traces.push(path);
  }
  return traces;
}

async function holdsAny(path: string, needles: readonly Buffer[]): Promise<boolean> {
  const overlap = Math.max(...needles.map(({ length }) => length));
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const seen = Buffer.concat([rest, chunk as Buffer]);
    if (needles.some((needle) => seen.includes(needle))) return true;
    rest = seen.subarray(-overlap);
  }
  return false;
}
