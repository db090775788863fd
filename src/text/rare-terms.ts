/**
 * The rarest terms of a text: they find the texts that resemble it without reading all the others.
 */
import { queryTerms, stem } from "./words.ts";

/** A term, and the number of passages it occurs in. */
interface CountedTerm {
  term: string;
  places: number;
}

/** Rarest first, without terms that occur nowhere. `frequency` is by stem. */
export function termsByRarity(terms: readonly string[], frequency: ReadonlyMap<string, number>): CountedTerm[] {
  return terms
    .map((term) => ({ term, places: frequency.get(stem(term)) ?? 0 }))
    .filter(({ places }) => places > 0)
    .sort((one, two) => one.places - two.places);
}

/** Enough to describe a text; more would only be looked up in vain. */
const CONSIDERED = 200;

/** The terms of a stored text that may lead to others. */
export const telling = (text: string): string[] => queryTerms(text, CONSIDERED);

export const stemsOf = (terms: readonly string[]): string[] => [...new Set(terms.map(stem))];

/**
 * The rarest terms of a stored text, each stem once. A word that occurs only once leads nowhere but to the text itself,
 * so it is left out, however rare.
 */
export function rarestTerms(terms: readonly string[], frequency: ReadonlyMap<string, number>, count: number): string[] {
  const byStem = new Map<string, string>();
  for (const { term, places } of termsByRarity(terms, frequency))
    if (places > 1 && !byStem.has(stem(term))) byStem.set(stem(term), term);
  return [...byStem.values()].slice(0, count);
}
