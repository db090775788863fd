/** Candidate: an item on its way to becoming a hit. Each stage of recall adds what it finds out. */
import type { Ranker } from "./ranking.ts";
import type { Outline } from "./search.ts";

export interface Candidate<Where = unknown> {
  /** Place and item, and the passage where passages are ranked: an interrupted promotion leaves one id in two stores. */
  key: string;
  id: string;
  place: Where;
  outline: Outline;
  /** Those that were found, best first: of this item or of one that it replaced. */
  passages: readonly number[];
  /** Of the best passage; null where it has no vector. */
  cosine: number | null;
  /** Each ranker's own score, in the order in which the rankers were asked. */
  scores: Scores;
  /** Fused, then blended; 0 before that. */
  score: number;
  /** What each ranker contributed to the fused score. */
  why: Scores;
}

export type Scores = Partial<Record<Ranker, number>>;
