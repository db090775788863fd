/**
 * Replaces live stores with copies.
 *
 * A copy is written into the live file as one transaction, so that other processes see all of
 * it or nothing, and none keeps writing to a deleted file. No commit is lost: if another
 * process wrote after the old state was kept, the restore starts over.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, constants, copyFileSync } from "node:fs";
import type Sqlite from "better-sqlite3-multiple-ciphers";
import { rawKey, type StoreKey } from "../../../encryption/store-key.ts";
import { Failure } from "../../../errors.ts";
import type { Backup, BackupFile, StoreName } from "../../../maintenance/backup.ts";
import { SHELVES } from "../../../memory/shelves.ts";
import type { Space } from "../../../memory/space.ts";
import { insertSpace, spaceReads } from "../../spaces.ts";
import { refuseSpecial } from "../data-file.ts";
import { BUSY_TIMEOUT_MS, type Database, waitingUpTo } from "../database.ts";
import { driveOn } from "../drive.ts";
import { migrate, refuseUnknown } from "../migrate.ts";
import { keyFault, type Database as OpenFile, openKeyed } from "../sqlite.ts";
import { type OnPages, PAGES_A_TURN, refuseDamaged, refuseForeignSchema } from "./backup-copy.ts";
import { hasContent, isIntact } from "./backup-folder.ts";

/**
 * Replaces all rows of an encrypted store with those of a copy, within the transaction that its caller has begun.
 *
 * SQLite's own backup refuses encrypted files. Both have the newest schema, so table by table is enough; the tables of the keyword
 * indexes are copied like all others. Triggers and foreign keys would repeat what the rows say already: the caller has turned foreign
 * keys off, and there are no triggers meanwhile.
 */
interface SchemaObject {
  name: string;
  sql: string;
}

function replaceRows(live: OpenFile, copy: string, key: StoreKey): void {
  // A database can be attached within a transaction, but not detached: closing the connection does that.
  live.prepare(`attach ? as restored key ?`).run(copy, rawKey(key));
  const triggers = live.prepare<[], SchemaObject>(`select name, sql from sqlite_schema where type = 'trigger'`).all();
  // Only so may the tables of the keyword indexes be written.
  live.unsafeMode(true);
  for (const { name } of triggers) live.exec(`drop trigger "${name}"`);
  for (const table of tablesIn(live)) {
    live.exec(`delete from main."${table}"`);
    live.exec(`insert into main."${table}" select * from restored."${table}"`);
  }
  for (const { sql } of triggers) live.exec(sql);
  live.unsafeMode(false);
}

/** Tables with rows of their own; the numbering of rows comes last, because inserting moves it. */
function tablesIn(live: OpenFile): string[] {
  const names = live
    .prepare<[], string>(`select name from sqlite_schema where type = 'table' and rootpage > 0 order by name`)
    .pluck()
    .all();
  return [...names.filter((name) => name !== "sqlite_sequence"), "sqlite_sequence"];
}

const ANOTHER = "Restore another backup; `stele restore` lists them.";
const ATTEMPTS = 10;

/** A checked and migrated copy of a backup's file; the backup itself is not changed. */
export async function checkedCopy(
  from: string,
  file: BackupFile,
  { target, key }: { target: string; key: StoreKey | null },
): Promise<void> {
  refuseSpecial(from);
  copyFileSync(from, target, constants.COPYFILE_EXCL);
  chmodSync(target, 0o600);
  await refuseAltered(from, file, { copy: target, key });
  const db = openKeyed(target, key, { fileMustExist: true });
  try {
    db.pragma("synchronous = off");
    refuseUnknown(db);
    refuseForeignSchema(db, file.store, from, ANOTHER);
    migrate(db, file.store);
  } finally {
    db.close();
  }
  await refuseDamaged({ copy: target, origin: from, key, hint: ANOTHER });
}

/** The same checks without copying or migrating. */
export async function refuseUnfit(from: string, file: BackupFile, key: StoreKey | null): Promise<void> {
  refuseSpecial(from);
  await refuseAltered(from, file, { copy: from, key });
  const db = openKeyed(from, key, { readonly: true, fileMustExist: true });
  try {
    refuseUnknown(db);
    refuseForeignSchema(db, file.store, from, ANOTHER);
  } finally {
    db.close();
  }
  await refuseDamaged({ copy: from, origin: from, key, hint: ANOTHER });
}

async function refuseAltered(
  from: string,
  file: BackupFile,
  { copy, key }: { copy: string; key: StoreKey | null },
): Promise<void> {
  if (!hasContent(file)) throw new Failure("unavailable", `${from} is an empty copy.`, ANOTHER);
  const locked = keyFault(copy, key);
  if (locked) throw new Failure(locked.code, locked.message.replace(copy, from), ANOTHER);
  if (await isIntact(copy, file)) return;
  throw new Failure("unavailable", `${from} was altered after the backup: its checksum differs.`, ANOTHER);
}

export interface Placement {
  store: StoreName;
  copy: string;
  live: string;
}

interface PlacingOptions {
  patienceMs: number;
  key: StoreKey | null;
  onPages: OnPages;
  /** Keeps the current state as a backup; called while nobody can write. */
  keep(): Promise<Backup>;
  /** Drops a kept state that is already out of date. */
  discard(kept: Backup): Promise<void>;
}

/** Returns the backup of the previous state. */
export async function putInPlace(placements: readonly Placement[], options: PlacingOptions): Promise<Backup> {
  const { key } = options;
  const gates = placements.map(({ live }) => openKeyed(live, key, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS }));
  try {
    // Within a transaction it is too late for that.
    if (key !== null) for (const gate of gates) gate.pragma("foreign_keys = off");
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const kept = await placeOnce(placements, gates, options);
      if (kept) return kept;
    }
  } finally {
    for (const gate of gates) gate.close();
  }
  throw new Failure(
    "conflict",
    "Other processes keep writing; nothing was restored.",
    "Stop them, then run the command again.",
  );
}

/** Null when another process wrote in between and nothing was replaced. */
async function placeOnce(
  placements: readonly Placement[],
  gates: readonly Database[],
  { patienceMs, key, onPages, keep, discard }: PlacingOptions,
): Promise<Backup | null> {
  let kept: Backup;
  try {
    for (const [index, gate] of gates.entries()) {
      await waitingUpTo(patienceMs, placements[index]!.live, () => gate.exec("begin immediate"), key);
    }
    kept = await keep();
    if (key !== null) {
      replaceAll(placements, gates, key);
      return kept;
    }
    for (const [index, gate] of gates.entries()) {
      if (await place(placements[index]!, gate, onPages)) continue;
      if (index > 0) throw halfWay(placements, index);
      await discard(kept);
      return null;
    }
  } finally {
    for (const gate of gates) if (gate.inTransaction) gate.exec("rollback");
  }
  return kept;
}

/** In encrypted stores, in the transactions that keep others from writing. */
function replaceAll(placements: readonly Placement[], gates: readonly Database[], key: StoreKey): void {
  for (const [index, gate] of gates.entries()) {
    prepareSuccessor(placements[index]!, gate, key);
    replaceRows(gate, placements[index]!.copy, key);
  }
  for (const gate of gates) gate.exec("commit");
}

function halfWay(placements: readonly Placement[], index: number): Failure {
  const [done, left] = [placements.slice(0, index), placements.slice(index)].map((part) =>
    part.map(({ store }) => store).join(", "),
  );
  return new Failure("conflict", `Restored: ${done}. Another process changed ${left} first.`, `Restore ${left} again.`);
}

const OVERTAKEN = Symbol("overtaken");

/** False, with the live file unchanged, when another process wrote first. `gate` holds the lock until the copying starts. */
async function place(placement: Placement, gate: Database, onPages: OnPages): Promise<boolean> {
  const { copy, live } = placement;
  const mark = prepareSuccessor(placement, gate, null);
  const source = openKeyed(copy, null, { readonly: true, fileMustExist: true });
  const seen = dataVersion(gate);
  let isOurs = false;
  const progress = ({ totalPages, remainingPages }: Sqlite.BackupMetadata) => {
    // The first step only takes the lock: from here on nobody else can write.
    if (!isOurs && dataVersion(gate) !== seen) throw OVERTAKEN;
    isOurs = true;
    onPages(totalPages - remainingPages, totalPages);
    return PAGES_A_TURN;
  };
  gate.exec("rollback");
  try {
    await source.backup(live, { progress });
    return markOf(gate) === mark;
  } catch (thrown) {
    if (thrown === OVERTAKEN) return false;
    throw thrown;
  } finally {
    source.close();
  }
}

const dataVersion = (db: Database) => db.pragma("data_version", { simple: true }) as number;

const MARK = "restored";
const SET_FACT = `insert into fact (key, value) values (?, ?) on conflict (key) do update set value = excluded.value`;

const factOf = (db: Database, key: string): string | undefined =>
  db.prepare<[string], string>(`select value from fact where key = ?`).pluck().get(key);
const markOf = (db: Database) => factOf(db, MARK);

/**
 * Prepares the copy to succeed the live file. Processes that have the live file open cache vectors by passage
 * number and load only newer revisions, so numbers and revisions must continue from the live file's. The project
 * registry is taken from the live file, or newer projects would lose their memory. Returns a mark that identifies
 * the copy.
 */
function prepareSuccessor({ copy, store }: Placement, live: Database, key: StoreKey | null): string {
  const mark = randomBytes(8).toString("hex");
  const db = openKeyed(copy, key, { fileMustExist: true });
  try {
    db.pragma("synchronous = off");
    const fit = db.transaction(() => {
      db.prepare(SET_FACT).run(MARK, mark);
      for (const shelf of SHELVES) {
        const key = `vector_revision_${shelf}`;
        const [revision, own] = [Number(factOf(live, key) ?? 0), Number(factOf(db, key) ?? 0)];
        db.prepare(`update ${shelf}_vector_block set revision = revision + ?`).run(revision);
        db.prepare(SET_FACT).run(key, String(revision + own));
        raiseNumber(db, `${shelf}_passage`, lastNumber(live, `${shelf}_passage`));
      }
      if (store === "global") for (const space of driveOn(live)(spaceReads.spaces())) registerIn(db, space);
    });
    fit.immediate();
  } finally {
    db.close();
  }
  return mark;
}

const lastNumber = (db: Database, table: string): number =>
  db.prepare<[string], number>(`select seq from sqlite_sequence where name = ?`).pluck().get(table) ?? 0;

function raiseNumber(db: Database, table: string, least: number): void {
  const raised = db.prepare(`update sqlite_sequence set seq = max(seq, ?) where name = ?`).run(least, table).changes;
  if (raised === 0) db.prepare(`insert into sqlite_sequence (name, seq) values (?, ?)`).run(table, least);
}

function registerIn(db: Database, space: Space): void {
  db.prepare(`delete from space where id = ? or key = ?`).run(space.id, space.key);
  driveOn(db)(insertSpace(space));
}
