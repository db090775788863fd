/** Reads edges: relations between items. */
import type { Edge, EdgeShelf, EdgeStatus, InDegrees, Relation } from "../../model/memory/edge.ts";
import type { NearPair } from "../../model/memory/near.ts";
import type { Status } from "../../model/memory/item.ts";

/** Selects edges of an item. An absent field means no restriction. */
export interface EdgeQuery {
  statuses?: readonly EdgeStatus[];
  relations?: readonly Relation[];
  minimumStrength?: number;
  /** Only made edges, or only stated ones. */
  made?: boolean;
  /** From these items or to them; edges that hold in both directions are both. */
  direction?: "outgoing" | "incoming";
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
  /** Those of this status between two active items, the last made first. */
  newestEdges(shelf: EdgeShelf, status: EdgeStatus, limit: number): Promise<Edge[]>;
  /** Stated edges after `after`, ordered by id. */
  walkEdges(shelf: EdgeShelf, page: { after: string | null; limit: number }): Promise<Edge[]>;
  /**
   * From how many active, lasting memories active, stated edges lead to each of these, and to the one with the most. What
   * leads to a memory that was replaced leads to its successor too; each source counts once.
   */
  inDegrees(ids: readonly string[]): Promise<InDegrees>;
  /** What these items are near, whichever is the older one. */
  nearPairs(ids: readonly string[]): Promise<NearPair[]>;
  /** The next memories to link, or null if all are linked; after the store's mark, unless another is given. */
  unlinked(limit: number, after?: number): Promise<Unlinked | null>;
  /** Those of these memories that are to be linked after this mark. */
  unlinkedAmong(ids: readonly string[], after: number): Promise<string[]>;
}

/** Memories whose text is new since the linker's last turn: a stretch of passages, in the order of writing. */
export interface Unlinked {
  /** Everything up to this passage is linked. */
  after: number;
  /** The last passage of the stretch. */
  upTo: number;
  /** A memory that continues after the stretch belongs to a later one. */
  ids: string[];
}
