/**
 * Edges: both ends stand, the same two are related once, and what happens to an item happens to its edges. Made edges
 * give way to stated ones, and are made once for each text.
 */
import assert from "node:assert/strict";
import { type Edge, EDGE_SHELVES, type EdgeShelf, newEdge } from "../../../src/graph/edges.ts";
import type { Change } from "../../../src/journal/change.ts";
import type { Item } from "../../../src/memory/item.ts";
import {
  apply,
  applyInVain,
  type EdgeStore,
  insertion,
  type Make,
  newItem,
  ORIGIN,
  put,
  removal,
  revision,
  type Trials,
  trialsOf,
} from "./trial.ts";

export const edgeBetween = (shelf: EdgeShelf, source: Item, target: Item, set: Partial<Edge> = {}): Edge =>
  newEdge({
    shelf,
    source: source.id,
    target: target.id,
    relation: "relates_to",
    strength: 0.5,
    bidirectional: true,
    status: "active",
    createdAt: 7,
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
  testNear(trials);
  testLeaving(trials);
  testInDegrees(trials);
  testSources(trials);
  testCounts(trials);
  testMaking(trials);
  testWaiting(trials);
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

function testNear({ once }: Trials<EdgeStore>): void {
  once("what an item is near is read from either end, replaced as a whole, and goes with the item", async (store) => {
    const [one, two, three] = [await put(store, "memory"), await put(store, "memory"), await put(store, "decision")];
    const pair = (older: Item, olderShelf: "memory" | "decision", nearness: number) =>
      ({ newer: two.id, newerShelf: "memory", older: older.id, olderShelf, nearness, kind: null }) as const;
    const first = [pair(one, "memory", 0.75), { ...pair(three, "decision", 0.5), kind: "contradicts" as const }];
    await apply(store, { kind: "note_near", id: two.id, pairs: first });
    assert.deepEqual(await store.nearPairs([two.id]), first);
    assert.deepEqual(await store.nearPairs([three.id]), [first[1]]);
    await apply(store, { kind: "note_near", id: two.id, pairs: [first[0]!] });
    assert.deepEqual(await store.nearPairs([three.id]), []);
    await apply(store, removal("memory", one));
    assert.deepEqual(await store.nearPairs([two.id]), []);
  });
  once("a shelf that is none is not believed, nor a verdict that is none", async (store) => {
    const [one, two] = [await put(store, "memory"), await put(store, "memory")];
    const ends = { newer: two.id, older: one.id, nearness: 1, kind: null };
    const nowhere = "memory_item, memory" as never;
    for (const shelves of [
      { newerShelf: nowhere, olderShelf: "memory" },
      { newerShelf: "memory", olderShelf: nowhere },
    ] as const) {
      await apply(store, { kind: "note_near", id: two.id, pairs: [{ ...ends, ...shelves }] });
      assert.deepEqual([await store.nearPairs([one.id]), await store.nearPairs([two.id])], [[], []]);
    }
    const edge = await tie(store, "memory", one, two, { verdict: { as: "both", when: 5 } as never });
    const { verdict: _, ...plain } = edge;
    assert.deepEqual(await store.edges("memory", [edge.id]), [plain]);
  });
  once("a dry run fails as the change itself does", async (store) => {
    const [one, two] = [await put(store, "memory"), await put(store, "memory")];
    const pair = { newer: two.id, newerShelf: "memory", older: one.id, olderShelf: "memory", kind: null } as const;
    const change: Change = { kind: "note_near", id: two.id, pairs: [{ ...pair, nearness: 2 }] };
    for (const dryRun of [false, true]) await assert.rejects(store.apply([change], ORIGIN, { dryRun }));
  });
  once("an edge keeps what was settled", async (store) => {
    const [one, two] = [await put(store, "memory"), await put(store, "memory")];
    const edge = await tie(store, "memory", one, two, { verdict: { as: "both", by: "person", when: "in tests" } });
    assert.deepEqual(await store.edges("memory", [edge.id]), [edge]);
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

  once("edges are chosen by relation, strength and direction", async (store) => {
    const hub = await crossing(store);
    const read = async (query: object) =>
      (await store.edgesOf("memory", [hub.id], { limit: 9, ...query })).map(({ strength }) => strength);
    assert.deepEqual(await read({}), [0.9, 0.7, 0.5, 0.3, 0.1]);
    assert.deepEqual(await read({ direction: "outgoing" }), [0.9, 0.3, 0.1], "what holds both ways is both");
    assert.deepEqual(await read({ direction: "incoming" }), [0.9, 0.7, 0.5]);
    assert.deepEqual(await read({ relations: ["refines"] }), [0.5, 0.1]);
    assert.deepEqual(await read({ relations: ["refines", "relates_to"], direction: "outgoing" }), [0.9, 0.1]);
    assert.deepEqual(await read({ minimumStrength: 0.5 }), [0.9, 0.7, 0.5]);
    assert.deepEqual(await read({ minimumStrength: 0.2, relations: ["derived_from"] }), [0.3]);
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

/** A memory with two edges from it, two to it and one that holds both ways, each as strong as it is named. */
async function crossing(store: EdgeStore): Promise<Item> {
  const items = await Promise.all(Array.from({ length: 6 }, () => put(store, "memory")));
  const [hub, ...rest] = items as [Item, ...Item[]];
  const tying: [number, Edge["relation"], "out" | "in", boolean][] = [
    [0.1, "refines", "out", false],
    [0.3, "derived_from", "out", false],
    [0.5, "refines", "in", false],
    [0.7, "exemplifies", "in", false],
    [0.9, "relates_to", "in", true],
  ];
  for (const [index, [strength, relation, way, bidirectional]] of tying.entries()) {
    const [source, target] = way === "out" ? [hub, rest[index]!] : [rest[index]!, hub];
    await tie(store, "memory", source, target, { strength, relation, bidirectional });
  }
  return hub;
}

function testInDegrees({ once }: Trials<EdgeStore>): void {
  once("active edges are counted where they lead to, as they come and go", async (store) => {
    const items = await Promise.all(Array.from({ length: 5 }, () => put(store, "memory")));
    const [hub, other, one, two, three] = items as [Item, Item, Item, Item, Item];
    const ids = [...items.map(({ id }) => id), "unknown"];
    const degrees = async () => {
      const { of, most } = await store.inDegrees(ids);
      return [of.get(hub.id), of.get(other.id), of.size, most];
    };
    assert.deepEqual(await degrees(), [undefined, undefined, 0, 0]);
    const edge = await tie(store, "memory", one, hub);
    await tie(store, "memory", two, hub);
    await tie(store, "memory", three, hub, { relation: "refines" });
    await tie(store, "memory", hub, other);
    await tie(store, "memory", one, other, { status: "suggested" });
    await tie(store, "memory", two, other, { status: "dismissed" });
    assert.deepEqual(await degrees(), [3, 1, 2, 3], "neither suggested nor dismissed");
    const ranks = new Map((await store.outlines("memory", ids)).map(({ id, rank }) => [id, rank ?? 0]));
    assert.ok(ranks.get(hub.id)! > 0, "a hub has a standing");
    assert.equal(ranks.get(other.id), 0, "a single edge gives none");
    await apply(store, remove(edge));
    assert.deepEqual(await degrees(), [2, 1, 2, 2]);
    await apply(store, removal("memory", hub));
    assert.deepEqual(await degrees(), [undefined, undefined, 0, 0], "an item's edges go with it");
  });
}

function testSources({ once }: Trials<EdgeStore>): void {
  const degree = async (store: EdgeStore, { id }: Item) => (await store.inDegrees([id])).of.get(id) ?? 0;

  once("only edges from active, lasting memories count, whatever becomes of those", async (store) => {
    const hub = await put(store, "memory");
    const works = await put(store, "memory", { scope: "working" });
    const archived = await put(store, "memory", { status: "archived" });
    const sources = await Promise.all(Array.from({ length: 3 }, () => put(store, "memory")));
    for (const source of [works, archived, ...sources]) await tie(store, "memory", source, hub);
    assert.equal(await degree(store, hub), 3);
    let one = sources[0]!;
    const become = async (set: Partial<Item>) => {
      await apply(store, revision("memory", one, set));
      one = { ...one, ...set, version: one.version + 1 };
      return degree(store, hub);
    };
    for (const status of ["superseded", "pruned", "archived"] as const) assert.equal(await become({ status }), 2);
    assert.equal(await become({ status: "active" }), 3);
    assert.equal(await become({ priority: 9 }), 3);
    await apply(store, revision("memory", works, { scope: "project" }));
    assert.equal(await degree(store, hub), 4);
    await apply(store, revision("memory", archived, { status: "pruned" }), removal("memory", one));
    assert.equal(await degree(store, hub), 3);
    await apply(store, removal("memory", { ...archived, version: 2 }));
    assert.equal(await degree(store, hub), 3, "what did not count is not taken away");
  });
  once("a memory that leads to another in two ways counts once", async (store) => {
    const [hub, source, other] = [await put(store, "memory"), await put(store, "memory"), await put(store, "memory")];
    const edges = [
      await tie(store, "memory", source, hub),
      await tie(store, "memory", source, hub, { relation: "refines" }),
      await tie(store, "memory", source, hub, { relation: "exemplifies", status: "suggested" }),
    ];
    await tie(store, "memory", other, hub);
    assert.equal(await degree(store, hub), 2);
    await apply(store, revision("memory", source, { status: "archived" }));
    assert.equal(await degree(store, hub), 1);
    await apply(store, revision("memory", { ...source, version: 2 }, { status: "active" }));
    assert.equal(await degree(store, hub), 2);
    await apply(store, remove(edges[0]!));
    assert.equal(await degree(store, hub), 2, "the second one still leads there");
    await apply(store, remove(edges[1]!));
    assert.equal(await degree(store, hub), 1, "a suggestion does not");
  });
  once("what leads to a replaced memory counts for its successor, each source once", async (store) => {
    const [first, second, third, last] = await Promise.all(Array.from({ length: 4 }, () => put(store, "memory")));
    const sources = await Promise.all(Array.from({ length: 4 }, () => put(store, "memory")));
    const lead = (from: number, to: Item) => tie(store, "memory", sources[from]!, to);
    await lead(0, first!);
    await lead(1, first!);
    await lead(1, second!);
    await lead(2, second!);
    await lead(3, third!);
    await tie(store, "memory", last!, first!, { relation: "derived_from", bidirectional: false });
    const replace = (item: Item, by: Item) =>
      apply(store, revision("memory", item, { status: "superseded", supersededBy: by.id }));
    await replace(first!, third!);
    assert.equal(await degree(store, third!), 4, "of which one leads from what is not in its line");
    await replace(second!, last!);
    await replace(third!, last!);
    assert.equal(await degree(store, last!), 4, "not itself, and the one that leads to two of them once");
    const rankOf = async ({ id }: Item) => (await store.outlines("memory", [id]))[0]!.rank;
    assert.equal(await rankOf(last!), 0.4, "a search reads the same");
    await apply(store, revision("memory", { ...second!, version: 2 }, { status: "active", supersededBy: null }));
    assert.equal(await degree(store, last!), 3, "a rollback takes back what came with it");
  });
}

/** The in-degree of each memory, counted anew from all edges and items. */
async function countedAnew(store: EdgeStore, ids: readonly string[]): Promise<Map<string, number>> {
  const items = await store.items("memory", ids);
  const counting = new Set(items.filter(({ status, scope }) => status === "active" && scope !== "working").map(({ id }) => id)); // prettier-ignore
  const edges = await store.edgesOf("memory", ids, { statuses: ["active"], limit: 1_000 });
  const degrees = new Map<string, number>();
  for (const head of items) {
    const line = new Set([head.id]);
    for (const id of line) for (const { id: old, supersededBy } of items) if (supersededBy === id) line.add(old);
    const leading = edges.filter(
      ({ source, target }) => line.has(target) && counting.has(source) && source !== head.id,
    );
    const count = new Set(leading.map(({ source }) => source)).size;
    if (count > 0) degrees.set(head.id, count);
  }
  return degrees;
}

function testCounts({ once }: Trials<EdgeStore>): void {
  once("the counts are those of the edges and items, whatever happens to either", async (store) => {
    const ids: string[] = [];
    let drawn = 7;
    const draw = (below: number) => (drawn = (drawn * 48_271) % 2_147_483_647) % below;
    const some = async () => (await store.items("memory", [ids[draw(ids.length)]!]))[0]!;
    const actions: (() => Promise<Change[]>)[] = [
      async () => {
        const item = newItem({ scope: draw(3) === 0 ? "working" : "project" });
        ids.push(item.id);
        return [insertion("memory", item)];
      },
      async () => {
        const [one, two, status] = [await some(), await some(), (["active", "suggested"] as const)[draw(2)]!];
        const relation = (["relates_to", "refines"] as const)[draw(2)]!;
        const edge = edgeBetween("memory", one, two, { status, relation });
        const isNew = one.id !== two.id && (await store.edges("memory", [edge.id])).length === 0;
        return isNew ? [insert(edge)] : [];
      },
      async () => (await store.edgesOf("memory", [(await some()).id], { limit: 1 })).map(remove),
      async () => {
        const statuses = ["active", "archived", "pruned"] as const;
        return [revision("memory", await some(), { status: statuses[draw(3)]!, supersededBy: null })];
      },
      async () => [revision("memory", await some(), { scope: draw(2) === 0 ? "project" : "working" })],
      async () => {
        const [older, newer] = [await some(), await some()].toSorted((one, two) => (one.id < two.id ? -1 : 1));
        if (older === newer || older!.id === newer!.id) return [];
        return [revision("memory", older!, { status: "superseded", supersededBy: newer!.id })];
      },
      async () => {
        if (ids.length < 8) return [];
        const item = await some();
        ids.splice(ids.indexOf(item.id), 1);
        return [removal("memory", item)];
      },
    ];
    for (let step = 0; step < 200; step += 1) {
      const changes = await actions[ids.length < 6 ? 0 : step % 3 === 0 ? 1 : draw(actions.length)]!();
      if (changes.length > 0) await apply(store, ...changes);
      if (step % 10 === 0) assert.deepEqual((await store.inDegrees(ids)).of, await countedAnew(store, ids));
    }
  });
}

const madeEdge = (source: Item, target: Item, strength: number): Edge =>
  edgeBetween("memory", source, target, {
    strength,
    made: true,
    status: strength >= 0.4 && strength < 0.5 ? "suggested" : "active",
  });

/** Links everything that waits, by these edges. */
async function make(store: EdgeStore, made: Edge[], removed: string[] = []): Promise<void> {
  const { after, upTo } = (await store.unlinked(1_000))!;
  await apply(store, { kind: "link_memories", after, upTo, removed, made });
}

const shown = (store: EdgeStore, { id }: Item) => store.edgesOf("memory", [id], { limit: 9 });

function testMaking({ once }: Trials<EdgeStore>): void {
  once("made edges are read like others, but are not among the stated ones", async (store) => {
    const [one, two, three] = [await put(store, "memory"), await put(store, "memory"), await put(store, "memory")];
    const edges = [madeEdge(three, one, 0.7), madeEdge(three, two, 0.45)];
    await make(store, edges);
    assert.deepEqual(await shown(store, three), edges);
    assert.deepEqual((await store.edges("memory", [edges[0]!.id])).length, 1);
    assert.deepEqual(await whole(store), []);
    const nobody = { of: new Map(), most: 0 };
    assert.deepEqual(await store.inDegrees([one.id, two.id]), nobody, "nor do they count towards the in-degree");
    const degree = async () => (await store.inDegrees([one.id])).of.get(one.id) ?? 0;
    const stated = await tie(store, "memory", three, one, { relation: "refines" });
    assert.equal(await degree(), 1);
    await apply(store, revision("memory", three, { status: "archived" }));
    assert.equal(await degree(), 0);
    await apply(store, revision("memory", { ...three, version: 2 }, { status: "active" }));
    assert.equal(await degree(), 1);
    await apply(store, remove(stated));
    assert.equal(await degree(), 0, "what was made between the two counts again, but not here");
    await apply(store, revision("memory", one, { status: "superseded", supersededBy: two.id }));
    assert.deepEqual(await store.inDegrees([two.id]), nobody, "nor for a successor");
    await apply(store, removal("memory", { ...three, version: 3 }));
    assert.deepEqual(await store.inDegrees([two.id]), nobody);
  });
  once("what is stated dismisses what was made between the two, for as long as it is there", async (store) => {
    const [one, two] = [await put(store, "memory"), await put(store, "memory")];
    const edge = madeEdge(two, one, 0.45);
    await make(store, [edge]);
    const stated = await tie(store, "memory", one, two, { relation: "refines" });
    const again = await tie(store, "memory", two, one, { relation: "contradicts", status: "dismissed" });
    const of = async () => (await shown(store, one)).map(({ id, status }) => [id, status]);
    assert.deepEqual(new Map((await of()) as [string, string][]).get(edge.id), "dismissed");
    await apply(store, remove(stated));
    assert.deepEqual(new Map((await of()) as [string, string][]).get(edge.id), "dismissed", "one is still stated");
    await apply(store, remove(again));
    assert.deepEqual(await of(), [[edge.id, "suggested"]], "as it was made");
  });
  once("linking again replaces the made edges it names, and nothing that was stated", async (store) => {
    const items = await Promise.all(Array.from({ length: 4 }, () => put(store, "memory")));
    const [one, two, three, four] = items as [Item, Item, Item, Item];
    const old = [madeEdge(one, two, 0.3), madeEdge(three, one, 0.3)];
    const stays = madeEdge(three, two, 0.3);
    await make(store, [...old, stays]);
    const stated = await tie(store, "memory", one, four);
    await put(store, "memory");
    const fresh = madeEdge(one, three, 0.8);
    const impossible = [madeEdge(one, four, 0.8), madeEdge(one, { ...two, id: "gone" }, 0.8)];
    await make(store, [fresh, ...impossible], [...old.map(({ id }) => id), stated.id, "unknown"]);
    assert.deepEqual(await shown(store, one), [fresh, stated]);
    assert.deepEqual(await shown(store, two), [stays], "others keep theirs");
  });
  once("of very many made edges to one memory the strongest are kept, however they came", async (store) => {
    const [hub, ...others] = await Promise.all(Array.from({ length: 121 }, () => put(store, "memory")));
    const edges = others.map((other, index) => madeEdge(other, hub!, (300 + ((index * 37) % 120)) / 1_000));
    await make(store, edges.slice(0, 60));
    await put(store, "memory");
    const stated = await tie(store, "memory", hub!, others[0]!, { strength: 0.1, relation: "refines" });
    await make(store, edges.slice(60));
    const kept = await store.edgesOf("memory", [hub!.id], { limit: 1_000 });
    const strongest = edges.toSorted((one, two) => two.strength - one.strength).slice(0, 100);
    assert.deepEqual(new Set(kept.map(({ id }) => id)), new Set([...strongest, stated].map(({ id }) => id)));
  });
  once("made and stated edges are read apart", async (store) => {
    const [one, two, three] = [await put(store, "memory"), await put(store, "memory"), await put(store, "memory")];
    const made = madeEdge(two, one, 0.3);
    await make(store, [made]);
    const stated = await tie(store, "memory", three, one);
    const read = (isMade: boolean) => store.edgesOf("memory", [one.id], { made: isMade, limit: 9 });
    assert.deepEqual([await read(true), await read(false)], [[made], [stated]]);
  });
}

function testWaiting({ once }: Trials<EdgeStore>): void {
  once("what is written waits until it is linked, once; a new text waits again", async (store) => {
    assert.equal(await store.unlinked(9), null);
    const [one, two] = [await put(store, "memory"), await put(store, "memory", {}, { texts: ["a", "b", "c"] })];
    await put(store, "decision");
    assert.deepEqual((await store.unlinked(9))!.ids, [one.id, two.id]);
    const first = (await store.unlinked(2))!;
    assert.deepEqual(first.ids, [one.id], "a memory waits until all of it had its turn");
    const ahead = (await store.unlinked(9, first.upTo))!;
    assert.deepEqual(
      [ahead.after, ahead.ids],
      [first.upTo, [two.id]],
      "whoever has a mark of their own reads on from it",
    );
    assert.equal(await store.unlinked(9, ahead.upTo), null);
    const among = (after: number) => store.unlinkedAmong([one.id, two.id, "unknown"], after);
    assert.deepEqual((await among(first.after)).toSorted(), [one.id, two.id].toSorted());
    assert.deepEqual([await among(first.upTo), await among(ahead.upTo)], [[two.id], []]);
    const link: Change = { kind: "link_memories", after: first.after, upTo: first.upTo, removed: [], made: [] };
    await apply(store, link);
    await applyInVain(store, "link_memories", link);
    const second = (await store.unlinked(9))!;
    assert.deepEqual([second.after, second.ids], [first.upTo, [two.id]]);
    await apply(store, { kind: "link_memories", after: second.after, upTo: second.upTo, removed: [], made: [] });
    assert.equal(await store.unlinked(9), null);
    await apply(store, revision("memory", one, { priority: 9 }));
    assert.equal(await store.unlinked(9), null, "its text is the same");
    await apply(store, revision("memory", { ...one, version: 2 }, { content: "new" }, ["new"]));
    assert.deepEqual((await store.unlinked(9))!.ids, [one.id]);
    await apply(store, removal("memory", { ...one, version: 3 }));
    assert.equal(await store.unlinked(9), null, "what is gone does not wait");
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
