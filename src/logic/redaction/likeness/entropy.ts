/**
 * Measures how random a text looks: Shannon entropy over its characters, compared with what its alphabet allows.
 * Sixteen hexadecimal digits can never be as varied as letters of both cases, so a single threshold would miss the
 * first or falsely flag the second.
 */

/** Bits per character, from 0 (one character repeated) to log2 of the alphabet. */
export function shannonEntropy(text: string): number {
  // Secrets are ASCII; characters beyond it may share a counter.
  const counts = new Uint32Array(256);
  for (let at = 0; at < text.length; at++) counts[text.charCodeAt(at) & 255]!++;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const ALPHABETS: readonly { matches: RegExp; minEntropy: number }[] = [
  { matches: /^[0-9]+$/, minEntropy: Infinity },
  { matches: /^[0-9a-f-]+$/i, minEntropy: 2.7 },
  { matches: /^[0-9a-z]+$/, minEntropy: 2.9 },
];

/** Digits alone never count as random: they are counts, dates and identifiers. */
export function isRandom(text: string): boolean {
  const alphabet = ALPHABETS.find(({ matches }) => matches.test(text));
  return shannonEntropy(text) >= (alphabet?.minEntropy ?? 3);
}
