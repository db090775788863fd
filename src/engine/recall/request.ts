/** What a caller asks of recall, and what it answers. */
import type { Hit } from "../../model/recall/hit.ts";
import type { Mode, RecipeName } from "../../model/recall/ranking.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Filter } from "../../model/recall/search.ts";

export interface RecallRequest {
  query: string;
  mode: Mode;
  limit: number;
  /** Minimum relevance. */
  threshold: number;
  recipe?: RecipeName | undefined;
  /** Memories, decisions and proposals when omitted. */
  shelves?: readonly Shelf[] | undefined;
  filter?: Partial<Filter> | undefined;
  /** Passages are ranked by themselves, rather than items by their best one. */
  eachPassage?: boolean | undefined;
  /** A hit shows the passage that was found rather than the whole. */
  isQuoted?: boolean | undefined;
  /** Nothing of another shelf is read, not even to embed it. */
  isRouted?: boolean | undefined;
  /** Access is not recorded. */
  quiet?: boolean | undefined;
}

export interface RecallAnswer {
  mode: Mode;
  degraded: string | null;
  hits: Hit[];
}
