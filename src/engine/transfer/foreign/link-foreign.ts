/** The edges that foreign memories bring along. Both ends must be memories of one store; an edge that exists stays. */
import { newEdge, possibleEdgeIds } from "../../../logic/graph/edge-id.ts";
import { type Edge, isSymmetric } from "../../../model/memory/edges.ts";
import type { ForeignLink } from "../../../model/transfer/foreign-memory.ts";
import type { EdgeReads } from "../../../ports/store/edges.ts";

const CHUNK = 50;

/** `idOf` names the memory of a key, if there is one in this store. */
export async function linksToMake(
  links: readonly ForeignLink[],
  idOf: (key: string) => string | undefined,
  store: EdgeReads,
  now: number,
): Promise<{ edges: Edge[]; unchanged: number }> {
  const wanted = new Map<string, Edge>();
  for (const { source: from, target: to, relation, strength } of links) {
    const [source, target] = [idOf(from), idOf(to)];
    if (source === undefined || target === undefined || source === target) continue;
    const bidirectional = isSymmetric(relation);
    const ends = bidirectional && source > target ? { source: target, target: source } : { source, target };
    const edge = newEdge({
      shelf: "memory",
      ...ends,
      relation,
      strength,
      bidirectional,
      status: "active",
      createdAt: now,
    });
    wanted.set(edge.id, edge);
  }
  const present = await statedAmong([...wanted.values()], store);
  const edges = [...wanted.values()].filter((edge) => !present.has(pairOf(edge)));
  return { edges, unchanged: wanted.size - edges.length };
}

/** Pairs that somebody has already stated something about, in either direction. */
async function statedAmong(edges: readonly Edge[], store: EdgeReads): Promise<Set<string>> {
  const stated = new Set<string>();
  for (let start = 0; start < edges.length; start += CHUNK) {
    const ids = edges
      .slice(start, start + CHUNK)
      .flatMap(({ source, target }) => possibleEdgeIds("memory", source, target));
    for (const edge of await store.edges("memory", ids)) if (!edge.made) stated.add(pairOf(edge));
  }
  return stated;
}

const pairOf = ({ source, target }: Edge): string => [source, target].sort().join(" ");
