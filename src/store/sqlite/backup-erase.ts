/**
 * Erases items from backups.
 *
 * A copy is cleaned beside the old one, the manifest is moved over to it in one step, and the
 * old one goes: at no time does a manifest vouch for a file that is not there. What cannot be
 * cleaned (damaged copies, kept originals, work of others) is named, never passed over.
 */
import { randomBytes } from "node:crypto";
import { copyFileSync, constants, createReadStream } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { contentHash } from "../../logic/content-hash.ts";
import type { Backup, BackupFile } from "../../model/backup.ts";
import { SHELVES } from "../../model/shelf.ts";
import type { Clock } from "../../ports.ts";
import { describeCopy, makeSingle } from "./backup-copy.ts";
import { UNFINISHED, isIntact, readBackups, writeManifest } from "./backup-folder.ts";
import { refuseSpecial } from "./data-file.ts";
import { openSqliteStore } from "./store.ts";

export interface Erasure {
  ids: readonly string[];
  queries: readonly string[];
}

/** Longer than any copy takes; what is older belongs to nobody. */
const ABANDONED_MS = 3_600_000;
const CHUNK_BYTES = 1_048_576;
/** Begins the name of a folder that keeps what a recovery has replaced. */
export const DAMAGED = "damaged-";

/** Answers the files that may still hold something. */
export async function eraseFromBackups(folder: string, erasure: Erasure, clock: Clock): Promise<string[]> {
  const traces: string[] = [];
  for (const backup of await readBackups(folder)) traces.push(...(await eraseFrom(folder, backup, erasure, clock)));
  return [...traces, ...(await othersIn(folder, erasure))];
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
  await dropUnlisted(place, files);
  return traces;
}

/** The file as it is when there is nothing in it to erase, else what has taken its place. */
async function cleanCopy(
  place: string,
  file: BackupFile,
  { ids, queries }: Erasure,
  clock: Clock,
): Promise<BackupFile | null> {
  const path = join(place, file.name);
  refuseSpecial(path);
  if (!mentions(path, { ids, queries })) return file;
  // A checksum made anew would vouch for damage as well.
  if (!(await isIntact(path, file))) return null;
  const target = join(place, `${file.store}-${randomBytes(4).toString("hex")}.db`);
  copyFileSync(path, target, constants.COPYFILE_EXCL);
  const store = await openSqliteStore({ path: target, kind: file.store, clock });
  try {
    const origin = { verb: "purge", host: "stele", session: "", call: "" };
    await store.apply([{ kind: "purge_items", ids: [...ids], queries: [...queries] }], origin);
    if (!(await store.compact())) return null;
  } finally {
    await store.close();
  }
  makeSingle(target);
  return describeCopy(target, file.store);
}

/** Whether anything of the items or the questions is in the file. */
function mentions(path: string, { ids, queries }: Erasure): boolean {
  const db = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    const isIn = (table: string, column: string, values: readonly string[]) =>
      db
        .prepare(`select 1 from ${table} where ${column} in (select value from json_each(?)) limit 1`)
        .get(JSON.stringify(values)) !== undefined;
    return (
      SHELVES.some((shelf) => isIn(`${shelf}_item`, "id", ids)) ||
      isIn("journal_payload join journal using (seq)", "item_id", ids) ||
      isIn("access_log", "item_id", ids) ||
      isIn("access_log", "query", queries) ||
      isIn("embedding_cache", "text_hash", queries.map(contentHash))
    );
  } finally {
    db.close();
  }
}

/** What the manifest no longer names, or did not come to name. */
async function dropUnlisted(place: string, files: readonly BackupFile[]): Promise<void> {
  const listed = new Set(files.map(({ name }) => name));
  for (const name of await readdir(place)) {
    if (/\.db(-wal|-shm|-journal)?$/.test(name) && !listed.has(name)) await rm(join(place, name));
  }
}

/** Copies that somebody is making just now, and kept originals with a trace; what nobody works on any more goes. */
async function othersIn(folder: string, { ids, queries }: Erasure): Promise<string[]> {
  const traces: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (name.startsWith(DAMAGED)) traces.push(...(await tracesIn(path, [...ids, ...queries])));
    if (!name.endsWith(UNFINISHED)) continue;
    const found = await lstat(path).catch(() => null);
    const isAbandoned = found !== null && Date.now() - found.mtimeMs > ABANDONED_MS;
    if (isAbandoned) await rm(path, { recursive: true, force: true });
    else if (found) traces.push(path);
  }
  return traces;
}

/** A damaged file cannot be asked, but whatever knows an item holds its id. */
async function tracesIn(place: string, texts: readonly string[]): Promise<string[]> {
  const needles = texts.map((text) => Buffer.from(text));
  const overlap = Math.max(...needles.map(({ length }) => length));
  const traces: string[] = [];
  const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of createReadStream(join(place, name), { highWaterMark: CHUNK_BYTES })) {
      const seen = Buffer.concat([rest, chunk as Buffer]);
      if (needles.some((needle) => seen.includes(needle))) {
        traces.push(join(place, name));
        break;
      }
      rest = seen.subarray(-overlap);
    }
  }
  return traces;
}
