/**
 * Asks the language model of the person's choice how memories that resemble each other are related.
 *
 * Only those written since the last maintenance, and only a few of them, in one request. What it says is stored as a
 * suggested edge; a person or an agent accepts it with `link`.
 */
import { possibleEdgeIds, newEdge } from "../../logic/graph/edge-id.ts";
import { type Classification, classificationQuestion, classificationsIn } from "../../logic/graph/classification.ts";
import { likenessOf } from "../../logic/graph/likeness.ts";
import { type Edge, isSymmetric } from "../../model/memory/edge.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Store } from "../../ports/store/store.ts";
import { type AskWorld, askLlm } from "../capture/ask-llm.ts";

const NEWEST_MEMORIES = 100;
const MOST_PAIRS = 20;
const EDGES_EACH = 5;
const LEAST_STRENGTH = 0.4;

interface Pair {
  first: Item;
  second: Item;
  strength: number;
}

/** Returns how many edges are suggested. */
export async function classifyEdges(store: Store, world: AskWorld): Promise<number> {
  if (world.llm.identity === null || store.readOnly || (await store.refusal?.())) return 0;
  const pairs = await unclassified(store, world);
  if (pairs.length === 0) return 0;
  const question = classificationQuestion(
    pairs.map((pair) => ({ first: pair.first.content, second: pair.second.content })),
  );
  const reply = await askLlm(question, { purpose: "classify", session: world.origin.session }, world);
  let suggested = 0;
  for (const found of reply === null ? [] : classificationsIn(reply, pairs.length)) {
    const edge = suggestion(pairs[found.pair]!, found, world.clock.now());
    // One that was stated or whose end went away meanwhile needs no suggestion.
    const applied = await store.apply([{ kind: "insert_edge", edge }], world.origin);
    if (applied.status === "applied") suggested += 1;
  }
  return suggested;
}

async function unclassified(store: Store, { clock }: AskWorld): Promise<Pair[]> {
  const since = (await store.statistics(clock.now())).maintainedAt ?? 0;
  const newest = await store.items("memory", await store.newestIds("memory", NEWEST_MEMORIES));
  const ids = newest.filter(({ updatedAt, scope }) => updatedAt >= since && scope !== "working").map(({ id }) => id);
  const asked = { made: true, minimumStrength: LEAST_STRENGTH, limit: EDGES_EACH } as const;
  const edges = (await store.edgesOf("memory", ids, { ...asked, statuses: ["active", "suggested"] })).filter(isTelling);
  const ends = await store.items("memory", [...new Set(edges.flatMap(({ source, target }) => [source, target]))]);
  const items = new Map(ends.filter(({ status }) => status === "active").map((item) => [item.id, item]));
  const pairs: Pair[] = [];
  for (const { source, target, strength } of edges) {
    const [first, second] = [items.get(source), items.get(target)];
    if (pairs.length >= MOST_PAIRS || !first || !second) continue;
    const between = await store.edges("memory", possibleEdgeIds("memory", source, target));
    if (between.every(({ made }) => made)) pairs.push({ first, second, strength });
  }
  return pairs;
}

/** In between they may say the same, which `consolidate` looks into. */
const isTelling = ({ strength }: Edge): boolean => ["suggested", "strong"].includes(likenessOf(strength));

function suggestion({ first, second, strength }: Pair, found: Classification, createdAt: number): Edge {
  const { relation, isReversed } = found;
  const [source, target] = isReversed ? [second.id, first.id] : [first.id, second.id];
  return newEdge({
    ...{ shelf: "memory", source, target, relation, strength, createdAt },
    ...{ bidirectional: isSymmetric(relation), status: "suggested" },
  });
}
