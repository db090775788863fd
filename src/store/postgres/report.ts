/** Reports what a store holds, its size, and how many passages are not embedded yet. */
import { SHELVES, type Shelf } from "../../model/memory/shelves.ts";
import type { ShelfCount, StoreReport } from "../../ports/store/store.ts";
import type { Database } from "./connection/database.ts";
import { versionOf } from "./connection/migrate.ts";
import { accessCounts } from "../accesses.ts";
import type { ShelfReader } from "./items/shelf-reader.ts";
import { journalReads } from "../journal.ts";
import { embeddable, embedders } from "../queue.ts";

/** `place` names the server, the database and the schema. */
export async function report(place: string, db: Database, on: (shelf: Shelf) => ShelfReader): Promise<StoreReport> {
  const counts: ShelfCount[] = [];
  for (const shelf of SHELVES) counts.push(...(await on(shelf).counts()));
  return {
    path: place,
    bytes: await sizeOf(db),
    schema: await versionOf(db),
    counts,
    embeddable: await db.drive(embeddable()),
    embedders: await db.drive(embedders()),
    journalLength: (await db.drive(journalReads.chainHead())).length,
    accesses: await db.drive(accessCounts()),
  };
}

/** The bytes of all tables and indexes of the space. The server reuses what is freed, so none of it is free. */
export async function sizeOf(db: Database): Promise<number> {
  const bytes = db.prepareColumn<number>(`
    select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`);
  return (await bytes.get()) ?? 0;
}
