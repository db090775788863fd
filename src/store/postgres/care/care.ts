/** What maintenance and `inspect` read of the store. */
import type { CareReads } from "../../../ports/store/care.ts";
import type { Database } from "../connection/database.ts";
import { agingReader } from "./aging-reader.ts";
import { maintenanceReader } from "./last-maintenance.ts";
import { recordReader } from "./records.ts";
import { statisticsReader } from "./statistics-reader.ts";

export function careReads(db: Database): CareReads {
  const { clockMarks, redactedBy } = maintenanceReader(db);
  return {
    ...agingReader(db),
    ...recordReader(db),
    statistics: statisticsReader(db),
    clockMarks,
    redactedBy,
    size: async () => ({ bytes: await sizeOf(db), freeBytes: 0 }),
  };
}

/** The bytes of all tables and indexes of the space. The server reuses what is freed, so none of it is free. */
export async function sizeOf(db: Database): Promise<number> {
  const bytes = db.prepareColumn<number>(`
    select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`);
  return (await bytes.get()) ?? 0;
}
