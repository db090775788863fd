/** A server that may be away: asked when it is needed, left alone for a while, and found again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/errors.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import { whenReached } from "../../../src/store/team/away.ts";

function trial() {
  const state = { now: 0, isAway: false, opened: 0, asked: 0, told: [] as boolean[] };
  const lost = () => new Failure("unavailable", "Not reached.", "Check it.", { cause: refusedConnection() });
  const opened: Partial<Store> = {
    readOnly: true,
    fault: () => null,
    async spaces() {
      state.asked += 1;
      if (state.isAway) throw lost();
      return [];
    },
    async size(): Promise<never> {
      throw new Failure("unavailable", "The store is locked by another process.", "Try again.");
    },
    close: async () => undefined,
  };
  const store = whenReached({
    now: () => state.now,
    onAway: (isAway) => void state.told.push(isAway),
    async open() {
      state.opened += 1;
      if (state.isAway) throw lost();
      return opened as Store;
    },
  });
  return { state, store };
}

const refusedConnection = () => Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
const away = { code: "unavailable", message: "Not reached.", hint: /^Check it\. .*--scope working/ };

test("it is opened by the first question, once, and knows then whether it may be written", async () => {
  const { state, store } = trial();
  assert.deepEqual([state.opened, store.readOnly], [0, false]);
  await Promise.all([store.spaces(), store.spaces()]);
  assert.deepEqual([state.opened, state.asked, store.readOnly, state.told], [1, 2, true, []]);
  await store.close();
});

test("while it is away nobody waits for it twice, and it is found again", async () => {
  const { state, store } = trial();
  state.isAway = true;
  await assert.rejects(store.spaces(), away);
  await assert.rejects(store.spaces(), away);
  assert.deepEqual([state.opened, state.told], [1, [true]]);
  state.isAway = false;
  state.now = 10_000;
  await store.spaces();
  assert.deepEqual([state.opened, state.told], [2, [true, false]]);
});

test("one that is lost while it is open is away, too; one that only refuses a call is not", async () => {
  const { state, store } = trial();
  await store.spaces();
  await assert.rejects(store.size(), { message: /locked/, hint: "Try again." });
  assert.deepEqual(state.told, []);
  state.isAway = true;
  await assert.rejects(store.spaces(), away);
  assert.deepEqual(state.told, [true]);
  assert.equal(await store.goFirst(async () => "done"), "done");
});
