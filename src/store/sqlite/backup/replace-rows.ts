/**
 * Replaces all rows of an encrypted store with those of a copy, within the transaction that its caller has begun.
 *
 * SQLite's own backup refuses encrypted files. Both have the newest schema, so table by table is enough; the tables of the keyword
 * indexes are copied like all others. Triggers and foreign keys would repeat what the rows say already: the caller has turned foreign
 * keys off, and there are no triggers meanwhile.
 */
import type { StoreKey } from "../../../model/care/store-key.ts";
import { rawKey } from "../../../logic/care/store-key.ts";
import type { Database } from "../connection/sqlite.ts";

interface SchemaObject {
  name: string;
  sql: string;
}

export function replaceRows(live: Database, copy: string, key: StoreKey): void {
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
function tablesIn(live: Database): string[] {
  const names = live
    .prepare<[], string>(`select name from sqlite_schema where type = 'table' and rootpage > 0 order by name`)
    .pluck()
    .all();
  return [...names.filter((name) => name !== "sqlite_sequence"), "sqlite_sequence"];
}
