/** New edges: the same relation between the same two items always has the same id. */
import { type Edge, type EdgeShelf, type EdgeTriple, RELATIONS } from "../../model/memory/edges.ts";
import { contentHash } from "../text/content-hash.ts";

const ID_CHARACTERS = 32;

export const edgeId = ({ shelf, source, target, relation, made }: EdgeTriple): string =>
  contentHash(JSON.stringify([shelf, source, relation, target, ...(made ? ["made"] : [])])).slice(0, ID_CHARACTERS);

/** The id of the same relation in the other direction. */
export const reversedEdgeId = (edge: EdgeTriple): string =>
  edgeId({ ...edge, source: edge.target, target: edge.source });

export const newEdge = (edge: Omit<Edge, "id">): Edge => ({ ...edge, id: edgeId(edge) });

/** The ids that edges between two items can have, stated and made, in either direction. */
export const possibleEdgeIds = (shelf: EdgeShelf, one: string, two: string): string[] =>
  [
    { source: one, target: two },
    { source: two, target: one },
  ].flatMap((ends) => [
    ...RELATIONS.map((relation) => edgeId({ shelf, ...ends, relation })),
    edgeId({ shelf, ...ends, relation: "relates_to", made: true }),
  ]);
