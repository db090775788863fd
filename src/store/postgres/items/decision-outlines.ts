/** Reads outlines of decisions without their text: ids, validity windows, and relations. */
import type { DecisionOutline } from "../../../model/recall/search.ts";
import type { DecisionReads } from "../../../ports/store/decisions.ts";
import type { Database } from "../connection/database.ts";

export function decisionOutlines(db: Database): Pick<DecisionReads, "decisionOutlines" | "decisionsRelatingTo"> {
  const all = db.prepare<DecisionOutline>(`
    select id, title, status, created_at as "createdAt", valid_from as "validFrom", valid_until as "validUntil",
      superseded_by as "supersededBy"
    from decision_item where expires_at is null or expires_at > @now order by id`);
  const relatingTo = db.prepareColumn<string>(
    `select decision_id from decision_relation where related_id = @id order by decision_id`,
  );
  return { decisionOutlines: (now) => all.all({ now }), decisionsRelatingTo: (id) => relatingTo.all({ id }) };
}
