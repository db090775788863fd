/**
 * The log of items read, how, and for which query. Only the latest entries are kept.
 *
 * What a query found besides is an entry too, or erasing it would leave the query: as shown, with a relevance, which what
 * is remembered again has not. It is not counted.
 */
import type { AccessKind } from "../../journal/change.ts";
import type { Shelf } from "../../memory/shelves.ts";
import type { Database } from "./database.ts";

const LIMIT_ENTRIES = 100_000;

interface Access {
  at: number;
  shelf: Shelf;
  id: string;
  how: AccessKind;
  relevance: number | null;
  query: string | null;
}

interface AccessLog {
  note(access: Access): void;
  noteBesides(access: Omit<Access, "how"> & { relevance: number }): void;
  /** Drops all but the latest entries. */
  trim(): void;
}

export function accessLog(db: Database): AccessLog {
  const statements = {
    insert: db.prepare<[Access]>(`
        insert into access_log (at, shelf, item_id, how, relevance, query)
        values (@at, @shelf, @id, @how, @relevance, @query)`),
    trim: db.prepare<[number]>(`delete from access_log where seq <= (select max(seq) from access_log) - ?`),
  };
  return {
    note: (access) => void statements.insert.run(access),
    noteBesides: (access) => void statements.insert.run({ ...access, how: "shown" }),
    trim: () => void statements.trim.run(LIMIT_ENTRIES),
  };
}
