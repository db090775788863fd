/** Reports what a store holds, its size, and how many passages are not embedded yet. */
import { statSync } from "node:fs";
import { SHELVES, type Shelf } from "../../model/memory/shelves.ts";
import type { StoreReport } from "../../ports/store/store.ts";
import type { Database } from "./connection/database.ts";
import { version } from "./connection/migrate.ts";
import { accessCounts } from "../accesses.ts";
import type { ShelfReader } from "./items/shelf-reader.ts";
import { journalReads } from "../journal.ts";
import { driveOn } from "./connection/drive.ts";
import { embeddable, embedders } from "../queue.ts";

export function report(path: string, db: Database, on: (shelf: Shelf) => ShelfReader): StoreReport {
  const drive = driveOn(db);
  return {
    path,
    bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    schema: version(db),
    counts: SHELVES.flatMap((shelf) => on(shelf).counts()),
    embeddable: drive(embeddable()),
    embedders: drive(embedders()),
    journalLength: drive(journalReads.chainHead()).length,
    accesses: drive(accessCounts()),
  };
}
