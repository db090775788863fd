/** The journal looked up by name: calls and ids of items that have gone; and who said what in them. */
import assert from "node:assert/strict";
import type { Turn } from "../../../../src/memory/shelves.ts";
import {
  apply,
  insertion,
  type JournalStore,
  newItem,
  newPassages,
  ORIGIN,
  put,
  removal,
  type Trials,
} from "../trial.ts";

export function testNames({ once }: Trials<JournalStore>): void {
  once("calls are found by their beginning and their handle, each once, also of one project alone", async (store) => {
    const calls = { "0199aaaa-0000-7000-8000-0000ab12cd34": "one", "0199aaaa-0000-7000-8000-0000ab12ff00": "two" };
    const [first, second] = Object.keys(calls);
    for (const [call, space] of Object.entries(calls))
      await store.apply([insertion("memory", newItem()), insertion("memory", newItem())], { ...ORIGIN, call, space });
    const find = (text: string, space?: string) => store.callsWithPrefix(text, { limit: 10, space });
    assert.deepEqual(await find("ab12cd34"), [first]);
    assert.deepEqual(await find("ab12"), [first, second]);
    assert.deepEqual(await find("0199aaaa"), [first, second]);
    assert.deepEqual(await find("ab12", "two"), [second]);
    assert.deepEqual(await find("ab12", "three"), []);
    assert.deepEqual(await store.callsWithPrefix("0199aaaa", { limit: 1 }), [first]);
    await store.apply([insertion("memory", newItem())], { ...ORIGIN, call: "" });
    assert.deepEqual(await find(""), [first, second], "what has no name is not found");
  });
  once("calls of a verb are counted from the last call of another", async (store) => {
    const call = (verb: string, name: string) =>
      store.apply([insertion("memory", newItem()), insertion("memory", newItem())], { ...ORIGIN, verb, call: name });
    const count = () => store.callsSince("extract", "merge");
    assert.equal(await count(), 0);
    for (const name of ["one", "one", "two"]) await call("extract", name);
    await call("remember", "three");
    await call("extract", "");
    assert.equal(await count(), 2, "each call once, however much it changed");
    await call("merge", "four");
    assert.equal(await count(), 0);
    await call("extract", "five");
    assert.equal(await count(), 1);
  });
  once("the journal knows what has gone", async (store) => {
    const gone = await put(store, "memory", { id: "0199aaaa-0000-7000-8000-0000dead0001" });
    await apply(store, removal("memory", gone));
    assert.deepEqual(await store.idsWithPrefix("memory", "dead0001", { now: null, limit: 10 }), []);
    assert.deepEqual(await store.journaledIds("dead0001", 10), [gone.id]);
    assert.deepEqual(await store.journaledIds(gone.id.slice(0, 20), 10), [gone.id]);
    assert.deepEqual(await store.journaledIds("dead0002", 10), []);
  });
  once("the journal keeps who said what of evidence that goes", async (store) => {
    const turn: Turn = { speaker: "Ann", role: null, at: 5 };
    const item = newItem();
    const [said, more] = newPassages(["a", "b"]);
    const change = { kind: "insert_item", shelf: "evidence", item, embed: true } as const;
    await apply(store, { ...change, passages: [{ ...said!, turn }, more!] }, removal("evidence", item));
    const { records } = await store.journal({ itemIds: [item.id] }, { limit: 1, offset: 0 });
    assert.deepEqual(records[0]?.passages, [{ ...said!, turn }, more!]);
  });
}
