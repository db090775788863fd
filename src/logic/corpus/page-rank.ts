/**
 * PageRank: documents rank higher the more highly ranked documents link to them.
 *
 * Power iteration over document links. A document without outgoing links spreads its rank evenly over all. Links to
 * itself, to unknown documents, and repeated links do not count.
 */
const DAMPING = 0.85;
const CLOSE_ENOUGH = 1e-6;
const MOST_ROUNDS = 50;

export interface Link {
  from: string;
  to: string;
}

/** The ranks of all nodes; they sum to 1. */
export function pageRank(nodes: readonly string[], links: readonly Link[]): Map<string, number> {
  const names = [...new Set(nodes)];
  const count = names.length;
  const { sources, targets, outward } = linksByNumber(names, links);
  let ranks = new Float64Array(count).fill(1 / count);
  let next = new Float64Array(count);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let dangling = 0;
    for (let node = 0; node < count; node += 1) if (outward[node] === 0) dangling += ranks[node] ?? 0;
    next.fill((1 - DAMPING + DAMPING * dangling) / count);
    for (let link = 0; link < sources.length; link += 1) {
      const source = sources[link] ?? 0;
      const target = targets[link] ?? 0;
      next[target] = (next[target] ?? 0) + (DAMPING * (ranks[source] ?? 0)) / (outward[source] ?? 1);
    }
    let moved = 0;
    for (let node = 0; node < count; node += 1) moved += Math.abs((next[node] ?? 0) - (ranks[node] ?? 0));
    [ranks, next] = [next, ranks];
    if (moved < CLOSE_ENOUGH) break;
  }
  return new Map(names.map((name, node) => [name, ranks[node] ?? 0]));
}

/** Scaled so that the highest rank is 1, ready to be blended with scores. Without any links, all ranks are equal. */
export function normalised(ranks: ReadonlyMap<string, number>): Map<string, number> {
  let most = 0;
  for (const rank of ranks.values()) most = Math.max(most, rank);
  return new Map([...ranks].map(([name, rank]) => [name, most === 0 ? 0 : rank / most]));
}

interface NumberedLinks {
  sources: Int32Array;
  targets: Int32Array;
  /** Number of outgoing links per node. */
  outward: Int32Array;
}

/** A link encoded as one number, source × count + target, sorts and compares fast. */
function linksByNumber(names: readonly string[], links: readonly Link[]): NumberedLinks {
  const numbers = new Map(names.map((name, node) => [name, node]));
  const keys: number[] = [];
  for (const { from, to } of links) {
    const source = numbers.get(from);
    const target = numbers.get(to);
    if (source !== undefined && target !== undefined && source !== target) keys.push(source * names.length + target);
  }
  const sorted = Float64Array.from(keys).sort();
  const once = sorted.filter((key, index) => index === 0 || key !== sorted[index - 1]);
  const sources = Int32Array.from(once, (key) => Math.floor(key / names.length));
  const targets = Int32Array.from(once, (key) => key % names.length);
  const outward = new Int32Array(names.length);
  for (const source of sources) outward[source] = (outward[source] ?? 0) + 1;
  return { sources, targets, outward };
}
