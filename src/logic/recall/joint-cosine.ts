/**
 * Cosines of two embedders as one.
 *
 * Models differ in how near they put texts that have nothing to do with each other, and recipes and relevance are fitted
 * to the local one. So the other's cosines are brought to the mean and spread of the local ones before both are
 * joined: the remote model changes the order, but a question that nothing answers stays unanswered.
 */
export interface CosinePair {
  local: number;
  /** Null for a passage that was not sent. */
  remote: number | null;
}

const FEWEST = 3;
/** Whoever names a remote model expects it to know better. */
const REMOTE_SHARE = 2 / 3;

/** In the order of the pairs. */
export function jointCosines(pairs: readonly CosinePair[]): number[] {
  const both = pairs.filter((pair): pair is { local: number; remote: number } => pair.remote !== null);
  const [local, remote] = [spreadOf(both.map((pair) => pair.local)), spreadOf(both.map((pair) => pair.remote))];
  // Too few, or all alike: nothing can be learnt about the other's scale.
  if (both.length < FEWEST || remote.deviation < 1e-6) return pairs.map((pair) => pair.local);
  const scaled = (cosine: number) => local.mean + ((cosine - remote.mean) * local.deviation) / remote.deviation;
  return pairs.map((pair) =>
    pair.remote === null ? pair.local : Math.max(-1, Math.min(1, joined(pair.local, scaled(pair.remote)))),
  );
}

const joined = (local: number, remote: number): number => local + REMOTE_SHARE * (remote - local);

function spreadOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (values.length || 1)) };
}
