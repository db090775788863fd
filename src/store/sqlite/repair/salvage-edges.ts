/** Reads edges from rows of a damaged store. */
import { edgeId } from "../../../logic/graph/edge-id.ts";
import { type Edge, EdgeShelf, EdgeStatus, Relation } from "../../../model/memory/edge.ts";
import type { Verdict } from "../../../model/memory/near.ts";
import type { Row } from "./salvage-pages.ts";

/** An edge's id is derived from its other fields, so a row with the right id is an edge. */
export function asEdge(row: Row): Edge | null {
  const { id, source, target, strength, created_at } = row;
  const [shelf, relation] = [EdgeShelf.safeParse(row["shelf"]), Relation.safeParse(row["relation"])];
  const status = EdgeStatus.safeParse(row["status"]);
  if (!shelf.success || !relation.success || !status.success) return null;
  if (typeof source !== "string" || typeof target !== "string") return null;
  if (typeof strength !== "number" || typeof created_at !== "number") return null;
  const ties = { shelf: shelf.data, source, target, relation: relation.data };
  const own = edgeId(ties);
  if (own !== id) return null;
  const bidirectional = row["bidirectional"] === 1;
  return { id: own, ...ties, strength, bidirectional, status: status.data, createdAt: created_at, ...verdictIn(row) };
}

function verdictIn({ verdict }: Row): Pick<Edge, "verdict"> {
  if (typeof verdict !== "string") return {};
  try {
    return { verdict: JSON.parse(verdict) as Verdict };
  } catch {
    return {}; // the edge still says that both were seen
  }
}
