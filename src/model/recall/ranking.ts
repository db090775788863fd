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

/** The kind of an item decides how it is ranked; what each kind means is data in `logic/recall/recipes`. */
export const KINDS = ["memory", "conversation", "session", "prose", "code", "report"] as const;
export type Kind = (typeof KINDS)[number];

/** Named ways to merge rankings into one. "own" is the one made for each kind of item. */
export const RECIPE_NAMES = ["own", "rrf", "weighted"] as const;
export type RecipeName = (typeof RECIPE_NAMES)[number];

export const MODES = ["hybrid", "keyword", "semantic"] as const;
export type Mode = (typeof MODES)[number];

/** The line: what is less relevant than this does not clearly answer, and is not told as if it did. */
export const CLEAR = 0.1;
