/**
 * Recipes: how the rankers' lists become one, as data.
 *
 * `scaled` sums lists that were each brought to 0–1; `ranked` sums reciprocal ranks and is
 * for lists whose scores do not compare. A ranker with weight 0 has its place but no say.
 */
import type { Ranker, RecipeName } from "../model/hit.ts";

export interface Recipe {
  method: "scaled" | "ranked";
  weights: Readonly<Record<Ranker, number>>;
  /** Rankers whose score already is a share of 1 and is taken as it is. */
  absolute: readonly Ranker[];
  /** How many of each ranker's best are looked at: at least this, or the multiple of the limit. */
  candidates: { least: number; perHit: number };
}

/** Damping of reciprocal ranks: the larger, the less the first places stand out. */
export const RANK_DAMPING = 60;

const CANDIDATES = { least: 50, perHit: 2 };

export const RECIPES = {
  memory: {
    method: "scaled",
    weights: { keyword: 0.4, vector: 0.6, soft: 0, entity: 0, temporal: 0, substring: 0.4 },
    absolute: [],
    candidates: CANDIDATES,
  },
  rrf: {
    method: "ranked",
    weights: { keyword: 1, vector: 1, soft: 0, entity: 1, temporal: 1, substring: 1 },
    absolute: [],
    candidates: CANDIDATES,
  },
  weighted: {
    method: "scaled",
    weights: { keyword: 0.3, vector: 0.7, soft: 0, entity: 0, temporal: 0, substring: 0.3 },
    absolute: ["vector"],
    candidates: { least: 0, perHit: 3 },
  },
} as const satisfies Record<RecipeName, Recipe>;

export function candidateCount(recipe: Recipe, limit: number): number {
  return Math.max(recipe.candidates.least, recipe.candidates.perHit * limit);
}
