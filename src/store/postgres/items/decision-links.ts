/** Writes what a decision refers to: the evidence it rests on, by subject, and the decisions that it lists as related. */
import type { Item } from "../../../model/memory/item.ts";
import type { Database } from "../connection/database.ts";

export interface DecisionLinks {
  write(decision: Item): void;
  drop(id: string): void;
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? [...new Set(value.filter((one): one is string => typeof one === "string"))] : [];

export function decisionLinks(db: Database): DecisionLinks {
  const addEvidence = db.prepare(`
    insert into evidence_link (decision_id, evidence_id, subject) select @id, one, @subject from unnest(@ids::text[]) one`);
  const addRelated = db.prepare(`
    insert into decision_relation (decision_id, related_id) select @id, one from unnest(@ids::text[]) one`);
  const dropEvidence = db.prepare(`delete from evidence_link where decision_id = @id`);
  const dropRelated = db.prepare(`delete from decision_relation where decision_id = @id`);
  return {
    write({ id, title, details }) {
      const { evidence, relates } = details as { evidence?: unknown; relates?: unknown };
      const [behind, related] = [title === null ? [] : textsIn(evidence), textsIn(relates)];
      if (behind.length > 0) addEvidence.send({ id, subject: title, ids: behind });
      if (related.length > 0) addRelated.send({ id, ids: related });
    },
    drop(id) {
      dropEvidence.send({ id });
      dropRelated.send({ id });
    },
  };
}
