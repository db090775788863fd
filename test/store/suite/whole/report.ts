/** What a store tells of itself. */
import assert from "node:assert/strict";
import type { AccessKind } from "../../../../src/journal/change.ts";
import type { Store } from "../../../../src/store/store.ts";
import { active, adopt, apply, direction, embedWaiting, idsOf, put, type Trials } from "../trial.ts";

export function testReport({ once, everyShelf }: Trials<Store>): void {
  once("a report counts what is there", async (store) => {
    const empty = await store.report();
    assert.deepEqual([empty.counts, empty.embeddable, empty.embedders], [[], 0, []]);
    assert.ok(empty.bytes > 0 && empty.schema > 0 && empty.path !== "");
    await put(store, "memory");
    await put(store, "memory");
    await put(store, "memory", { type: "gotcha", status: "archived" });
    await put(store, "code", { scope: "global" }, { embed: false });
    await adopt(store, "patient", 1);
    await embedWaiting(store, () => direction(0), { embedder: "done" });
    const { counts, embeddable, embedders, journalLength } = await store.report();
    assert.deepEqual(counts.map((count) => Object.values(count).join(" ")).toSorted(), [
      "code global fact active 1",
      "memory project fact active 2",
      "memory project gotcha archived 1",
    ]);
    assert.deepEqual([embeddable, journalLength - empty.journalLength], [3, 3]);
    const expected = [
      { identity: "patient", waiting: 3 },
      { identity: "done", waiting: 0 },
    ];
    assert.deepEqual(embedders, expected, "the one used last comes first");
  });
  everyShelf("a report counts accesses by their kind", async (store, shelf) => {
    const { id } = await put(store, shelf);
    const before = (await store.report()).accesses;
    for (const how of ["get", "shown", "search", "search"] as const)
      await apply(store, { kind: "touch_items", shelf, touches: [{ id, how, relevance: null }], query: null, at: 1 });
    const since = Object.entries((await store.report()).accesses);
    const counted = since.map(([how, count]) => [how, count - before[how as AccessKind]]);
    assert.deepEqual(Object.fromEntries(counted), { get: 1, search: 2, shown: 1 });
  });
  once("whoever goes first can write meanwhile, and gets the answer or the error of the work", async (store) => {
    const { id } = await store.goFirst(() => put(store, "memory"));
    assert.deepEqual(idsOf(await store.items("memory", [id])), [id]);
    const failing = store.goFirst(async () => {
      throw new Error("of the work");
    });
    await assert.rejects(failing, /of the work/);
  });
  once("compacting keeps everything that is there", async (store) => {
    const items = [await put(store, "memory"), await put(store, "evidence")];
    assert.equal(await store.compact(), true);
    assert.deepEqual(idsOf(await store.items("memory", [items[0]!.id])), [items[0]!.id]);
    assert.deepEqual(idsOf(await store.keyword("evidence", { terms: ["content"] }, active, 9)), [items[1]!.id]);
  });
}
