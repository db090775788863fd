/** Examines the file of a store, whatever its state, without changing it. */
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type Sqlite from "better-sqlite3-multiple-ciphers";
import type { StoreKey } from "../../encryption/store-key.ts";
import { Failure, toFailure } from "../../errors.ts";
import type { LastLook } from "../../files/corpus.ts";
import type { Backup } from "../../maintenance/backup.ts";
import type { Activity, Condition } from "../../maintenance/finding.ts";
import type { Space } from "../../memory/space.ts";
import { LAST_LOOK } from "../care.ts";
import { spaceReads } from "../spaces.ts";
import { isIntact, readBackups, UNFINISHED } from "./backup/backup-folder.ts";
import { privateCopy, refuseSpecial } from "./data-file.ts";
import { BUSY_PATIENCE_MS, codeOf, translate } from "./database.ts";
import { driveOn } from "./drive.ts";
import { examineWhole } from "./file-work.ts";
import { originOf, version } from "./migrate.ts";
import { keyFault, openKeyed, openSqlite } from "./sqlite.ts";

export function sqliteVersion(): string {
  const db = openSqlite(":memory:");
  const found = db.prepare<[], string>(`select sqlite_version()`).pluck().get()!;
  db.close();
  return found;
}

/** `inThread`: never in this thread, however small the file is; for a process that others wait for. */
export async function examineStore(
  path: string,
  key: StoreKey | null = null,
  { inThread = false } = {},
): Promise<Condition> {
  try {
    refuseSpecial(path);
    return await onReadable(path, (file) => examineFile(file, key, inThread));
  } catch (thrown) {
    const locked = isDamage(thrown) ? keyFault(path, key) : null;
    if (locked) return { state: "locked", reason: locked.message };
    if (isDamage(thrown)) return { state: "damaged", problems: [(thrown as Error).message] };
    return { state: "unreadable", reason: toFailure(translate(thrown, path, key)).message };
  }
}

/** The registry, or null when it cannot be read. */
export async function examineSpaces(path: string, key: StoreKey | null = null): Promise<Space[] | null> {
  try {
    refuseSpecial(path);
    return await onReadable(path, async (file) => reading(file, key, (db) => driveOn(db)(spaceReads.spaces())));
  } catch {
    return null;
  }
}

/** Null if the store cannot be read, or is of another version. */
export async function examineActivity(path: string, key: StoreKey | null = null): Promise<Activity | null> {
  try {
    refuseSpecial(path);
    return await onReadable(path, async (file) => reading(file, key, readActivity));
  } catch {
    return null;
  }
}

/** How many entries the journal got after a moment; null if it cannot be read. */
export async function examineWrites(path: string, after: number, key: StoreKey | null = null): Promise<number | null> {
  try {
    refuseSpecial(path);
    return await onReadable(path, async (file) =>
      reading(
        file,
        key,
        (db) => db.prepare<[number], number>(`select count(*) from journal where at > ?`).pluck().get(after)!,
      ),
    );
  } catch {
    return null;
  }
}

/** The leases of a store that end after a moment; none if it cannot be read. */
export async function examineLeases(
  path: string,
  after: number,
  key: StoreKey | null = null,
): Promise<{ name: string; until: number }[]> {
  try {
    refuseSpecial(path);
    return await onReadable(path, async (file) =>
      reading(file, key, (db) =>
        db
          .prepare<
            [number],
            { name: string; until: number }
          >(`select name, until from lease where until > ? order by name`)
          .all(after),
      ),
    );
  } catch {
    return [];
  }
}

const RUNS_READ = 20;

function readActivity(db: Sqlite.Database): Activity {
  const look = db.prepare<[string], string>(`select value from fact where key = ?`).pluck().get(LAST_LOOK);
  return {
    files: db.prepare<[], number>(`select count(*) from file where item_id is not null`).pluck().get()!,
    checkedAt: look === undefined ? null : (JSON.parse(look) as LastLook).at,
    reportedAt: db.prepare<[], number | null>(`select max(at) from event`).pluck().get() ?? null,
    surfaces: db
      .prepare<
        [number],
        Activity["surfaces"][number]
      >(`select at, tokens, ms from surface_run order by seq desc limit ?`)
      .all(RUNS_READ),
  };
}

/** Every backup, newest first, and whether it is still intact. */
export async function examineBackups(folder: string): Promise<{ backup: Backup; isGood: boolean }[]> {
  const found = [];
  for (const backup of await backupsIn(folder)) {
    const files = backup.files.map((file) => isIntact(join(folder, backup.id, file.name), file));
    found.push({ backup, isGood: (await Promise.all(files)).every(Boolean) });
  }
  return found;
}

/** Folders that are not backups and not in progress: without a manifest, or kept by a recovery. */
export async function invalidBackups(folder: string): Promise<string[]> {
  const known = new Set((await backupsIn(folder)).map(({ id }) => id));
  const names = isFolder(folder) ? await readdir(folder) : [];
  return names.filter((name) => !known.has(name) && !name.endsWith(UNFINISHED)).sort();
}

/** Anything other than a folder holds no backups; another check reports it. */
const backupsIn = async (folder: string) => (isFolder(folder) ? readBackups(folder) : []);
const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

async function examineFile(path: string, key: StoreKey | null, inThread: boolean): Promise<Condition> {
  const { schema, origin } = reading(path, key, (db) => ({ schema: version(db), origin: originOf(db) }));
  if (origin !== "known") return { state: origin, schema };
  const { problems, contents } = await examineWhole(path, key, { inThread });
  if (problems.length > 0) return { state: "damaged", problems };
  return { state: "sound", schema, bytes: statSync(path).size, ...(contents ?? { items: 0, circle: null }) };
}

function reading<T>(path: string, key: StoreKey | null, read: (db: Sqlite.Database) => T): T {
  const db = openKeyed(path, key, { readonly: true, fileMustExist: true, timeout: BUSY_PATIENCE_MS });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** Works on the file itself, or on a private copy when SQLite cannot create its lock files next to it. */
async function onReadable<T>(path: string, work: (file: string) => Promise<T>): Promise<T> {
  try {
    return await work(path);
  } catch (thrown) {
    if (!/^SQLITE_(CANTOPEN|READONLY)/.test(codeOf(causeOf(thrown)))) throw thrown;
  }
  const { copy, discard } = privateCopy(path);
  try {
    return await work(copy);
  } finally {
    discard();
  }
}

const causeOf = (thrown: unknown): unknown => (thrown instanceof Failure ? thrown.cause : thrown);
const isDamage = (thrown: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(causeOf(thrown)));
