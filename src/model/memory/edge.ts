/**
 * Edge: a typed relation between two items of one shelf, within one store.
 *
 * It never changes: to say something else, it is removed and another inserted. Its id is derived from what it connects,
 * so the same relation between the same two items is one edge, whoever creates it.
 */
import * as z from "zod";
import { handleOf } from "./handle.ts";
import { Shelf } from "./shelf.ts";

export const EdgeShelf = Shelf.extract(["memory", "decision"]);
export type EdgeShelf = z.infer<typeof EdgeShelf>;

export const EDGE_SHELVES = EdgeShelf.options;
export const hasEdges = (shelf: Shelf): shelf is EdgeShelf => EdgeShelf.safeParse(shelf).success;

export const Relation = z.enum([
  "relates_to",
  "derived_from",
  "contradicts",
  "exemplifies",
  "refines",
  "supersedes",
  "source_of",
]);
export type Relation = z.infer<typeof Relation>;

/** A suggested edge is pending until someone agrees. */
export const EdgeStatus = z.enum(["active", "suggested"]);
export type EdgeStatus = z.infer<typeof EdgeStatus>;

export interface Edge {
  id: string;
  shelf: EdgeShelf;
  source: string;
  target: string;
  relation: Relation;
  /** From 0 to 1. */
  strength: number;
  /** The relation holds in both directions. */
  bidirectional: boolean;
  status: EdgeStatus;
  createdAt: number;
}

/** Identifies an edge. */
export type EdgeTriple = Pick<Edge, "shelf" | "source" | "target" | "relation">;

/** An edge as a person reads it. */
export const edgeName = ({ source, target, relation }: Omit<EdgeTriple, "shelf">): string =>
  `${handleOf(source)} ${relation.replaceAll("_", " ")} ${handleOf(target)}`;
