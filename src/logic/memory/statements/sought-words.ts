/** The words by which a new statement looks for older ones. */
import { queryTerms } from "../../text/words.ts";

/** Counting a common word in a large store takes long, so only this many are counted. */
const SOUGHT_WORDS = 12;

/** The words by which candidates are looked for: those with digits, then the longest, which are seldom common. */
export function soughtWords(text: string): string {
  const worth = (term: string) => (/\p{N}/u.test(term) ? 100 : 0) + term.length;
  const sorted = queryTerms(text).toSorted((one, two) => worth(two) - worth(one));
  return sorted.slice(0, SOUGHT_WORDS).join(" ");
}
