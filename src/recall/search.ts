/** Search queries to a store, and their results. */
import type { CodeSymbol, CorpusShelf, SymbolKind } from "../files/corpus.ts";
import type { Item, Scope, Status } from "../memory/item.ts";
import type { Ranker } from "./ranking.ts";

/** Which items a search or listing may return. Absent means no restriction. */
export interface Filter {
  statuses: readonly Status[];
  /** Expired items are never returned; this is the time to judge by. */
  now: number;
  scopes?: readonly Scope[];
  /** For documents: procedural or semantic. */
  types?: readonly string[];
  /** Items with every one of these. */
  tags?: readonly string[];
  labels?: readonly string[];
  branch?: string;
  /** Files whose path begins with this; a folder ends with a slash. */
  pathPrefix?: string;
  languages?: readonly string[];
  session?: string;
  minimumPriority?: number;
  createdAfter?: number;
  createdBefore?: number;
  /** Only items that hold at this time, by their window. */
  validAt?: number;
  /** The project that looks: global memories of other projects that only their type made global are left out. */
  visibleIn?: string;
  /** A superseded match counts for its successor, if that one passes the filter. */
  viaPredecessors?: boolean;
}

export interface VectorQuery {
  embedder: string;
  vector: Float32Array;
  /** Every passage counts separately; otherwise an item appears once, by its best passage. */
  eachPassage?: boolean;
}

/** One item found by one ranker, by its best passage or one of an item it superseded; higher scores are better. */
export interface Ranked {
  itemId: string;
  item: Outline;
  passage: number;
  score: number;
}

export interface KeywordQuery {
  /** Plain words. The store quotes them; none is ever read as query syntax. */
  terms: readonly string[];
  /** The score is how many of the terms a passage has, all alike. Much cheaper if all of them are rare. */
  isCounted?: boolean;
  /** Every passage counts separately; otherwise an item appears once, by its best passage. */
  eachPassage?: boolean;
}

export interface WordpieceQuery {
  /** Wordpieces of the significant words. */
  pieces: readonly number[];
  /** A passage is scored by its best stretch of this many pieces; as a whole if omitted. */
  stretchPieces?: number;
  /** Every passage counts separately; otherwise an item appears once, by its best passage. */
  eachPassage?: boolean;
}

/** How much two texts have in common: which share of each is covered by the other. */
export interface WordpieceOverlap {
  own: number;
  other: number;
}

/** A passage and its neighbours in the item. */
export interface Neighbours {
  passage: number;
  previous: number | null;
  next: number | null;
}

/**
 * The parts of an item that matter for ranking. A hundred of them are read, with their passages, for the ten that are
 * shown.
 */
export type Outline = Pick<
  Item,
  "id" | "scope" | "priority" | "confidence" | "path" | "context" | "createdAt" | "validFrom"
> & {
  /** The subject of a decision or proposal. */
  subject: string | null;
  /** A document's PageRank as last computed, or a memory's centrality, 0 to 1; null if it has none. */
  rank: number | null;
  /** Since when a document's or a memory's confidence decays; null if it is pinned, and on other shelves. */
  fadesSince: number | null;
  /** The type of a memory; null on other shelves. */
  type: string | null;
  accessCount: number;
};

/** Selects known files. */
export type FileQuery = { shelf: CorpusShelf } | { paths: readonly string[] };

export interface SymbolQuery {
  name: string;
  /**
   * "exact" and "prefix" put matching case first. "similar" returns candidates that share parts of the name, likelier
   * ones first.
   */
  how: "exact" | "prefix" | "similar";
  kinds?: readonly SymbolKind[];
  languages?: readonly string[];
  pathPrefix?: string;
}

export interface FoundSymbol extends CodeSymbol {
  itemId: string;
  path: string | null;
}

/** A document reached through another one or through a question. */
export interface Linked {
  itemId: string;
  path: string | null;
}

export interface Reference extends Linked {
  written: string;
  /** The path of the referenced document, as last resolved. */
  target: string | null;
}

export interface FoundTogether extends Linked {
  times: number;
  lastAt: number;
}

/**
 * The parts of a decision that determine whether and when it holds, its subject and its successor. All decisions are
 * read at once.
 */
export type DecisionOutline = Pick<
  Item,
  "id" | "title" | "status" | "createdAt" | "validFrom" | "validUntil" | "supersededBy"
>;

/** Candidate: an item that may become a hit. Each stage of recall adds what it finds out. */
export interface Candidate<Where = unknown> {
  /** Place and item, plus the passage if passages are ranked: an interrupted promotion leaves one id in two stores. */
  key: string;
  id: string;
  place: Where;
  outline: Outline;
  /** The matching passages, best first: of this item or of one it superseded. */
  passages: readonly number[];
  /** For the best passage; null if it has no vector. */
  cosine: number | null;
  /** Each ranker's own score, in the order in which the rankers were asked. */
  scores: Scores;
  /** Fused, then blended; 0 before that. */
  score: number;
  /** The fused score as a share of the highest possible one; 0 before blending. */
  match: number;
  /** What each ranker contributed to the fused score. */
  why: Scores;
}

export type Scores = Partial<Record<Ranker, number>>;
