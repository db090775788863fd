/** Request and answer of a recall. */
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
  /** Ranks individual passages instead of items by their best passage. */
  eachPassage?: boolean | undefined;
  /** A hit shows the passage that was found, not the whole content. */
  isQuoted?: boolean | undefined;
  /** Passages that nearly repeat another are left out. */
  isDistinct?: boolean | undefined;
  /** Reads no other shelf, not even to embed its passages. */
  isRouted?: boolean | undefined;
  /** Access is not recorded. */
  quiet?: boolean | undefined;
}

export interface RecallAnswer {
  mode: Mode;
  degraded: string | null;
  hits: Hit[];
}
