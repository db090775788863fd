/** The store's edges: how items are tied together. */
import type { Edge, EdgeShelf, EdgeStatus } from "../model/memory/edge.ts";
import type { Status } from "../model/memory/item.ts";

/** Which edges of an item. Absent means no restriction. */
export interface EdgeQuery {
  statuses?: readonly EdgeStatus[];
  /** Only those whose other end has one of these. */
  neighbours?: readonly Status[];
  /** For each item that is asked for. */
  limit: number;
}

export interface EdgeReads {
  /** Edges that begin or end at these items, strongest first. */
  edgesOf(shelf: EdgeShelf, ids: readonly string[], query: EdgeQuery): Promise<Edge[]>;
  /** By their own ids. */
  edges(shelf: EdgeShelf, ids: readonly string[]): Promise<Edge[]>;
  /** In the order of their ids, those behind `after`. */
  walkEdges(shelf: EdgeShelf, page: { after: string | null; limit: number }): Promise<Edge[]>;
}
