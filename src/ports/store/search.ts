/** Searches by words, substrings, vectors and wordpieces, and reads the passages found. */
import type { Shelf, StoredPassage } from "../../model/memory/shelf.ts";
import type {
  Filter,
  KeywordQuery,
  Neighbours,
  Ranked,
  VectorQuery,
  WordpieceOverlap,
  WordpieceQuery,
} from "../../model/recall/search.ts";

export interface PassageOfItem {
  passage: number;
  itemId: string;
}

export interface PassagePage {
  /** Only passages below this number. */
  before: number | null;
  limit: number;
  /** Only the first passage of each item. */
  isFirst: boolean;
}

export interface SearchReads {
  /** The shelves that hold anything: one read here saves searching the empty ones. */
  filledShelves(): Promise<Shelf[]>;
  keyword(shelf: Shelf, query: KeywordQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  substring(shelf: Shelf, text: string, filter: Filter, limit: number): Promise<Ranked[]>;
  nearest(shelf: Shelf, query: VectorQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  /** Cosines of the given passages, in their order; null for one without a vector. */
  cosines(shelf: Shelf, query: VectorQuery, passages: readonly number[]): Promise<(number | null)[]>;
  /** How well each passage covers the question's wordpieces, similar ones included, in order; 0 if it has none. */
  wordpieceScores(shelf: Shelf, query: WordpieceQuery, passages: readonly number[]): Promise<number[]>;
  /** Among the newest passages, those that cover the wordpieces best. */
  nearestByWordpieces(shelf: Shelf, query: WordpieceQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  /**
   * How well the wordpieces of a text are covered by each of the others, and theirs by it, similar ones included, from 0
   * to 1. Every piece counts the same.
   */
  wordpieceOverlap(pieces: readonly number[], others: readonly (readonly number[])[]): Promise<WordpieceOverlap[]>;
  passages(shelf: Shelf, passages: readonly number[]): Promise<StoredPassage[]>;
  /** Passages of items that pass the filter, last written first. */
  newestPassages(shelf: Shelf, filter: Filter, page: PassagePage): Promise<PassageOfItem[]>;
  /** The first passage of each of these items. */
  firstPassages(shelf: Shelf, ids: readonly string[]): Promise<PassageOfItem[]>;
  /** The vectors of these passages, in their order, as exactly as they are stored; null for one without. */
  passageVectors(shelf: Shelf, embedder: string, passages: readonly number[]): Promise<(Float32Array | null)[]>;
  neighbours(shelf: Shelf, passages: readonly number[]): Promise<Neighbours[]>;
  /** Which of these names are speakers on this shelf, ignoring case, each once. */
  speakers(shelf: Shelf, names: readonly string[]): Promise<string[]>;
  /** The number of passages each stemmed word occurs in, and the number of all passages. */
  wordStatistics(shelf: Shelf, stems: readonly string[]): Promise<{ total: number; frequency: Map<string, number> }>;
}
