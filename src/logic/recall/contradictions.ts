/** Marks hits that oppose a decision in force that was found with them. */
import { identityOf } from "../../model/memory/handle.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { opposesDecision } from "../decisions/opposes-decision.ts";

export function withContradictions(hits: readonly Hit[]): Hit[] {
  const decisions = hits.filter(({ shelf }) => shelf === "decision");
  if (decisions.length === 0) return [...hits];
  return hits.map((hit) => (hit.shelf === "decision" ? hit : { ...hit, contradicts: opposedBy(hit, decisions) }));
}

function opposedBy({ shelf, title, content }: Hit, decisions: readonly Hit[]): Hit["contradicts"] {
  // The title of a proposal is its subject; that of a memory may say anything.
  const [statement, subject] =
    shelf === "proposal" ? [content, title] : [title ? `${title}. ${content}` : content, null];
  return decisions.flatMap((decision) => {
    const why = opposesDecision({ subject: decision.title ?? "", text: decision.content }, statement, subject);
    return why === null ? [] : [{ ...identityOf(decision.id), why }];
  });
}
