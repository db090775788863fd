/** Imports edges, after the items: each edge needs both its ends. */
import { setImmediate as immediate } from "node:timers/promises";
import { isForbidden } from "../../errors.ts";
import { reversedEdgeId } from "../../logic/graph/edge-id.ts";
import { type EdgeVerdict, judgeEdge } from "../../logic/transfer/plan-import.ts";
import type { Change } from "../../model/journal/change.ts";
import { EDGE_SHELVES, type Edge } from "../../model/memory/edge.ts";
import { type IncomingEdge } from "../../model/transfer/export-line.ts";
import { LastingScope } from "../../model/memory/item.ts";
import type { EdgeReads } from "../../ports/store/edges.ts";
import type { ItemReads } from "../../ports/store/items.ts";
import type { Store } from "../../ports/store/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";

const PARCEL_EDGES = 200;

export interface JudgedEdge {
  edge: Edge;
  verdict: EdgeVerdict;
}

export async function* importEdges(
  incoming: readonly IncomingEdge[],
  mayDecide: boolean,
  world: Stores & Pick<World, "origin">,
): AsyncGenerator<JudgedEdge> {
  for (const scope of LastingScope.options) {
    const edges = incoming.filter(({ store }) => store === scope).map(({ edge }) => edge);
    for (let start = 0; start < edges.length; start += PARCEL_EDGES) {
      const parcel = edges.slice(start, start + PARCEL_EDGES);
      yield* await writeParcel(parcel, mayDecide, world[scope], world);
      await immediate();
    }
  }
}

/** Whoever imports may not be allowed all of it: a writer of a shared project does not decide. */
export const NOT_ALLOWED = "your role in the shared project does not allow it; a ratifier imports it";

export async function unlessForbidden<T, Otherwise>(
  work: Promise<T> | null,
  otherwise: Otherwise,
): Promise<T | Otherwise | null> {
  try {
    return await work;
  } catch (thrown) {
    if (isForbidden(thrown)) return otherwise;
    throw thrown;
  }
}

/** One by one if some of them are not allowed. */
async function writeParcel(
  parcel: readonly Edge[],
  mayDecide: boolean,
  store: Store,
  world: Pick<World, "origin">,
): Promise<JudgedEdge[]> {
  const write = (edges: readonly Edge[]) => commit(store, () => plan(edges, mayDecide, store), world);
  const together = await unlessForbidden(write(parcel), null);
  if (together) return together;
  const judged: JudgedEdge[] = [];
  for (const edge of parcel) {
    const refused: JudgedEdge[] = [{ edge, verdict: { outcome: "conflict", reason: NOT_ALLOWED } }];
    judged.push(...((await unlessForbidden(write([edge]), refused)) ?? []));
  }
  return judged;
}

async function plan(
  edges: readonly Edge[],
  mayDecide: boolean,
  store: ItemReads & EdgeReads,
): Promise<{ changes: Change[]; answer: JudgedEdge[] }> {
  const present = new Map<string, Edge>();
  const here = new Set<string>();
  const successors = new Map<string, string | null>();
  for (const shelf of EDGE_SHELVES) {
    const own = edges.filter((edge) => edge.shelf === shelf);
    if (own.length === 0) continue;
    for (const edge of await store.edges(
      shelf,
      own.flatMap((edge) => (edge.relation === "supersedes" ? [edge.id, reversedEdgeId(edge)] : [edge.id])),
    ))
      present.set(edge.id, edge);
    const ends = [...new Set(own.flatMap(({ source, target }) => [source, target]))];
    for (const { id } of await store.outlines(shelf, ends)) here.add(`${shelf} ${id}`);
    const replacing = own.filter(({ relation }) => relation === "supersedes").map(({ source }) => source);
    for (const { id, supersededBy } of replacing.length > 0 ? await store.items(shelf, replacing) : [])
      successors.set(`${shelf} ${id}`, supersededBy);
  }
  const situation = {
    ...{ present, mayDecide },
    isHere: (shelf: string, id: string) => here.has(`${shelf} ${id}`),
    successorOf: (shelf: string, id: string) => successors.get(`${shelf} ${id}`) ?? null,
  };
  const answer = edges.map((edge) => ({ edge, verdict: judgeEdge(edge, situation) }));
  const changes = answer.flatMap(({ edge, verdict }): Change[] =>
    verdict.outcome === "inserted" ? [{ kind: "insert_edge", edge }] : [],
  );
  return { changes, answer };
}
