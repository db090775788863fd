/** Ranking: the rankers, the kinds of items they rank, and the named recipes. */

/**
 * Everything that scores a candidate, in order. The first five find candidates, and so does `soft` without a vector;
 * the others, called signals, only judge what was found.
 */
export const RANKERS = [
  "keyword",
  "substring",
  "linked",
  "opening",
  "vector",
  "soft",
  "gist",
  "session",
  "neighbours",
  "temporal",
  "role",
  "entity",
] as const;
export type Ranker = (typeof RANKERS)[number];

/** Why a hit may stand above a more relevant one, or below a less relevant one. */
export const DEPARTURES = [
  "priority",
  "confidence",
  "graph",
  "decision",
  "contradiction",
  "ownSession",
  "near",
] as const;
export type Departure = (typeof DEPARTURES)[number];

/** The kind of an item decides how it is ranked; what each kind means is in the recipes below. */
export const KINDS = ["memory", "conversation", "session", "prose", "code", "report"] as const;
export type Kind = (typeof KINDS)[number];

/** Named ways to merge rankings into one. "own" is the one made for each kind of item. */
export const RECIPE_NAMES = ["own", "rrf", "weighted"] as const;
export type RecipeName = (typeof RECIPE_NAMES)[number];

export const MODES = ["hybrid", "keyword", "semantic"] as const;
export type Mode = (typeof MODES)[number];

/** The line: what is less relevant than this does not clearly answer, and is not told as if it did. */
export const CLEAR = 0.1;

/**
 * Recipes: how the rankers' scores are combined, as data.
 *
 * `scaled` sums scores that were each scaled to 0–1; `ranked` sums reciprocal ranks, for scores
 * that do not compare. Each kind of item has the recipe that suits it: code is searched mostly
 * by meaning, conversations by words, names and dates.
 */
export interface Recipe {
  method: "scaled" | "ranked";
  /** A ranker without a weight does not count. */
  weights: Readonly<Partial<Record<Ranker, number>>>;
  /** Rankers whose scores are between 0 and 1 already, and are not scaled. */
  absolute: readonly Ranker[];
  /** Rankers whose shares are squared: high ones count, low ones are mostly chance. */
  squared?: readonly Ranker[];
  /** How many of each ranker's best become candidates: at least `least`, or `perHit` times the limit. */
  candidates: { least: number; perHit: number };
  /** An item's keyword score counts all its passages, not only the best one. */
  summed?: boolean;
  /** Damping of reciprocal ranks; `RANK_DAMPING` when omitted. */
  damping?: number;
  /** Long passages are scored by their best stretch of this many wordpieces. */
  stretchPieces?: number;
}

/** The default recipe, and the values that settings override in recipes. */
interface RecipeSettings {
  recipe: RecipeName;
  vectorWeight: number;
  keywordWeight: number;
  rrfDamping: number;
  rrfEntityWeight: number;
  rrfTemporalWeight: number;
}

/** Damping of reciprocal ranks: the larger, the less the first positions stand out. */
export const RANK_DAMPING = 60;

const CANDIDATES = { least: 50, perHit: 2 };
const SHARES: readonly Ranker[] = ["linked", "session", "neighbours", "entity", "temporal", "role"];

/** If the question is about a decision's subject, that decision's evidence outweighs any similarity. */
const LINKED = 1.2;

const scaled = (weights: Recipe["weights"], more: Partial<Recipe> = {}): Recipe => ({
  method: "scaled",
  weights,
  absolute: SHARES,
  candidates: CANDIDATES,
  ...more,
});

export const OWN_RECIPES: Readonly<Record<Kind, Recipe>> = {
  // There may be few memories: scaling must not make weak matches look strong. Words are counted by `soft`; the keyword
  // index only breaks ties, because sharing one word with a question says little about a text this short.
  memory: scaled(
    { keyword: 0.03, substring: 0.2, vector: 1, soft: 0.6, entity: 0.1, temporal: 0.15 },
    { absolute: [...SHARES, "soft", "vector"], squared: ["soft"] },
  ),
  conversation: scaled(
    {
      keyword: 0.1,
      substring: 0.1,
      soft: 0.4,
      vector: 0.45,
      session: 0.2,
      neighbours: 0.2,
      entity: 0.1,
      temporal: 0.5,
      role: 0.3,
      linked: LINKED,
    },
    { stretchPieces: 75 },
  ),
  session: scaled({
    keyword: 0.25,
    substring: 0.25,
    vector: 0.4,
    soft: 0.35,
    entity: 0.05,
    temporal: 0.3,
    linked: LINKED,
  }),
  prose: scaled({ keyword: 0.3, substring: 0.3, vector: 0.5, soft: 0.2, entity: 0.1 }),
  code: scaled({ keyword: 0.05, substring: 0.05, vector: 0.85, soft: 0.1, entity: 0.1 }),
  report: scaled({ keyword: 0.3, substring: 0.3, opening: 0.2, vector: 0.3, gist: 0.3, entity: 0.3 }, { summed: true }),
};

export const OTHER_RECIPES: Readonly<Record<Exclude<RecipeName, "own">, Recipe>> = {
  rrf: {
    method: "ranked",
    weights: { keyword: 1, substring: 1, vector: 1 },
    absolute: [],
    candidates: CANDIDATES,
  },
  weighted: {
    method: "scaled",
    weights: { keyword: 0.3, substring: 0.3, vector: 0.7 },
    absolute: ["vector"],
    candidates: { least: 0, perHit: 3 },
  },
};

export function candidateCount(recipe: Recipe, limit: number): number {
  return Math.max(recipe.candidates.least, recipe.candidates.perHit * limit);
}

export function recipeFor(kind: Kind, name: RecipeName | undefined, settings: Readonly<RecipeSettings>): Recipe {
  const chosen = name ?? settings.recipe;
  if (chosen === "own") return OWN_RECIPES[kind];
  const { vectorWeight: vector, keywordWeight: keyword, rrfDamping, rrfEntityWeight, rrfTemporalWeight } = settings;
  const { rrf, weighted } = OTHER_RECIPES;
  if (chosen === "weighted") return { ...weighted, weights: { ...weighted.weights, vector, keyword } };
  const weights = { ...rrf.weights, entity: rrfEntityWeight, temporal: rrfTemporalWeight };
  return { ...rrf, weights, damping: rrfDamping };
}
