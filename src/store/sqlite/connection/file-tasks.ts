/**
 * Work on a whole file that cannot be split into steps.
 *
 * Compacting rewrites the file without erased data; checking reads every page and compares
 * what must agree. Loads nothing but SQLite, to keep the start of its thread short.
 */
import { statSync } from "node:fs";
import type Sqlite from "better-sqlite3-multiple-ciphers";
import { openSqlite } from "./sqlite.ts";

export interface FileTask {
  task: "compact" | "check";
  path: string;
  shelves: readonly string[];
  /** How long to block while other processes hold the file. */
  timeoutMs: number;
}

export type FileTaskAnswer = { compacted: boolean } | { problems: string[] } | { code: string; message: string };

const PROBLEMS_SHOWN = 20;

export function runTask({ task, path, shelves, timeoutMs }: FileTask): FileTaskAnswer {
  try {
    const db = openSqlite(path, { timeout: timeoutMs, fileMustExist: true, readonly: task === "check" });
    try {
      return task === "compact" ? compact(db, shelves) : { problems: check(db, shelves) };
    } finally {
      db.close();
    }
  } catch (thrown) {
    const { code = "", message } = thrown as Error & { code?: string };
    return { code, message };
  }
}

function compact(db: Sqlite.Database, shelves: readonly string[]): FileTaskAnswer {
  // The keyword index drops the words of deleted rows only when its segments are merged.
  const indexes = [...shelves.map((shelf) => `${shelf}_fts`), "symbol_fts"];
  for (const index of indexes) db.exec(`insert into ${index} (${index}) values ('optimize')`);
  db.exec("vacuum");
  const [{ busy }] = db.pragma("wal_checkpoint(truncate)") as [{ busy: number }];
  return { compacted: busy === 0 };
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
