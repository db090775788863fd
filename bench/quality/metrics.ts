/** Standard measures of a ranking's quality, each between 0 and 1, averaged over questions. */
export interface Measures {
  hit1: number;
  recall5: number;
  recall10: number;
  hit5: number;
  ndcg10: number;
  mrr: number;
}

export const MEASURES = ["hit1", "recall5", "recall10", "hit5", "ndcg10", "mrr"] as const satisfies (keyof Measures)[];

export function measure(ranking: readonly string[], gold: ReadonlySet<string>): Measures {
  const found = (limit: number) => ranking.slice(0, limit).filter((id) => gold.has(id)).length;
  const first = ranking.findIndex((id) => gold.has(id));
  return {
    hit1: found(1),
    recall5: found(5) / gold.size,
    recall10: found(10) / gold.size,
    hit5: found(5) > 0 ? 1 : 0,
    ndcg10:
      gain(ranking.slice(0, 10).map((id) => gold.has(id))) / gain(Array<boolean>(Math.min(10, gold.size)).fill(true)),
    mrr: first === -1 ? 0 : 1 / (first + 1),
  };
}

/** Later ranks count less, logarithmically. */
function gain(isGold: readonly boolean[]): number {
  return isGold.reduce((sum, hit, place) => sum + (hit ? 1 / Math.log2(place + 2) : 0), 0);
}

export function mean(all: readonly Measures[]): Measures {
  const average = (name: keyof Measures) => all.reduce((sum, one) => sum + one[name], 0) / Math.max(1, all.length);
  return Object.fromEntries(MEASURES.map((name) => [name, average(name)])) as unknown as Measures;
}
