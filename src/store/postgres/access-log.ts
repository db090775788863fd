/**
 * The log of items read, how, and for which query. Only the latest entries are kept.
 *
 * What a query found besides is an entry too, or erasing it would leave the query: as shown, with a relevance, which what
 * is remembered again has not. It is not counted.
 */
import type { Change } from "../../journal/change.ts";
import type { Shelf } from "../../memory/shelves.ts";
import type { Database } from "./database.ts";

const LIMIT_ENTRIES = 100_000;

type Accesses = Pick<
  Extract<Change, { kind: "touch_items" }>,
  "shelf" | "touches" | "besides" | "query" | "at" | "boost"
>;

interface AccessLog {
  /** Changes what the items themselves say about it, too. Those that are gone are left out. */
  note(accesses: Accesses): void;
}

export function accessLog(db: Database): AccessLog {
  // A missing item may have been erased meanwhile, and the query that found it may reveal its content.
  const note = (shelf: Shelf) =>
    db.prepare(`
      with touch as (
        select * from unnest(@ids::text[], @hows::text[], @relevances::double precision[])
          with ordinality touch (id, how, relevance, place)
      ), beside as (
        select besides.id, besides.relevance, besides.place, item.id is not null as is_there
        from unnest(@besides::text[], @theirs::double precision[]) with ordinality besides (id, relevance, place)
          left join ${shelf}_item item on item.id = besides.id
      ), touched as (
        update ${shelf}_item item
        set accessed_at = greatest(item.accessed_at, @at::bigint), access_count = item.access_count + own.reads,
          confidence = least(1, item.confidence * power(@boost::double precision, own.times))
        from (
          select id, count(*) as times, count(*) filter (where how <> 'shown') as reads from touch group by id
        ) own
        where item.id = own.id returning item.id
      ), asked as (
        select case
          when not exists (select 1 from touch one where one.id not in (select id from touched))
            and not exists (select 1 from beside where not is_there) then @query::text
        end as query
      ), entry as (
        select touch.id, touch.how, touch.relevance, touch.place from touch join touched on touched.id = touch.id
        union all
        select id, 'shown', relevance, cardinality(@ids::text[]) + place from beside where is_there
      )
      insert into access_log (at, shelf, item_id, how, relevance, query)
      select @at, '${shelf}', entry.id, entry.how, entry.relevance, asked.query
      from entry cross join asked order by entry.place`);
  const trim = db.prepare(`delete from access_log where seq <= (select max(seq) from access_log) - ${LIMIT_ENTRIES}`);
  return {
    note({ shelf, touches, besides = [], query, at, boost = 1 }) {
      if (touches.length + besides.length === 0) return;
      const [ids, hows] = [touches.map(({ id }) => id), touches.map(({ how }) => how)];
      const found = { besides: besides.map(({ id }) => id), theirs: besides.map(({ relevance }) => relevance) };
      note(shelf).send({
        at,
        boost,
        query,
        ids,
        hows,
        relevances: touches.map(({ relevance }) => relevance),
        ...found,
      });
      trim.send();
    },
  };
}
