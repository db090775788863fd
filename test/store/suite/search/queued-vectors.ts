/** Vectors that come through the queue: whose they are, and which of them count. */
import assert from "node:assert/strict";
import { DAY_MS, lease, textsOf, threeWaiting, vectorsFor, waits } from "../queue.ts";
import {
  EMBEDDER,
  type SearchStore,
  type Trials,
  active,
  adopt,
  apply,
  direction,
  embedWaiting,
  idsOf,
  put,
  removal,
  revision,
} from "../trial.ts";

export function testQueuedVectors({ once, everyShelf }: Trials<SearchStore>): void {
  once("vectors are taken from the holder alone", async (store) => {
    const [one, two, three] = await threeWaiting(store);
    const numbers = [one!, two!, three!].map(({ passage }) => passage);
    const done = async () => {
      const query = { embedder: EMBEDDER, vector: direction(0) };
      const has = (await store.cosines("memory", query, numbers)).filter((cosine) => cosine !== null);
      return [has.length, await store.waitingCount(EMBEDDER)];
    };
    await apply(store, vectorsFor([one!], "a"));
    assert.deepEqual(await done(), [0, 3], "without a lease");
    await apply(store, lease([one!], "a", [10, 20]), lease([two!], "b", [10, 20]));
    await apply(store, vectorsFor([one!, two!], "a"));
    assert.deepEqual(await done(), [1, 2], "the other's is left");
    await apply(store, lease([two!], "a", [20, 30]));
    await apply(store, vectorsFor([two!], "b"));
    assert.deepEqual(await done(), [1, 2], "one that came too late");
    await apply(store, vectorsFor([two!], "a"));
    assert.deepEqual(await done(), [2, 1]);
  });
  once("what was removed or rewritten while it was embedded is skipped", async (store) => {
    await adopt(store);
    const removed = await put(store, "memory");
    const rewritten = await put(store, "memory");
    const waiting = await waits(store);
    assert.equal(waiting.length, 2);
    await apply(store, lease(waiting, "a", [0, 10]));
    await apply(store, removal("memory", removed), revision("memory", rewritten, {}, ["other words"]));
    await apply(store, vectorsFor(waiting, "a"));
    assert.deepEqual(await store.nearest("memory", { embedder: EMBEDDER, vector: direction(0) }, active, 9), []);
    assert.deepEqual(textsOf(await waits(store)), ["other words"]);
  });
  everyShelf("adopting again only says that it is in use", async (store, shelf) => {
    const embedder = `${shelf} again`;
    const item = await put(store, shelf);
    await adopt(store, embedder, 5);
    const held = await waits(store, 0, embedder);
    await apply(store, lease(held.slice(0, 1), "a", [0, 100], embedder));
    await adopt(store, embedder, 9);
    assert.equal(await store.embedderUsedAt(embedder), 9);
    assert.equal((await waits(store, 50, embedder)).length, held.length - 1, "what is held is still held");
    await apply(store, vectorsFor(held.slice(0, 1), "a", embedder));
    await embedWaiting(store, () => direction(0), { embedder });
    await adopt(store, embedder, 10);
    assert.equal(await store.waitingCount(embedder), 0);
    const found = await store.nearest(shelf, { embedder, vector: direction(0) }, active, 99);
    assert.ok(idsOf(found).includes(item.id));
  });
  everyShelf("each embedder has its own queue and its own vectors, and undoes no other's", async (store, shelf) => {
    const [first, second] = [`${shelf} first`, `${shelf} second`];
    const look = (embedder: string, axis: number) =>
      store.nearest(shelf, { embedder, vector: direction(axis) }, active, 99);
    const scoreOf = async (embedder: string, axis: number, id: string) =>
      (await look(embedder, axis)).find(({ itemId }) => itemId === id)?.score ?? null;
    const old = await put(store, shelf);
    await embedWaiting(store, () => direction(1), { embedder: first });
    await embedWaiting(store, () => direction(2), { embedder: second });
    assert.deepEqual([await store.waitingCount(first), await store.waitingCount(second)], [0, 0]);
    const own = [await scoreOf(first, 1, old.id), await scoreOf(second, 2, old.id)];
    assert.ok(
      own.every((score) => score! > 0.99),
      `${own}`,
    );
    assert.ok((await scoreOf(first, 2, old.id))! < 0.9, "nobody sees the other's vector");

    const fresh = await put(store, shelf, {}, { texts: ["one", "two"] });
    assert.deepEqual([await store.waitingCount(first), await store.waitingCount(second)], [2, 2]);
    await embedWaiting(store, () => direction(1), { embedder: first });
    assert.deepEqual([await store.waitingCount(first), await store.waitingCount(second)], [0, 2]);
    assert.equal(await scoreOf(second, 2, fresh.id), null);
    await apply(store, removal(shelf, fresh));
    assert.deepEqual([await store.waitingCount(first), await store.waitingCount(second)], [0, 0]);
    for (const embedder of [first, second]) assert.notEqual(await store.embedderUsedAt(embedder), null);
  });
  once("vectors on their way for an embedder that has gone do not count", async (store) => {
    await adopt(store, "old");
    await put(store, "memory");
    const waiting = await waits(store, 0, "old");
    await apply(store, lease(waiting, "a", [0, 30 * DAY_MS], "old"));
    await adopt(store, "new", 8 * DAY_MS);
    await apply(store, vectorsFor(waiting, "a", "old"));
    await adopt(store, "old", 8 * DAY_MS);
    assert.deepEqual(await waits(store, 10, "old"), waiting, "nor does the lease");
    assert.deepEqual(await store.nearest("memory", { embedder: "old", vector: direction(0) }, active, 9), []);
  });
}
