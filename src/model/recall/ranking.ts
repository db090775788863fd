/** How things are ranked: by which rankers, as what kind of thing, and by which recipe. */

/** Everything that scores a candidate, in the order in which it is asked. The first five find; the others judge what was found. */
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

/** What is being ranked decides how; what each kind means is data in `logic/recall/recipes`. */
export const KINDS = ["memory", "conversation", "session", "prose", "code", "report"] as const;
export type Kind = (typeof KINDS)[number];

/** Named ways to make one ranking out of many. "own" is the one made for each kind of item. */
export const RECIPE_NAMES = ["own", "rrf", "weighted"] as const;
export type RecipeName = (typeof RECIPE_NAMES)[number];

export const MODES = ["hybrid", "keyword", "semantic"] as const;
export type Mode = (typeof MODES)[number];
