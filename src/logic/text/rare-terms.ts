/**
 * The rarest terms of a text: they find the texts that resemble it.
 *
 * A word that nothing else contains finds nothing, so it is left out, however rare.
 */
import { stem } from "./stem.ts";
import { cjkBigrams, fold, isStopWord, words } from "./words.ts";

/** Enough to describe a text; more would only be looked up in vain. */
const CONSIDERED = 200;

/** The distinct significant words of a text, each with its stem, in the order of the text. */
export function termStems(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const word of words(text)) {
    if (found.size >= CONSIDERED) break;
    const bigrams = cjkBigrams(word);
    for (const term of bigrams.length > 0 ? bigrams : [fold(word)])
      if (term !== "" && !isStopWord(term) && !found.has(term)) found.set(term, bigrams.length > 0 ? term : stem(term));
  }
  return found;
}

/** Rarest first; terms with the same stem count once. `frequency`: the number of passages with each stem, this text's included. */
export function rarestTerms(
  terms: ReadonlyMap<string, string>,
  frequency: ReadonlyMap<string, number>,
  count: number,
): string[] {
  const byStem = new Map<string, string>();
  for (const [term, root] of terms) if ((frequency.get(root) ?? 0) > 1 && !byStem.has(root)) byStem.set(root, term);
  return [...byStem]
    .sort(([one], [two]) => frequency.get(one)! - frequency.get(two)! || (one < two ? -1 : 1))
    .slice(0, count)
    .map(([, term]) => term);
}
