/** Edges on record: both sides of their coming and going, and nothing once they were erased. */
import assert from "node:assert/strict";
import { insert, remove, tie, whole } from "../edges.ts";
import { type JournalStore, ORIGIN, type Trials, apply, put, removal } from "../trial.ts";

const ALL = { limit: 100, offset: 0 };

export function testEdgeRecords(trials: Trials<JournalStore>): void {
  testRecord(trials);
  testErasure(trials);
}

function testRecord({ once }: Trials<JournalStore>): void {
  once("an edge's coming and going are on record with both sides, and the chain holds", async (store) => {
    const [one, two] = [await put(store, "decision"), await put(store, "decision")];
    const edge = await tie(store, "decision", one, two);
    await apply(store, remove(edge));
    const again = { ...edge, strength: 1 };
    await apply(store, insert(again));
    const { records } = await store.journal({ itemIds: [edge.id] }, ALL);
    const absent = { item: null, edge: null, why: "absent" };
    assert.deepEqual(
      records.map(({ kind, shelf, before, after }) => [kind, shelf, before, after]),
      [
        ["insert_edge", "decision", absent, { item: null, edge: again }],
        ["remove_edge", "decision", { item: null, edge }, absent],
        ["insert_edge", "decision", absent, { item: null, edge }],
      ],
    );
    assert.equal((await store.chainHead()).length, (await store.chain(1, 100)).length);
  });

  once("an item that is removed takes its edges with it, on record before it", async (store) => {
    const [one, two, three] = [await put(store, "memory"), await put(store, "memory"), await put(store, "memory")];
    const edges = [await tie(store, "memory", one, two), await tie(store, "memory", three, one)];
    const stays = await tie(store, "memory", two, three);
    await apply(store, removal("memory", one));
    assert.deepEqual(await whole(store), [stays]);
    const { records } = await store.journal({}, { limit: 3, offset: 0 });
    assert.deepEqual(
      records.map(({ kind }) => kind),
      ["remove_item", "remove_edge", "remove_edge"],
    );
    const before = records.slice(1).map((record) => "edge" in record.before && record.before.edge);
    assert.deepEqual(before.toReversed(), edges);
  });

  once("what ties a working memory is not on record, and goes when that one is evicted", async (store) => {
    const [stays, works] = [await put(store, "memory"), await put(store, "memory", { scope: "working" })];
    const head = await store.chainHead();
    await tie(store, "memory", stays, works);
    await apply(store, { kind: "evict_items", shelf: "memory", ids: [works.id, stays.id] });
    assert.deepEqual(await whole(store), []);
    assert.deepEqual(await store.chainHead(), head);
  });
}

function testErasure({ once }: Trials<JournalStore>): void {
  once("an erased item leaves nothing of its edges, present or past, but that they were erased", async (store) => {
    const [one, two, three] = [await put(store, "memory"), await put(store, "memory"), await put(store, "memory")];
    const present = await tie(store, "memory", one, two);
    const past = await tie(store, "memory", three, one);
    const stays = await tie(store, "memory", two, three);
    await apply(store, remove(past), remove(stays), insert(stays));
    await store.apply([{ kind: "purge_items", ids: [one.id], queries: [] }], { ...ORIGIN, verb: "forget" });
    assert.deepEqual(await whole(store), [stays]);
    const entries = await store.chain(1, 100);
    const kept = entries.filter(({ payload }) => payload !== null);
    assert.deepEqual(
      kept.map(({ kind, itemId }) => [kind, itemId]),
      [["remove_edge", stays.id]],
    );
    const erased = entries.filter(({ kind }) => kind === "purge_items").map(({ itemId }) => itemId);
    assert.deepEqual(erased.toSorted(), [one.id, present.id, past.id].toSorted());
    const { records } = await store.journal({ itemIds: [past.id, present.id] }, ALL);
    assert.deepEqual(
      records.map(({ kind, before }) => [kind, "edge" in before && "why" in before && before.why]).toSorted(),
      [
        ["insert_edge", "absent"],
        ["insert_edge", "absent"],
        ["purge_items", "absent"],
        ["purge_items", "erased"],
        ["remove_edge", "erased"],
      ],
    );
  });
}
