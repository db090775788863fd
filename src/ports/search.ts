/** The store's search: by words, substrings, vectors and wordpieces, and what is known of the passages found. */
import type { Shelf, StoredPassage } from "../model/memory/shelf.ts";
import type { Filter, KeywordQuery, Neighbours, Ranked, WordpieceQuery, VectorQuery } from "../model/recall/search.ts";

export interface SearchReads {
  /** Where there is anything to find: asking this once spares asking every shelf everything. */
  filledShelves(): Promise<Shelf[]>;
  keyword(shelf: Shelf, query: KeywordQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  substring(shelf: Shelf, text: string, filter: Filter, limit: number): Promise<Ranked[]>;
  nearest(shelf: Shelf, query: VectorQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  /** Cosines of given passages, in their order; null where there is no vector. */
  cosines(shelf: Shelf, query: VectorQuery, passages: readonly number[]): Promise<(number | null)[]>;
  /** How much of a question's wordpieces each passage has, or has near ones of, in their order; 0 without wordpieces. */
  wordpieceScores(shelf: Shelf, query: WordpieceQuery, passages: readonly number[]): Promise<number[]>;
  /** Of the newest passages, those that have most of the wordpieces or near ones. */
  nearestByWordpieces(shelf: Shelf, query: WordpieceQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  passages(shelf: Shelf, passages: readonly number[]): Promise<StoredPassage[]>;
  neighbours(shelf: Shelf, passages: readonly number[]): Promise<Neighbours[]>;
  /** Which of these names somebody on this shelf speaks under, in whichever case, once each. */
  speakers(shelf: Shelf, names: readonly string[]): Promise<string[]>;
  /** In how many passages each stemmed word occurs, and how many passages there are. */
  wordStatistics(shelf: Shelf, stems: readonly string[]): Promise<{ total: number; frequency: Map<string, number> }>;
}
