/**
 * How random a text looks: Shannon's measure over its characters, and whether it beats
 * what its alphabet allows. Sixteen hexadecimal digits can never be as varied as letters
 * of both cases, so one threshold for all would miss the first or accuse the second.
 */

/** Bits per character, from 0 (one character repeated) to log2 of the alphabet. */
export function shannonEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let total = 0;
  for (const count of counts.values()) total += count;
  let bits = 0;
  for (const count of counts.values()) bits -= (count / total) * Math.log2(count / total);
  return bits;
}

const ALPHABETS: readonly { matches: RegExp; minEntropy: number }[] = [
  { matches: /^[0-9]+$/, minEntropy: Infinity },
  { matches: /^[0-9a-f-]+$/i, minEntropy: 2.7 },
  { matches: /^[0-9a-z]+$/, minEntropy: 2.9 },
];

/** Digits alone are never random enough: they are counts, dates and identifiers. */
export function isRandom(text: string): boolean {
  const alphabet = ALPHABETS.find(({ matches }) => matches.test(text));
  return shannonEntropy(text) >= (alphabet?.minEntropy ?? 3);
}
