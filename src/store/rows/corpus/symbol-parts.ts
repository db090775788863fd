/** Names of symbols as trigrams: by how many two names share, similar ones are found. */

/** Of a longer name only the first trigrams are compared. */
const COMPARED_PARTS = 64;
/** Similar names share at least one in this many trigrams. */
export const PARTS_FOR_ONE_IN_COMMON = 4;
/** One typo can leave a name this short without a common trigram, so first letter and length decide instead. */
export const SHORT_NAME_CHARACTERS = 5;
export const LENGTH_DIFFERENCE = 2;
/** Names beyond these are too dissimilar to matter. */
export const CANDIDATE_NAMES = 500;

/** The distinct trigrams of a name, as they are written. */
export function nameParts(characters: readonly string[]): string[] {
  const parts = characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
  return [...new Map(parts.map((part) => [part.toLowerCase(), part])).values()];
}

export const comparedParts = (characters: readonly string[]): string[] =>
  nameParts(characters).slice(0, COMPARED_PARTS);
