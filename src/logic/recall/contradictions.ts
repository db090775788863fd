/** Marks hits that oppose a decision in force that was found with them. */
import { identityOf } from "../../model/memory/handle.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { opposesDecision } from "../decisions/opposes-decision.ts";

export function withContradictions(hits: readonly Hit[]): Hit[] {
  const decisions = hits.filter(({ shelf }) => shelf === "decision");
  if (decisions.length === 0) return [...hits];
  return hits.map((hit) => (hit.shelf === "decision" ? hit : { ...hit, contradicts: opposedBy(hit, decisions) }));
}

function opposedBy({ title, content }: Hit, decisions: readonly Hit[]): Hit["contradicts"] {
  const statement = title ? `${title}: ${content}` : content;
  return decisions.flatMap(({ id, title: subject, content: text }) => {
    const why = opposesDecision({ subject: subject ?? "", text }, statement);
    return why === null ? [] : [{ ...identityOf(id), why }];
  });
}
