/** Reads outlines of decisions without their text, which evidence they rest on, and what of it is or may be archived. */
import type { Status } from "../memory/item.ts";
import type { DecisionOutline } from "../recall/search.ts";
import { among, amongTexts, hint, upTo } from "./dialect.ts";
import { outline, passes } from "./filter.ts";
import { type OutlineRow, toOutline } from "./item-row.ts";
import { allOf, arrays, column, either, raw, type Room, rows, sql, value } from "./sql.ts";
import type { AgedEvidence, DecisionReads } from "./store.ts";

type Row = [string, string | null, Status, number, number | null, number | null, string | null];

const outlineOf = ([id, title, status, createdAt, validFrom, validUntil, supersededBy]: Row): DecisionOutline => ({
  id,
  title,
  status,
  createdAt,
  validFrom,
  validUntil,
  supersededBy,
});

const EVIDENCE_OUTLINE = outline("evidence");

export const decisionReads: Room<DecisionReads> = {
  *decisionOutlines(now) {
    // As arrays, because one answer may read thousands.
    const found = yield* arrays<Row>(sql`
      select id, title, status, created_at, valid_from, valid_until, superseded_by
      from decision_item ${hint("indexed by decision_item_outline")} where expires_at is null or expires_at > ${now}
      ${either(raw(""), raw("order by id"))}`);
    return found.map(outlineOf);
  },
  decisionsRelatingTo: (id) =>
    column(
      either(
        sql`select id from decision_item indexed by decision_item_relating
        where json_array_length(details, '$.relates') > 0
          and exists (select 1 from json_each(details, '$.relates') named where named.value = ${id})`,
        sql`select decision_id from decision_relation where related_id = ${id} order by decision_id`,
      ),
    ),
  subjectsOfEvidence: () => column(sql`select distinct subject from evidence_link order by subject`),
  *evidenceAbout(subjects, filter, limit) {
    const found = yield* arrays<[passage: number, ...OutlineRow]>(sql`
      select passage.seq, ${EVIDENCE_OUTLINE}
      from evidence_item item
      join evidence_passage passage on passage.item_seq = item.seq and passage.ordinal = 0
      where item.id in (select evidence_id from evidence_link where ${amongTexts("subject", subjects)})
        and ${passes("evidence", filter)}
      order by item.created_at desc, item.id ${upTo(limit)}`);
    return found.map(([passage, ...row]) => ({ itemId: row[0], item: toOutline(row), passage, score: 1 }));
  },
  agedEvidence: (before, { after, limit }) =>
    rows<AgedEvidence>(sql`
      select id, updated_at as "updatedAt", octet_length(content) as bytes
      from evidence_item ${hint("indexed by evidence_item_kept")}
      where ${allOf([
        sql`status = 'active' and updated_at < ${before}`,
        after !== null && sql`(updated_at, id) > (${after.updatedAt}, ${after.id})`,
      ])} order by updated_at, id ${upTo(limit)}`),
  archivedEvidence: (filter, { after, limit }) =>
    column(sql`
      select item.id from evidence_item item ${hint("indexed by evidence_item_archived")}
      where ${allOf([
        raw("item.status = 'archived'"),
        after !== null && sql`item.id < ${after}`,
        passes("evidence", filter),
      ])} order by item.id desc ${upTo(limit)}`),
  *archivedBytes(ids) {
    return (yield* value<number>(sql`
      select coalesce(sum(octet_length(archive.packed)), 0) from evidence_item item
      join evidence_archive archive on archive.seq = item.seq where item.id ${among(ids)}`))!;
  },
};
