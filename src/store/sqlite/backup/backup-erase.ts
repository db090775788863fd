/**
 * Erases items from backups.
 *
 * A cleaned copy is written next to the old one, the manifest switches to it in one step, and
 * the old one is removed: a manifest never lists a file that does not exist. Files that cannot
 * be cleaned (damaged copies, kept originals, other processes' work) are reported, never skipped.
 */
import { randomBytes } from "node:crypto";
import { copyFileSync, constants, createReadStream } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { contentHash } from "../../../logic/text/content-hash.ts";
import type { Backup, BackupFile, StoreName } from "../../../model/care/backup.ts";
import { SHELVES } from "../../../model/memory/shelves.ts";
import type { Clock } from "../../../ports/world.ts";
import { describeCopy, makeSingle } from "./backup-copy.ts";
import { UNFINISHED, isIntact, readBackups, writeManifest } from "./backup-folder.ts";
import { refuseSpecial } from "../connection/data-file.ts";
import { openSqliteStore } from "../store.ts";
import { openSqlite } from "../connection/sqlite.ts";

export interface Erasure {
  ids: readonly string[];
  queries: readonly string[];
  /** Only report what would remain. */
  dryRun?: boolean;
}

/** Longer than any copy takes; older files were abandoned. */
const ABANDONED_MS = 3_600_000;
const CHUNK_BYTES = 1_048_576;
/** Name prefix of a folder that keeps the files a recovery has replaced. */
export const DAMAGED = "damaged-";

/** Returns the files that may still hold traces. The caller holds the lock, except in a dry run. */
export async function eraseFromBackups(folder: string, erasure: Erasure, clock: Clock): Promise<string[]> {
  const traces: string[] = [];
  for (const backup of await readBackups(folder)) traces.push(...(await eraseFrom(folder, backup, erasure, clock)));
  return [...traces, ...(await othersIn(folder, erasure))];
}

/** Files that cannot be queried are searched for the ids as bytes. */
export async function isInBackups(folder: string, ids: readonly string[]): Promise<boolean> {
  for (const { id, files } of await readBackups(folder)) {
    for (const { name } of files) {
      try {
        if (mentions(join(folder, id, name), { ids, queries: [] })) return true;
      } catch {
        // Damaged, or removed meanwhile.
        if ((await tracesIn(join(folder, id), ids)).length > 0) return true;
      }
    }
  }
  const found = await Promise.all((await unreadableIn(folder)).map((place) => tracesIn(place, ids)));
  return found.flat().length > 0;
}

async function eraseFrom(folder: string, backup: Backup, erasure: Erasure, clock: Clock): Promise<string[]> {
  const place = join(folder, backup.id);
  const traces: string[] = [];
  const files: BackupFile[] = [];
  for (const file of backup.files) {
    const cleaned = await cleanCopy(place, file, erasure, clock).catch(() => null);
    if (!cleaned) traces.push(join(place, file.name));
    files.push(cleaned ?? file);
  }
  if (files.some((file, index) => file !== backup.files[index])) await writeManifest(place, { ...backup, files });
  return [...traces, ...(await dropUnlisted(place, files, { ...erasure, before: backup.files }))];
}

/** The same file when it holds nothing to erase, else its cleaned replacement; null when it cannot be cleaned. */
async function cleanCopy(
  place: string,
  file: BackupFile,
  { ids, queries, dryRun }: Erasure,
  clock: Clock,
): Promise<BackupFile | null> {
  const path = join(place, file.name);
  if (!mentions(path, { ids, queries })) return file;
  // A new checksum would certify the damage as well.
  if (!(await isIntact(path, file))) return null;
  if (dryRun) return file;
  const target = join(place, `${file.store}-${randomBytes(4).toString("hex")}.db`);
  try {
    copyFileSync(path, target, constants.COPYFILE_EXCL);
    if (await isErased(target, { ids, queries, store: file.store, clock })) {
      await makeSingle(target);
      return await describeCopy(target, file.store);
    }
  } catch (thrown) {
    await removeWithLog(target);
    throw thrown;
  }
  await removeWithLog(target);
  return null;
}

async function isErased(
  path: string,
  { ids, queries, store: kind, clock }: Erasure & { store: StoreName; clock: Clock },
): Promise<boolean> {
  const store = await openSqliteStore({ path, kind, clock });
  try {
    const origin = { verb: "purge", host: "stele", session: "", call: "", space: "" };
    await store.apply([{ kind: "purge_items", ids: [...ids], queries: [...queries] }], origin);
    return await store.compact();
  } finally {
    await store.close();
  }
}

async function removeWithLog(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) await rm(path + suffix, { force: true });
}

/** Whether the file holds anything of these items or queries. */
export function mentions(path: string, { ids, queries }: Erasure): boolean {
  refuseSpecial(path);
  const db = openSqlite(path, { readonly: true, fileMustExist: true });
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
      isQuoted("injection", "key")
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
  { before, dryRun }: Erasure & { before: readonly BackupFile[] },
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
 * A damaged file cannot be queried, but anything about an item includes its id. Unreadable files are reported, because
 * nobody knows what they hold.
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
    const isHeld = await holdsAny(path, needles).catch(() => null);
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
