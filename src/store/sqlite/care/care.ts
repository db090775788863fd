/** What maintenance and `inspect` read of the store. Statements are compiled on first use. */
import { statSync } from "node:fs";
import type { CareReads } from "../../../ports/store/care.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";
import { agingReader } from "./aging-reader.ts";
import { maintenanceReader } from "./last-maintenance.ts";
import { recordReader } from "./records.ts";
import { statisticsReader } from "./statistics-reader.ts";

export function careReads(db: Database, path: string): Sync<CareReads> {
  const { clockMarks, redactedBy } = maintenanceReader(db);
  return {
    ...agingReader(db),
    ...recordReader(db),
    statistics: statisticsReader(db),
    clockMarks,
    redactedBy,
    size() {
      const freePages = db.pragma("freelist_count", { simple: true }) as number;
      const pageBytes = db.pragma("page_size", { simple: true }) as number;
      return { bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0, freeBytes: freePages * pageBytes };
    },
  };
}
