/**
 * Writes a store anew with another key, or with none.
 *
 * The copy has to pass what a backup passes before it is restored, and to hold as many rows as the original in every table.
 */
import { Failure } from "../../../errors.ts";
import type { BackupFile, StoreName } from "../../../model/care/backup.ts";
import type { StoreKey } from "../../../model/care/store-key.ts";
import { rawKey } from "../../../logic/care/store-key.ts";
import { describeCopy, openSnapshot, refuseDamaged } from "../backup/backup-copy.ts";
import { refuseForeignSchema } from "../backup/own-schema.ts";
import { syncFile } from "../connection/data-file.ts";
import { BUSY_PATIENCE_MS, type Database } from "../connection/database.ts";
import { refuseUnknown } from "../connection/migrate.ts";
import { openKeyed } from "../connection/sqlite.ts";

export interface FileConversion {
  store: StoreName;
  from: string;
  fromKey: StoreKey | null;
  to: string;
  toKey: StoreKey | null;
}

const LEFT = "Nothing was changed. `stele doctor` examines the file.";

export async function convertFile(conversion: FileConversion): Promise<BackupFile> {
  const { store, from, fromKey, to, toKey } = conversion;
  const snapshot = await openSnapshot(from, fromKey);
  try {
    await snapshot.copyTo(to, () => undefined);
  } finally {
    snapshot.close();
  }
  rekey(to, fromKey, toKey);
  await syncFile(to);
  reading(to, toKey, (db) => {
    refuseUnknown(db);
    refuseForeignSchema(db, store, from, LEFT);
  });
  await refuseDamaged({ copy: to, origin: from, key: toKey, hint: LEFT });
  if (reading(from, fromKey, summaryOf) !== reading(to, toKey, summaryOf)) {
    throw new Failure("internal", `The copy of ${from} differs from it.`, LEFT);
  }
  return describeCopy(to, store, toKey);
}

/** Rewrites the copy in place. Nobody else uses it, so it needs no journal, which would be plain text. */
function rekey(path: string, fromKey: StoreKey | null, toKey: StoreKey | null): void {
  const db = openKeyed(path, fromKey, { fileMustExist: true });
  try {
    db.exec("pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory; pragma cipher = 'aegis'");
    db.exec(`pragma rekey = '${toKey === null ? "" : rawKey(toKey)}'`);
  } finally {
    db.close();
  }
}

function reading<T>(path: string, key: StoreKey | null, read: (db: Database) => T): T {
  const db = openKeyed(path, key, { readonly: true, fileMustExist: true, timeout: BUSY_PATIENCE_MS });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** The number of rows of every table, and the end of the journal. */
function summaryOf(db: Database): string {
  const tables = db
    .prepare<[], string>(`select name from sqlite_schema where type = 'table' and rootpage > 0 order by name`)
    .pluck()
    .all();
  const counts = tables.map((table) => [table, db.prepare(`select count(*) from "${table}"`).pluck().get()]);
  const head = db.prepare(`select length, hex(hash) from journal_head`).raw().all();
  return JSON.stringify([counts, head]);
}
