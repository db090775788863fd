/**
 * Finds memories that may resemble a text: those that share its rarest words.
 *
 * Rare words find the few texts worth comparing without reading all of them.
 */
import { rarestTerms, stemsOf, telling } from "../../logic/text/rare-terms.ts";
import type { Filter } from "../../model/recall/search.ts";
import type { SearchReads } from "../../ports/store/search.ts";

const RAREST_TERMS = 8;

/** Best first, without `except`. */
export async function similarCandidates(
  text: string,
  { filter, limit, except }: { filter: Filter; limit: number; except?: string },
  store: Pick<SearchReads, "wordStatistics" | "keyword">,
): Promise<string[]> {
  const own = telling(text);
  const { frequency } = await store.wordStatistics("memory", stemsOf(own));
  const terms = rarestTerms(own, frequency, RAREST_TERMS);
  if (terms.length === 0) return [];
  const found = await store.keyword("memory", { terms }, filter, limit + 1);
  return found
    .map(({ itemId }) => itemId)
    .filter((id) => id !== except)
    .slice(0, limit);
}
