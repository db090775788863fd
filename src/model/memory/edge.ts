/**
 * Edge: a typed relation between two items of one shelf, inside one store.
 *
 * It never changes: one that is to say something else goes, and another comes. Its id follows from
 * what it ties together, so the same relation of the same two is one edge, whoever makes it.
 */
import * as z from "zod";
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

/** A suggested one waits until somebody agrees. */
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
  /** It says the same read from its target. */
  bidirectional: boolean;
  status: EdgeStatus;
  createdAt: number;
}

/** What two edges cannot share. */
export type EdgeTriple = Pick<Edge, "shelf" | "source" | "target" | "relation">;
