/** Marks memories and proposals that oppose a decision in force that was found with them. */
import { identityOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { type PreparedStatement, decisionReader, prepareStatement } from "../decisions/opposes-decision.ts";
import { wordingOf } from "../decisions/plan-ratify.ts";

export function withContradictions(hits: readonly Hit[], decisions: readonly Item[]): Hit[] {
  const readers = decisions.map((item) => {
    const { subject, decision: text, rejected } = wordingOf(item);
    return { id: item.id, opposes: decisionReader({ subject, text, rejected }) };
  });
  return hits.map((hit) => {
    if (readers.length === 0 || !isStatement(hit)) return hit;
    const statement = prepared(hit);
    const contradicts = readers.flatMap(({ id, opposes }) => {
      const why = opposes(statement);
      return why === null ? [] : [{ ...identityOf(id), why }];
    });
    return { ...hit, contradicts };
  });
}

/** An old conversation or a file does not oppose a decision: it says what was, or what is. */
const isStatement = ({ shelf }: Hit): boolean => shelf === "memory" || shelf === "proposal";

/** The title of a proposal is its subject; that of a memory may say anything. */
function prepared({ shelf, title, content }: Hit): PreparedStatement {
  if (shelf === "proposal") return prepareStatement(content, title);
  return prepareStatement(title ? `${title}. ${content}` : content);
}
