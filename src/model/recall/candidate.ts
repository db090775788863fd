/** Candidate: an item that may become a hit. Each stage of recall adds what it finds out. */
import type { Ranker } from "./ranking.ts";
import type { Outline } from "./search.ts";

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
