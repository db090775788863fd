/** Edges: both ends stand, the same two are related once, and what happens to an item happens to its edges. */
import assert from "node:assert/strict";
import { newEdge } from "../../../src/logic/memory/edge-id.ts";
import type { Change } from "../../../src/model/journal/change.ts";
import { EDGE_SHELVES, type Edge, type EdgeShelf } from "../../../src/model/memory/edge.ts";
import type { Item } from "../../../src/model/memory/item.ts";
import { type EdgeStore, type Make, type Trials, apply, applyInVain, put, removal, trialsOf } from "./trial.ts";

export const edgeBetween = (shelf: EdgeShelf, source: Item, target: Item, set: Partial<Edge> = {}): Edge =>
  newEdge({
    ...{ shelf, source: source.id, target: target.id, relation: "relates_to", strength: 0.5 },
    ...{ bidirectional: true, status: "active", createdAt: 7 },
    ...set,
  });

export const insert = (edge: Edge): Change => ({ kind: "insert_edge", edge });
export const remove = ({ shelf, id }: Edge): Change => ({ kind: "remove_edge", shelf, id });

export async function tie(
  store: EdgeStore,
  shelf: EdgeShelf,
  source: Item,
  target: Item,
  set: Partial<Edge> = {},
): Promise<Edge> {
  const edge = edgeBetween(shelf, source, target, set);
  await apply(store, insert(edge));
  return edge;
}

export const whole = async (store: EdgeStore): Promise<Edge[]> =>
  (await Promise.all(EDGE_SHELVES.map((shelf) => store.walkEdges(shelf, { after: null, limit: 100 })))).flat();

export function testEdges(make: Make<EdgeStore>): void {
  const trials = trialsOf(make);
  testWriting(trials);
  testReading(trials);
  testLeaving(trials);
}

function testWriting({ once }: Trials<EdgeStore>): void {
  for (const shelf of EDGE_SHELVES) {
    once(`an edge between two of ${shelf} comes and goes as it is`, async (store) => {
      const [one, two] = [await put(store, shelf), await put(store, shelf)];
      const set = { relation: "contradicts", strength: 0.25, bidirectional: false, status: "suggested" } as const;
      const edge = await tie(store, shelf, one, two, set);
      assert.deepEqual(await store.edges(shelf, [edge.id, "unknown"]), [edge]);
      await applyInVain(store, "insert_edge", insert({ ...edge, strength: 1 }));
      await apply(store, insert(edgeBetween(shelf, two, one, set)), remove(edge));
      assert.deepEqual(await store.edges(shelf, [edge.id]), []);
      await applyInVain(store, "remove_edge", remove(edge));
    });
    once(`an edge needs both its ends on ${shelf}`, async (store) => {
      const other = EDGE_SHELVES.find((name) => name !== shelf)!;
      const [here, there] = [await put(store, shelf), await put(store, other)];
      await applyInVain(store, "insert_edge", insert(edgeBetween(shelf, here, there)));
      await applyInVain(store, "insert_edge", insert(edgeBetween(shelf, there, here)));
      await applyInVain(store, "insert_edge", insert(edgeBetween(shelf, here, { ...here, id: "nowhere" })));
    });
  }
  once("a set that ends in a conflict leaves no edge", async (store) => {
    const [one, two] = [await put(store, "memory"), await put(store, "memory")];
    const edge = edgeBetween("memory", one, two);
    await applyInVain(store, "remove_item", insert(edge), removal("memory", { ...one, version: 9 }));
  });
}

function testReading({ once }: Trials<EdgeStore>): void {
  once("edges are read from either end, strongest first, so many for each item", async (store) => {
    const [hub, other, ...rest] = await Promise.all(Array.from({ length: 7 }, () => put(store, "memory")));
    const strengths = [0.2, 0.9, 0.5, 0.7, 0.1];
    for (const [index, far] of rest.entries()) {
      const [source, target] = index % 2 === 0 ? [hub!, far] : [far, hub!];
      await tie(store, "memory", source, target, { strength: strengths[index]! });
    }
    await tie(store, "memory", other!, rest[0]!, { strength: 0.05 });
    const strengthsOf = async (ids: string[], query: Parameters<EdgeStore["edgesOf"]>[2]) =>
      (await store.edgesOf("memory", ids, query)).map(({ strength }) => strength);
    assert.deepEqual(await strengthsOf([hub!.id], { limit: 3 }), [0.9, 0.7, 0.5]);
    assert.deepEqual(await strengthsOf([hub!.id, other!.id], { limit: 2 }), [0.9, 0.7, 0.05]);
    assert.deepEqual(await strengthsOf([rest[0]!.id, hub!.id], { limit: 9 }), [0.9, 0.7, 0.5, 0.2, 0.1, 0.05]);
    assert.deepEqual(await strengthsOf([], { limit: 9 }), []);
    assert.deepEqual(await store.edgesOf("decision", [hub!.id], { limit: 9 }), []);
    const first = await store.walkEdges("memory", { after: null, limit: 4 });
    const second = await store.walkEdges("memory", { after: first.at(-1)!.id, limit: 4 });
    const ids = [...first, ...second].map(({ id }) => id);
    assert.deepEqual([ids.length, ids], [6, ids.toSorted()]);
  });

  once("edges are chosen by their status and by that of the other end", async (store) => {
    const [one, two] = [await put(store, "decision"), await put(store, "decision")];
    const gone = await put(store, "decision", { status: "archived" });
    const active = await tie(store, "decision", one, two);
    const suggested = await tie(store, "decision", two, one, { relation: "refines", status: "suggested" });
    const forgotten = await tie(store, "decision", gone, one, { strength: 1 });
    const read = async (query: object) =>
      (await store.edgesOf("decision", [one.id], { limit: 1, ...query })).map(({ id }) => id);
    assert.deepEqual(await read({}), [forgotten.id]);
    assert.deepEqual(await read({ neighbours: ["active"], statuses: ["active"] }), [active.id]);
    assert.deepEqual(await read({ statuses: ["suggested"] }), [suggested.id]);
    assert.deepEqual(await read({ neighbours: ["superseded"] }), []);
  });
}

function testLeaving({ once }: Trials<EdgeStore>): void {
  once("an edge goes with either of its ends", async (store) => {
    const [one, two, three] = [await put(store, "memory"), await put(store, "memory"), await put(store, "memory")];
    await tie(store, "memory", one, two);
    await tie(store, "memory", three, one);
    const stays = await tie(store, "memory", two, three);
    await apply(store, removal("memory", one));
    assert.deepEqual(await whole(store), [stays]);
  });
}
