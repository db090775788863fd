/** Reads edges: relations between items. */
import type { Edge, EdgeShelf, EdgeStatus } from "../model/memory/edge.ts";
import type { Status } from "../model/memory/item.ts";

/** Selects edges of an item. An absent field means no restriction. */
export interface EdgeQuery {
  statuses?: readonly EdgeStatus[];
  /** Only edges whose other end has one of these statuses. */
  neighbours?: readonly Status[];
  /** Per requested item. */
  limit: number;
}

export interface EdgeReads {
  /** Edges that begin or end at these items, strongest first. */
  edgesOf(shelf: EdgeShelf, ids: readonly string[], query: EdgeQuery): Promise<Edge[]>;
  /** By their own ids. */
  edges(shelf: EdgeShelf, ids: readonly string[]): Promise<Edge[]>;
  /** Edges after `after`, ordered by id. */
  walkEdges(shelf: EdgeShelf, page: { after: string | null; limit: number }): Promise<Edge[]>;
}
