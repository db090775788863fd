/** Reads which evidence decisions rest on, without reading the decisions. */
import type { DecisionReads } from "../../../ports/store/decisions.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";
import { filterClause, filterParameters } from "./filter.ts";
import { type OutlineRow, outlineColumns, toOutline } from "./item-row.ts";

export type EvidenceLinks = Pick<Sync<DecisionReads>, "subjectsOfEvidence" | "evidenceAbout">;

export function evidenceLinks(db: Database): EvidenceLinks {
  const subjects = db.prepare<[], string>("select distinct subject from evidence_link").pluck();
  const about = db
    .prepare<[object], [passage: number, ...OutlineRow]>(
      `
    select passage.seq, ${outlineColumns("evidence")}
    from evidence_item item
    join evidence_passage passage on passage.item_seq = item.seq and passage.ordinal = 0
    where item.id in (
      select evidence_id from evidence_link where subject in (select value from json_each(@subjects)))
      and ${filterClause("evidence")}
    order by item.created_at desc, item.id
    limit @limit`,
    )
    .raw();
  return {
    subjectsOfEvidence: () => subjects.all(),
    evidenceAbout: (named, filter, limit) =>
      about
        .all({ ...filterParameters(filter), subjects: JSON.stringify(named), limit })
        .map(([passage, ...row]) => ({ itemId: row[0], item: toOutline(row), passage, score: 1 })),
  };
}
