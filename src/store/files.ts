/**
 * Reads and writes data about files that is not in their items: state, references, ranks, and documents found together.
 *
 * None of it is journaled, because indexing the files again restores it. Rows that belong to
 * an item are removed with it by foreign keys in the schema.
 */
import type { LastLook } from "../files/corpus.ts";
import { handleOf } from "../memory/handles.ts";
import { CHANGES, LAST_LOOK, RANKED } from "./care.ts";
import { among, amongTexts, each, greater, isText, table, uniqueBy, upTo } from "./dialect.ts";
import { column, raw, type Room, rows, send, sql, together, value, type Writers } from "./sql.ts";
import type { CorpusReads } from "./store.ts";

const FILE = raw(`path, shelf, item_id as "itemId", reason, bytes, modified_at as "modifiedAt", hash, rules,
  looked_at as "lookedAt"`);
const REFERENCE = raw(`reference join document_item item on item.seq = reference.item_seq and item.status = 'active'`);

export const fileReads: Room<Omit<CorpusReads, "symbols" | "symbolsOf" | "conventionCounts">> = {
  fileStates(which) {
    const condition = !which
      ? raw("true")
      : "shelf" in which
        ? sql`shelf = ${which.shelf}`
        : amongTexts("path", which.paths);
    return rows(sql`select ${FILE} from file where ${condition} order by path`);
  },
  *lastLook() {
    const look = yield* value<string>(sql`select value from fact where key = ${LAST_LOOK}`);
    return look === null ? null : (JSON.parse(look) as LastLook);
  },
  *filesWrittenAfter(time, limit) {
    // Of a file that only got another time, the item is as old as before.
    const updated = (items: string) =>
      sql`select 1 from ${raw(items)} item where item.id = item_id and item.updated_at > cast(${time} as double precision)`;
    const isWritten = sql`modified_at > ${time} and shelf <> 'memory'
      and exists (${updated("document_item")} union all ${updated("code_item")})`;
    const [files, total] = yield* together(
      rows<{ path: string; modifiedAt: number }>(sql`
        select path, modified_at as "modifiedAt" from file where ${isWritten}
        order by modified_at desc, path ${upTo(limit)}`),
      value<number>(sql`select count(*) from file where ${isWritten}`),
    );
    return { files, total: total ?? 0 };
  },
  references: () =>
    rows(sql`
      select item.id as "itemId", item.path, reference.written, reference.target from ${REFERENCE}
      order by reference.item_seq, reference.written`),
  unranked: () =>
    value<number>(sql`
      select cast(value as bigint) from fact
      where key = ${CHANGES} and value is distinct from (select value from fact where key = ${RANKED})`),
  linkedTo: (path) =>
    rows(sql`
      select distinct item.id as "itemId", item.path from ${REFERENCE}
      where ${isText("reference.target", path)} order by item.path`),
  linksFrom: (itemId) =>
    column(sql`
      select distinct target from reference
      where item_seq = (select seq from document_item where id = ${itemId}) and target is not null order by target`),
  foundTogetherWith: (itemId, limit) =>
    rows(sql`
      with own as (select seq from document_item where id = ${itemId}), pair as (
        select second_seq as seq, times, last_at from document_together where first_seq = (select seq from own)
        union all
        select first_seq, times, last_at from document_together where second_seq = (select seq from own)
      )
      select item.id as "itemId", item.path, pair.times, pair.last_at as "lastAt"
      from pair join document_item item on item.seq = pair.seq
      where item.status = 'active' order by pair.times desc, pair.last_at desc, item.id ${upTo(limit)}`),
};

const putFact = (key: string, fact: string) => sql`
  insert into fact (key, value) values (${key}, ${fact}) on conflict (key) do update set value = excluded.value`;

type Kind = "note_files" | "drop_files" | "note_look" | "put_references" | "rank_documents" | "count_together";

export const fileWriters: Writers<Kind> = {
  *note_files({ files }) {
    for (const { path, shelf, itemId, reason, bytes, modifiedAt, hash, rules, lookedAt } of files)
      yield* send(sql`
        insert into file (path, shelf, item_id, reason, bytes, modified_at, hash, rules, looked_at)
        values (${path}, ${shelf}, ${itemId}, ${reason}, ${bytes}, ${modifiedAt}, ${hash}, ${rules}, ${lookedAt})
        on conflict (${uniqueBy("path")}) do update set shelf = excluded.shelf, item_id = excluded.item_id,
          reason = excluded.reason, bytes = excluded.bytes, modified_at = excluded.modified_at, hash = excluded.hash,
          rules = excluded.rules, looked_at = excluded.looked_at`);
    return null;
  },
  *drop_files({ paths }) {
    yield* send(sql`delete from file where ${amongTexts("path", paths)}`);
    return null;
  },
  *note_look({ at, checkout, changes }) {
    yield* send(putFact(LAST_LOOK, JSON.stringify({ at, checkout, changes })));
    return null;
  },
  *put_references({ itemId, written }) {
    const seq = yield* value<number>(sql`select seq from document_item where id = ${itemId}`);
    if (seq === null) return `document ${handleOf(itemId)} is gone`;
    yield* send(
      // Remaining references keep their targets until the next ranking.
      sql`delete from reference where item_seq = ${seq} and not written ${among(written)}`,
      sql`insert into reference (item_seq, written)
      select cast(${seq} as bigint), value from ${each([...new Set(written)], "given")} where true on conflict do nothing`,
      sql`insert into fact (key, value) values (${CHANGES}, '1')
      on conflict (key) do update set value = cast(cast(fact.value as bigint) + 1 as text)`,
    );
    return null;
  },
  *rank_documents({ ranks, links, upTo: last }) {
    const ranked = table(
      "ranked",
      { id: "text", rank: "double precision" },
      ranks.map(({ id, rank }) => [id, rank]),
    );
    const linked = table(
      "linked",
      { id: "text", written: "text", target: "text" },
      links.map(({ itemId, written, target }) => [itemId, written, target]),
    );
    yield* send(
      sql`delete from document_rank`,
      sql`insert into document_rank (item_seq, rank)
      select item.seq, ranked.rank from ${ranked} join document_item item on item.id = ranked.id`,
      sql`update reference set target = linked.target from ${linked} join document_item item on item.id = linked.id
      where reference.item_seq = item.seq and reference.written = linked.written`,
      putFact(RANKED, String(last)),
    );
    return null;
  },
  *count_together({ ids, at }) {
    // Materialized, because joining the whole table with itself would read it for every pair.
    yield* send(sql`
      with found as materialized (select seq from document_item where id ${among(ids)})
      insert into document_together (first_seq, second_seq, times, last_at)
      select one.seq, other.seq, 1, cast(${at} as bigint) from found one join found other on one.seq < other.seq
      where true
      on conflict (first_seq, second_seq) do update
      set times = document_together.times + 1,
        last_at = ${greater(raw("document_together.last_at"), raw("excluded.last_at"))}`);
    return null;
  },
};
