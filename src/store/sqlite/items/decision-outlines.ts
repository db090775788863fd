/** Reads outlines of decisions without their text: ids, validity windows, and relations. */
import type { DecisionOutline } from "../../../model/recall/search.ts";
import type { Status } from "../../../model/memory/item.ts";
import type { DecisionReads } from "../../../ports/store/decisions.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

export type DecisionOutlines = Pick<Sync<DecisionReads>, "decisionOutlines" | "decisionsRelatingTo">;

type Row = [string, string | null, Status, number, number | null, number | null, string | null];

export function decisionOutlines(db: Database): DecisionOutlines {
  // As arrays, because one answer may read thousands.
  const all = db
    .prepare<[number], Row>(
      `
      select id, title, status, created_at, valid_from, valid_until, superseded_by
      from decision_item indexed by decision_item_outline where expires_at is null or expires_at > ?`,
    )
    .raw();
  const relatingTo = db
    .prepare<[string], string>(
      `
      select id from decision_item indexed by decision_item_relating
      where json_array_length(details, '$.relates') > 0
        and exists (select 1 from json_each(details, '$.relates') named where named.value = ?)`,
    )
    .pluck();
  return {
    decisionOutlines: (now) => all.all(now).map(outlineOf),
    decisionsRelatingTo: (id) => relatingTo.all(id),
  };
}

const outlineOf = ([id, title, status, createdAt, validFrom, validUntil, supersededBy]: Row): DecisionOutline => ({
  id,
  title,
  status,
  createdAt,
  validFrom,
  validUntil,
  supersededBy,
});
