/** Marks memories and proposals that oppose a decision in force that was found with them. */
import { identityOf } from "../../model/memory/handle.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { opposesDecision } from "../decisions/opposes-decision.ts";

export function withContradictions(hits: readonly Hit[], decisions: readonly Hit[]): Hit[] {
  if (decisions.length === 0) return [...hits];
  return hits.map((hit) => (isStatement(hit) ? { ...hit, contradicts: opposedBy(hit, decisions) } : hit));
}

/** An old conversation or a file does not oppose a decision: it says what was, or what is. */
const isStatement = ({ shelf }: Hit): boolean => shelf === "memory" || shelf === "proposal";

function opposedBy({ shelf, title, content }: Hit, decisions: readonly Hit[]): Hit["contradicts"] {
  // The title of a proposal is its subject; that of a memory may say anything.
  const [statement, subject] =
    shelf === "proposal" ? [content, title] : [title ? `${title}. ${content}` : content, null];
  return decisions.flatMap((decision) => {
    const why = opposesDecision({ subject: decision.title ?? "", text: decision.content }, statement, subject);
    return why === null ? [] : [{ ...identityOf(decision.id), why }];
  });
}
