/** The log of items read, how, and for which query. Only the latest entries are kept. */
import { ACCESS_KINDS, type AccessKind } from "../../../model/journal/change.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Database } from "../connection/database.ts";

const LIMIT_ENTRIES = 100_000;

export interface Accesses {
  at: number;
  shelf: Shelf;
  query: string | null;
  items: readonly { id: string; how: AccessKind; relevance: number | null }[];
}

export interface AccessLog {
  note(accesses: Accesses): Promise<void>;
  counts(): Promise<Record<AccessKind, number>>;
  /** Queries that found these items. */
  queriesFor(ids: readonly string[]): Promise<string[]>;
}

export function accessLog(db: Database): AccessLog {
  const insert = db.prepare(`
    insert into access_log (at, shelf, item_id, how, relevance, query)
    select @at, @shelf, item_id, how, relevance, @query
    from unnest(@ids::text[], @hows::text[], @relevances::double precision[]) read (item_id, how, relevance)`);
  const trim = db.prepare(`delete from access_log where seq <= (select max(seq) from access_log) - ${LIMIT_ENTRIES}`);
  const counts = db.prepare<{ how: AccessKind; count: number }>(`select how, count(*) from access_log group by how`);
  const queries = db.prepareColumn<string>(
    `select distinct query from access_log where item_id = any (@ids::text[]) and query is not null`,
  );
  return {
    async note({ items, ...shared }) {
      if (items.length === 0) return;
      const [ids, hows] = [items.map(({ id }) => id), items.map(({ how }) => how)];
      await insert.run({ ...shared, ids, hows, relevances: items.map(({ relevance }) => relevance) });
      await trim.run();
    },
    async counts() {
      const found = new Map((await counts.all()).map(({ how, count }) => [how, count]));
      return Object.fromEntries(ACCESS_KINDS.map((how) => [how, found.get(how) ?? 0])) as Record<AccessKind, number>;
    },
    queriesFor: (ids) => queries.all({ ids }),
  };
}
