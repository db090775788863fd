/** Converts between edges and rows, whichever database they come from. */
import type { Edge } from "../../../model/memory/edge.ts";
import type { Verdict } from "../../../model/memory/near.ts";

export type EdgeRow = Omit<Edge, "bidirectional" | "made" | "verdict"> & {
  bidirectional: number;
  made: number;
  verdict: string | null;
};

export const toEdge = ({ made, verdict, ...row }: EdgeRow): Edge => ({
  ...row,
  bidirectional: row.bidirectional === 1,
  // Absent unless true: the journal compares edges as text, and those written before have no such field.
  ...(made === 1 && { made: true }),
  ...(verdict !== null && { verdict: JSON.parse(verdict) as Verdict }),
});

export const toRow = (edge: Edge): EdgeRow => ({
  ...edge,
  bidirectional: edge.bidirectional ? 1 : 0,
  made: edge.made ? 1 : 0,
  verdict: edge.verdict ? JSON.stringify(edge.verdict) : null,
});

export const EDGE_COLUMNS = `edge.id, edge.shelf, edge.source, edge.target, edge.relation, edge.strength, edge.bidirectional,
  edge.status, edge.created_at as "createdAt", edge.made, edge.verdict`;

/** The strongest first. */
export const byStrength = (one: Pick<Edge, "id" | "strength">, two: Pick<Edge, "id" | "strength">): number =>
  two.strength - one.strength || (one.id < two.id ? -1 : 1);
