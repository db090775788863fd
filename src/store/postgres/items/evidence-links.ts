/** Reads which evidence decisions rest on, without reading the decisions. */
import type { DecisionReads } from "../../../ports/store/decisions.ts";
import type { Database } from "../connection/database.ts";
import { filterClause, filterParameters } from "./filter.ts";
import { type OutlineRow, outlineColumns, toOutline } from "./item-row.ts";

export function evidenceLinks(db: Database): Pick<DecisionReads, "subjectsOfEvidence" | "evidenceAbout"> {
  const subjects = db.prepareColumn<string>("select distinct subject from evidence_link order by subject");
  const about = db.prepareRaw<[passage: number, ...OutlineRow]>(`
    select passage.seq, ${outlineColumns("evidence")}
    from evidence_item item
    join evidence_passage passage on passage.item_seq = item.seq and passage.ordinal = 0
    where item.id in (
      select evidence_id from evidence_link
      where md5(subject) in (select md5(one) from unnest(@subjects::text[]) one) and subject = any (@subjects))
      and ${filterClause("evidence")}
    order by item.created_at desc, item.id
    limit @limit`);
  return {
    subjectsOfEvidence: () => subjects.all(),
    async evidenceAbout(named, filter, limit) {
      const rows = await about.all({ ...filterParameters(filter), subjects: named, limit });
      return rows.map(([passage, ...row]) => ({ itemId: row[0], item: toOutline(row), passage, score: 1 }));
    },
  };
}
