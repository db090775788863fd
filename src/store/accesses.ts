/** Reads the log of items read, how, and for which query. */
import { ACCESS_KINDS, type AccessKind } from "../model/journal/change.ts";
import type { ItemReads } from "../ports/store/items.ts";
import { among } from "./dialect.ts";
import { type Room, type Steps, column, rows, sql } from "./sql.ts";

/** What a query found besides is an entry too, as shown, with a relevance; it is not counted. */
export function* accessCounts(): Steps<Record<AccessKind, number>> {
  const found = yield* rows<{ how: AccessKind; count: number }>(sql`
    select how, count(*) as count from access_log where not (how = 'shown' and relevance is not null) group by how`);
  const counts = new Map(found.map(({ how, count }) => [how, count]));
  return Object.fromEntries(ACCESS_KINDS.map((how) => [how, counts.get(how) ?? 0])) as Record<AccessKind, number>;
}

export const accessReads: Room<Pick<ItemReads, "queriesFor">> = {
  queriesFor: (ids) =>
    column(sql`select distinct query from access_log where item_id ${among(ids)} and query is not null`),
};
