/** Judges candidates for one new statement and keeps the few worth announcing: contradictions first, nearest first. */
import { KINSHIPS, type Kinship } from "../../../model/memory/similar.ts";
import { decisionReader, prepareStatement } from "../../decisions/opposes-decision.ts";
import { compareStatements, mayBeKin, type Nearness, strengthOf } from "./compare.ts";
import { statementOf } from "./statement.ts";

export interface Older {
  id: string;
  text: string;
  /** Of a decision or proposal; null for a memory. */
  subject: string | null;
  isRatified: boolean;
  /** Alternatives that were rejected for a decision. */
  rejected: readonly string[];
  nearness: Nearness;
}

export interface Newer {
  text: string;
  subject: string | null;
}

export interface Kin {
  id: string;
  kind: Kinship;
  relevance: number;
  reason: string | null;
}

/** Nobody reads more. */
const ANNOUNCED_MOST = 3;

export function rankSimilar(newer: Newer, older: readonly Older[]): Kin[] {
  const statement = statementOf(newer.text);
  const prepared = prepareStatement(newer.text, newer.subject);
  const found = older.flatMap(({ id, text, subject, isRatified, rejected, nearness }): Kin[] => {
    const relevance = Math.round(strengthOf(nearness) * 100) / 100;
    if (subject !== null) {
      const reason = decisionReader({ subject, text, rejected })(prepared);
      const kind = isRatified || statement.change === null ? "contradicts" : "updates";
      return reason === null ? [] : [{ id, kind, relevance, reason }];
    }
    if (!mayBeKin(nearness)) return [];
    const comparison = compareStatements(statementOf(text), statement, nearness);
    return comparison ? [{ id, kind: comparison.kind, relevance, reason: null }] : [];
  });
  const order = (kind: Kinship) => KINSHIPS.indexOf(kind);
  return found
    .sort(
      (one, two) => order(one.kind) - order(two.kind) || two.relevance - one.relevance || (one.id < two.id ? -1 : 1),
    )
    .slice(0, ANNOUNCED_MOST);
}
