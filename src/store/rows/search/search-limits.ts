/** How much a search looks at. Every engine keeps to the same limits, so that all give the same answers. */

/** A substring search reads text, so it covers the newest passages only. */
export const SUBSTRING_PASSAGES = 20_000;

/** This share of a shelf's vectors is checked one by one before the filter is run over all items. */
export const CHECKED_SHARE = 0.02;

export const LARGE_STORE_PASSAGES = 20_000;
/** A word in more passages than this is too common to select candidates by. */
export const SELECTIVE_PASSAGES = 10_000;
export const WHOLE_RANKING = 100_000;
