/** How things are ranked: by whom, as what kind of thing, and in which named way. */
/** What may speak for a hit. The first five find; the others judge what was found. */
export const RANKERS = [
  "keyword",
  "substring",
  "vector",
  "opening",
  "linked",
  "soft",
  "gist",
  "session",
  "neighbours",
  "entity",
  "temporal",
  "role",
] as const;
export type Ranker = (typeof RANKERS)[number];

/** What is being ranked decides how; what each kind means is data in `logic/recipes`. */
export const KINDS = ["memory", "conversation", "session", "prose", "code", "report"] as const;
export type Kind = (typeof KINDS)[number];

/** Named ways to make one ranking out of many. "own" is the one made for each kind of item. */
export const RECIPE_NAMES = ["own", "rrf", "weighted"] as const;
export type RecipeName = (typeof RECIPE_NAMES)[number];

export const MODES = ["hybrid", "keyword", "semantic"] as const;
export type Mode = (typeof MODES)[number];
