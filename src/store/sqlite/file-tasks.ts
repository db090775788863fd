/**
 * Work on a whole file that cannot be split into steps.
 *
 * Compacting rewrites the file without erased data; checking reads every page and compares
 * what must agree; copying writes an encrypted file anew, because SQLite's own backup refuses it. Loads no library but SQLite,
 * to keep the start of its thread short.
 */
import { statSync } from "node:fs";
import type Sqlite from "better-sqlite3-multiple-ciphers";
import type { StoreKey } from "../../encryption/store-key.ts";
import type { Circle } from "../../maintenance/finding.ts";
import type { Shelf } from "../../memory/shelves.ts";
import { circles } from "../../memory/succession.ts";
import { openKeyed } from "./sqlite.ts";

/** What an intact store holds, as far as a check is concerned: how many items, and whether some replace each other in a circle. */
interface Contents {
  items: number;
  circle: Circle | null;
}

const contentsOf = (db: Sqlite.Database, shelves: readonly Shelf[]): Contents => ({
  items: countItems(db, shelves),
  circle: firstCircle(db, shelves),
});

function countItems(db: Sqlite.Database, shelves: readonly Shelf[]): number {
  const counts = shelves.map((shelf) => db.prepare<[], number>(`select count(*) from ${shelf}_item`).pluck().get()!);
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Only a store written by an older version can have one. */
function firstCircle(db: Sqlite.Database, shelves: readonly Shelf[]): Circle | null {
  for (const shelf of shelves) {
    const rows = db
      .prepare<
        [],
        { id: string; next: string; at: number }
      >(`select id, superseded_by as next, updated_at as at from ${shelf}_item where superseded_by is not null`)
      .all();
    const nextOf = new Map(rows.map((row) => [row.id, row]));
    const { replace } = circles();
    const closing = rows.find(({ id, next }) => !replace(id, next));
    if (!closing) continue;
    const circle = [closing];
    for (let at = nextOf.get(closing.next); at && at !== closing; at = nextOf.get(at.next)) circle.push(at);
    const newest = circle.reduce((one, two) => (two.at > one.at ? two : one));
    const call = db
      .prepare<[string], string>(`select call from journal where item_id = ? order by seq desc limit 1`)
      .pluck()
      .get(newest.id);
    return { shelf, ids: circle.map(({ id }) => id), call: call ?? null };
  }
  return null;
}

export interface FileTask {
  task: "compact" | "check" | "examine" | "copy";
  path: string;
  key: StoreKey | null;
  /** Of a copy: an empty file. */
  target?: string | undefined;
  shelves: readonly Shelf[];
  /** How long to block while other processes hold the file. */
  timeoutMs: number;
}

export interface Examined {
  problems: string[];
  /** Null unless it was asked for and the file is intact and holds a schema. */
  contents: Contents | null;
}

export type FileTaskAnswer = { compacted: boolean } | { copied: true } | Examined | { code: string; message: string };

const PROBLEMS_SHOWN = 20;

/** Runs in a thread of its own, so it may block. */
export function runTask(order: FileTask): FileTaskAnswer {
  return answering(order, (db) => {
    if (order.task === "check") return { problems: check(db, order.shelves), contents: null };
    if (order.task === "examine") return examine(db, order.shelves);
    if (order.task === "copy") return copy(db, order);
    const { step } = compaction(db, order);
    for (;;) {
      const done = step();
      if (done !== null) return done;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
    }
  });
}

function answering(order: FileTask, work: (db: Sqlite.Database) => FileTaskAnswer): FileTaskAnswer {
  try {
    const db = openTask(order);
    try {
      return work(db);
    } finally {
      db.close();
    }
  } catch (thrown) {
    return faultOf(thrown);
  }
}

export const openTask = ({ task, path, key, timeoutMs }: FileTask): Sqlite.Database =>
  openKeyed(path, key, {
    timeout: task === "compact" ? ATTEMPT_MS : timeoutMs,
    fileMustExist: true,
    readonly: task !== "compact",
  });

function copy(db: Sqlite.Database, { target }: FileTask): FileTaskAnswer {
  db.prepare("vacuum into ?").run(target);
  return { copied: true };
}

export function faultOf(thrown: unknown): FileTaskAnswer {
  const { code = "", message } = thrown as Error & { code?: string };
  return { code, message };
}

/** Writers wait longer between their attempts, so whoever looks this often gets the next turn. */
export const LOOK_AGAIN_MS = 2;
/** Not zero: truncating the log keeps writers out while it waits for readers, who are then gone soon. */
const ATTEMPT_MS = 50;

interface Compaction {
  /** Does what can be done now. Null while other processes hold the file; then it is called again shortly. */
  step(): FileTaskAnswer | null;
}

/**
 * Rewrites the file in three parts, each of which needs the lock once. A part that is done is not repeated when the next
 * one has to wait: among many writers nothing would ever be finished otherwise.
 */
export function compaction(db: Sqlite.Database, { shelves, timeoutMs }: FileTask): Compaction {
  // The keyword index drops the words of deleted rows only when its segments are merged.
  const indexes = [...shelves.map((shelf) => `${shelf}_fts`), "symbol_fts"];
  const merging = indexes.map((index) => `insert into ${index} (${index}) values ('optimize');`).join("\n");
  const isTruncated = () => {
    const [{ busy }] = db.pragma("wal_checkpoint(truncate)") as [{ busy: number }];
    return busy === 0;
  };
  const parts = [
    () => (db.exec(`begin immediate; ${merging} commit`), true),
    () => (db.exec("vacuum"), true),
    isTruncated,
  ];
  let at = 0;
  let waitingSince: number | null = null;
  return {
    step() {
      while (at < parts.length) {
        if (!unlessBusy(db, parts[at]!)) {
          waitingSince ??= Date.now();
          return Date.now() - waitingSince >= timeoutMs ? { compacted: false } : null;
        }
        at += 1;
        waitingSince = null;
      }
      return { compacted: true };
    },
  };
}

function unlessBusy(db: Sqlite.Database, work: () => boolean): boolean {
  try {
    return work();
  } catch (thrown) {
    if (db.inTransaction) db.exec("rollback");
    if (/^SQLITE_(BUSY|LOCKED)/.test(String((thrown as { code?: string }).code))) return false;
    throw thrown;
  }
}

function examine(db: Sqlite.Database, shelves: readonly Shelf[]): Examined {
  const problems = check(db, shelves);
  const isFilled = problems.length === 0 && db.pragma("user_version", { simple: true }) !== 0;
  return { problems, contents: isFilled ? contentsOf(db, shelves) : null };
}

function check(db: Sqlite.Database, shelves: readonly string[]): string[] {
  // Tables and indexes against each other, and each keyword index against itself.
  const rows = db.pragma(`integrity_check(${PROBLEMS_SHOWN})`) as { integrity_check: string }[];
  const found = rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
  if (found.length > 0 || db.pragma("user_version", { simple: true }) === 0) return found;
  const orphans = db.pragma("foreign_key_check") as { table: string }[];
  return [
    ...(endsInPage(db) ? ["the file ends in the middle of a page"] : []),
    ...orphans.slice(0, PROBLEMS_SHOWN).map(({ table }) => `a row of ${table} refers to a missing row`),
    ...shelves
      .filter((shelf) => isUnindexed(db, shelf))
      .map((shelf) => `the keyword index of ${shelf} does not match its passages`),
    ...(isChainComplete(db)
      ? []
      : ["the journal does not match its head; `stele audit --verify` shows what is missing"]),
  ];
}

/** Whether the file ends in the middle of a page, with no log to replay the write that a power failure interrupted. */
export function endsInPage(db: Sqlite.Database): boolean {
  const pageBytes = db.pragma("page_size", { simple: true }) as number;
  return sizeOf(db.name) % pageBytes !== 0 && sizeOf(`${db.name}-wal`) === 0;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function isUnindexed(db: Sqlite.Database, shelf: string): boolean {
  const count = (table: string) => db.prepare<[], number>(`select count(*) from ${table}`).pluck().get();
  return count(`${shelf}_passage`) !== count(`${shelf}_fts_docsize`);
}

function isChainComplete(db: Sqlite.Database): boolean {
  const agrees = db.prepare<[], number>(`
    select count(journal.seq) = head.length and coalesce(max(journal.seq), 0) = head.length
      and coalesce((select last.hash from journal last where last.seq = head.length), zeroblob(32)) = head.hash
    from journal_head head left join journal on true where head.one = 1`);
  return agrees.pluck().get() === 1;
}
