/** Reads records of the journal: changes with the state before and after. Loads schemas. */
import type { ChangeRecord } from "../model/journal/journal.ts";
import type { EdgeShelf } from "../model/memory/edge.ts";
import type { Item } from "../model/memory/item.ts";
import type { Shelf } from "../model/memory/shelves.ts";
import type { JournalQuery } from "../ports/store/journal.ts";
import { among, hint, upTo } from "./dialect.ts";
import { edgeReads } from "./edges.ts";
import { ENTRY } from "./journal.ts";
import { type CurrentRows, type RecordRow, currentIds, recordsOf } from "./rows/journal/journal-records.ts";
import { type Steps, allOf, either, elsewhere, raw, rows, sql, together, value } from "./sql.ts";

/** Only a server knows who wrote an entry. */
const AUTHOR = either(raw(""), raw("entry.role, entry.author,"));
const BY_ITEM = hint("indexed by journal_item");
const LATER = sql`from journal later ${BY_ITEM}
  where later.item_id = entry.item_id and later.seq > entry.seq and later.shelf = entry.shelf
  order by later.seq limit 1`;
const NEXT = either(
  sql`left join journal next on next.seq = (select later.seq ${LATER})`,
  sql`left join lateral (select later.seq, later.kind, later.payload_hash ${LATER}) next on true`,
);
const isKept = (column: string) => raw(`case when ${column} is null then 0 else 1 end`);

/** A page of records, which must be read at one moment with the current items. */
export function* changeRecords(
  { itemIds, calls, verb, shelf: ofShelf, after, before, through }: JournalQuery,
  { limit, offset }: { limit: number; offset: number },
  itemsOn: (shelf: Shelf, ids: readonly string[]) => Item[] | Promise<Item[]>,
): Steps<{ records: ChangeRecord[]; total: number }> {
  // Only what is given, so that an absent condition costs nothing.
  const chosen = sql`from journal entry ${itemIds ? BY_ITEM : raw("")} where ${allOf([
    itemIds && sql`entry.item_id ${among(itemIds)}`,
    calls && sql`entry.call ${among(calls)}`,
    verb !== undefined && sql`entry.verb = ${verb}`,
    ofShelf !== undefined && sql`entry.shelf = ${ofShelf}`,
    after !== undefined && sql`entry.at >= ${after}`,
    before !== undefined && sql`entry.at < ${before}`,
    through !== undefined && sql`entry.seq <= ${through}`,
  ])}`;
  const [found, total] = yield* together(
    // The page is selected first, and the cross join keeps it first, so that only its rows are joined.
    rows<RecordRow>(sql`
      select ${ENTRY}, ${AUTHOR} ${isKept("entry.payload_hash")} as "hasPayload", kept.payload,
        next.kind as "nextKind", ${isKept("next.payload_hash")} as "nextHasPayload", next_kept.payload as "nextPayload",
        case when entry.kind = 'purge_items' then (
          select earlier.kind from journal earlier ${BY_ITEM}
          where earlier.item_id = entry.item_id and earlier.seq < entry.seq and earlier.shelf = entry.shelf
          order by earlier.seq desc limit 1) end as "previousKind"
      from (select entry.seq ${chosen} order by entry.seq desc ${upTo(limit)} offset ${offset}) page
      ${hint("cross")} join journal entry on entry.seq = page.seq
      left join journal_payload kept on kept.seq = entry.seq
      ${NEXT}
      left join journal_payload next_kept on next_kept.seq = next.seq
      order by page.seq desc`),
    value<number>(sql`select count(*) ${chosen}`),
  );
  const current: CurrentRows[] = [];
  for (const { shelf, items, edges } of currentIds(found))
    current.push({
      shelf,
      items: yield* elsewhere(() => itemsOn(shelf, items)),
      edges: edges.length > 0 ? yield* edgeReads.edges(shelf as EdgeShelf, edges) : [],
    });
  return { records: recordsOf(found, current), total: total ?? 0 };
}
