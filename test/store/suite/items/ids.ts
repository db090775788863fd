/** Ids by what is typed of them: their beginning, or that of their handle. */
import assert from "node:assert/strict";
import type { Shelf } from "../../../../src/memory/shelves.ts";
import { type ItemStore, put, type Trials } from "../trial.ts";

const query = { now: null, limit: 10 };

/** Another one for each shelf, so that a shelf that leaks into another shows. */
const idOn = (shelf: Shelf, tail: string): string => `0199aaaa-${shelf}-7000-8000-0000${tail}`;

async function putAll(store: ItemStore, shelf: Shelf, tails: readonly string[]): Promise<string[]> {
  const ids = tails.map((tail) => idOn(shelf, tail));
  for (const id of ids) await put(store, shelf, { id });
  return ids;
}

export function testIds(trials: Trials<ItemStore>): void {
  const { everyShelf } = trials;
  everyShelf("an id is found by its beginning and by that of its handle", async (store, shelf) => {
    const [one, two, three] = await putAll(store, shelf, ["ab12cd34", "ab12ff00", "00ab12cd"]);
    const find = (text: string, limit = 10) => store.idsWithPrefix(shelf, text, { now: null, limit });
    assert.deepEqual(await find("ab12cd34"), [one]);
    assert.deepEqual(await find("ab12"), [one, two]);
    assert.deepEqual(await find(one!), [one]);
    assert.deepEqual(await find(`0199aaaa-${shelf}`), [three, one, two]);
    assert.deepEqual(await find("12cd"), [], "the middle names nothing");
    assert.deepEqual(await find("ab12cd345"), []);
    assert.deepEqual(await find("%"), []);
    assert.equal((await find(`0199aaaa-${shelf}`, 2)).length, 2);
  });
  everyShelf("what begins with a text and has a handle that does is there once", async (store, shelf) => {
    const id = `${shelf}-both`;
    await put(store, shelf, { id: id.slice(-8) });
    assert.deepEqual(await store.idsWithPrefix(shelf, id.slice(-8), query), [id.slice(-8)]);
  });
  everyShelf("what has expired by then is left out, where a time is given", async (store, shelf) => {
    const id = idOn(shelf, "feed0001");
    await put(store, shelf, { id, expiresAt: 500 });
    const at = (now: number | null) => store.idsWithPrefix(shelf, "feed0001", { ...query, now });
    assert.deepEqual([await at(499), await at(500), await at(null)], [[id], [], [id]]);
  });
  everyShelf("the newest come first, and only so many", async (store, shelf) => {
    const made = [];
    for (const createdAt of [9_000_001, 9_000_003, 9_000_002]) made.push(await put(store, shelf, { createdAt }));
    assert.deepEqual(await store.newestIds(shelf, 2), [made[1]!.id, made[2]!.id]);
  });
}
