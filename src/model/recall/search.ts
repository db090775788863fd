/** What a store is asked when something is looked for, and what it answers. */
import type { CodeSymbol, CorpusShelf, SymbolKind } from "../corpus/corpus.ts";
import type { Item, Scope, Status } from "../memory/item.ts";

/** Which items a search or listing may see. Absent means no restriction. */
export interface Filter {
  statuses: readonly Status[];
  /** Expired items are never seen; this is the time to judge by. */
  now: number;
  scopes?: readonly Scope[];
  /** Of a document: how it is read, procedural or semantic. */
  types?: readonly string[];
  /** Items that have every one of these. */
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
  /** Only what holds at this time, by its window. */
  validAt?: number;
  /** A superseded item that is found stands for what replaced it, if that one passes. */
  viaPredecessors?: boolean;
}

export interface VectorQuery {
  embedder: string;
  vector: Float32Array;
  /** Every passage counts by itself; otherwise an item stands once, by its best one. */
  eachPassage?: boolean;
}

/** One item found by one ranker, by its best passage or one of what it replaced; higher scores are better. */
export interface Ranked {
  itemId: string;
  item: Outline;
  passage: number;
  score: number;
}

export interface KeywordQuery {
  /** Plain words. The store quotes them; none is ever read as query syntax. */
  terms: readonly string[];
  /** Every passage counts by itself; otherwise an item stands once, by its best one. */
  eachPassage?: boolean;
}

export interface WordpieceQuery {
  /** Wordpieces of the telling words. */
  pieces: readonly number[];
  /** A passage counts by the best stretch of so many pieces; whole when omitted. */
  stretchPieces?: number;
  /** Every passage counts by itself; otherwise an item stands once, by its best one. */
  eachPassage?: boolean;
}

/** A passage and those before and after it in its item. */
export interface Neighbours {
  passage: number;
  previous: number | null;
  next: number | null;
}

/** What of an item weighs in a ranking. A hundred of them are read, with their passages, for the ten that are shown. */
export type Outline = Pick<
  Item,
  "id" | "scope" | "priority" | "confidence" | "path" | "context" | "createdAt" | "validFrom"
> & {
  /** What a decision or a proposal is about. */
  subject: string | null;
  /** Standing among other documents as it was last computed, 0 to 1; null on other shelves. */
  rank: number | null;
  /** Since when a document's confidence fades; null on other shelves. */
  fadesSince: number | null;
};

/** Which of the files that were looked at. */
export type FileQuery = { shelf: CorpusShelf } | { paths: readonly string[] };

export interface SymbolQuery {
  name: string;
  /** "exact" and "prefix" put the same case first. "similar" gives candidates that share parts of the name, likelier first. */
  how: "exact" | "prefix" | "similar";
  kinds?: readonly SymbolKind[];
  languages?: readonly string[];
  pathPrefix?: string;
}

export interface FoundSymbol extends CodeSymbol {
  itemId: string;
  path: string | null;
}

/** A document, as another one or a question leads to it. */
export interface Linked {
  itemId: string;
  path: string | null;
}

export interface Reference extends Linked {
  written: string;
  /** The path of the document that it means, as it was last looked up. */
  target: string | null;
}

export interface FoundTogether extends Linked {
  times: number;
  lastAt: number;
}

/** What of a decision tells whether and when it holds, what it is about and what replaced it. All of them are read at once. */
export type DecisionOutline = Pick<
  Item,
  "id" | "title" | "status" | "createdAt" | "validFrom" | "validUntil" | "supersededBy"
>;
