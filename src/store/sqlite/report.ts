/** Reports what a store holds, its size, and how many passages are not embedded yet. */
import { statSync } from "node:fs";
import { type Shelf, SHELVES } from "../../memory/shelves.ts";
import { accessCounts } from "../care.ts";
import { journalReads } from "../journal.ts";
import { embeddable, embedders } from "../queue.ts";
import type { StoreReport } from "../store.ts";
import type { Database } from "./database.ts";
import { driveOn } from "./drive.ts";
import type { ShelfReader } from "./items.ts";
import { version } from "./migrate.ts";

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
