/**
 * Soft keywords: how well a passage matches each wordpiece of a question.
 *
 * Each piece counts by its nearest piece in the passage, weighted by its rarity, so that "car"
 * matches "automobile" and a missing rare word costs most. Squared cosines keep many loosely
 * related pieces from outweighing an exact one.
 */
const OVERLAP_SHARE = 0.2;

/** For each piece of the question, its best similarity between two positions of the passage, scaled to 0–255. */
export type Meet = (start: number, end: number) => ArrayLike<number>;

/**
 * Between 0 and the sum of the weights. With `stretch`, a long passage counts by its best
 * stretch of that many pieces: real matches are close together, chance matches are not.
 */
export function maxSim(weights: readonly number[], meet: Meet, length: number, stretch = Infinity): number {
  const reach = stretch * (1 + OVERLAP_SHARE);
  if (length <= reach) return weighedSum(weights, meet(0, length));
  let best = 0;
  for (let start = 0; start < length; start += stretch) {
    best = Math.max(best, weighedSum(weights, meet(start, Math.min(length, Math.floor(start + reach)))));
  }
  return best;
}

function weighedSum(weights: readonly number[], shares: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < weights.length; index++) sum += (weights[index]! * shares[index]!) / 255;
  return sum;
}
