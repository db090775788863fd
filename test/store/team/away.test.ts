/** A server that may be away: asked when it is needed, left alone for a while, and found again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/errors.ts";
import { unknownOutcome } from "../../../src/store/postgres/failures.ts";
import type { Store } from "../../../src/store/store.ts";
import { whenReached } from "../../../src/store/team/away.ts";
import { ORIGIN } from "../suite/trial.ts";

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

const hiddenTable = () => Object.assign(new Error("no table"), { code: "42P01" });
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

/** A server that hides the tables while nobody has a role; a slow call goes on meanwhile. */
function hiding() {
  const state = { now: 0, isHidden: false, opened: 0, closed: [] as number[], told: [] as boolean[] };
  const slow = Promise.withResolvers<void>();
  const store = whenReached({
    now: () => state.now,
    onAway: (isAway) => void state.told.push(isAway),
    async open() {
      const number = (state.opened += 1);
      const refuseClosed = () => {
        if (state.closed.includes(number)) throw new Failure("unavailable", "The store is closed.", "Open it again.");
      };
      const found: Partial<Store> = {
        readOnly: false,
        async spaces() {
          refuseClosed();
          if (state.isHidden) throw new Failure("unavailable", "Gone.", "Ask.", { cause: hiddenTable() });
          return [];
        },
        async redactedBy() {
          await slow.promise;
          refuseClosed();
          return "rules";
        },
        async clockMarks(): Promise<never> {
          await slow.promise;
          throw new Failure("unavailable", "Gone.", "Ask.", { cause: hiddenTable() });
        },
        close: async () => void state.closed.push(number),
      };
      return found as Store;
    },
  });
  return { state, store, goOn: slow.resolve };
}

test("a connection that sees no tables any more is left, and closed when the calls beside have ended", async () => {
  const { state, store, goOn } = hiding();
  await store.spaces();
  const beside = store.redactedBy();
  state.isHidden = true;
  await assert.rejects(store.spaces(), { message: "Gone." });
  assert.deepEqual([state.closed, state.told], [[], [true]]);
  goOn();
  assert.equal(await beside, "rules");
  assert.deepEqual([state.closed, state.told], [[1], [true]], "the answer of the old connection says nothing");
});

test("a late failure on a connection that was left takes nothing from the next one", async () => {
  const { state, store, goOn } = hiding();
  await store.spaces();
  const beside = store.clockMarks();
  state.isHidden = true;
  await assert.rejects(store.spaces(), { message: "Gone." });
  Object.assign(state, { isHidden: false, now: 10_000 });
  await store.spaces();
  goOn();
  await assert.rejects(beside, { message: "Gone.", hint: /--scope working/ });
  await store.spaces();
  assert.deepEqual([state.opened, state.closed, state.told], [2, [1], [true, false]]);
});

test("closing ends the connection that is open, and one that was left and is still in use", async () => {
  const { state, store, goOn } = hiding();
  await store.spaces();
  const beside = store.redactedBy();
  state.isHidden = true;
  await assert.rejects(store.spaces(), { message: "Gone." });
  Object.assign(state, { isHidden: false, now: 10_000 });
  await store.spaces();
  await store.close();
  assert.deepEqual(state.closed.toSorted(), [1, 2]);
  goOn();
  await assert.rejects(beside, { message: "The store is closed." });
});

test("closed while it is being opened: it is closed once, and whoever closes waits for that", async () => {
  const opening = Promise.withResolvers<void>();
  let closed = 0;
  const found: Partial<Store> = {
    async spaces() {
      if (closed > 0) throw new Failure("unavailable", "The store is closed.", "Open it again.");
      return [];
    },
    close: async () => void (closed += 1),
  };
  const store = whenReached({
    now: () => 0,
    onAway: () => undefined,
    open: () => opening.promise.then(() => found as Store),
  });
  const calls = [store.spaces(), store.spaces()].map((call) =>
    assert.rejects(call, { message: "The store is closed." }),
  );
  const closing = store.close();
  opening.resolve();
  await closing;
  assert.equal(closed, 1);
  await Promise.all(calls);
  assert.equal(closed, 1);
});

test("whoever does not know whether a change was stored is not told to store it elsewhere", async () => {
  const told: boolean[] = [];
  const found: Partial<Store> = {
    apply: () => Promise.reject(unknownOutcome(refusedConnection())),
    close: async () => undefined,
  };
  const store = whenReached({
    now: () => 0,
    onAway: (isAway) => void told.push(isAway),
    open: async () => found as Store,
  });
  await assert.rejects(store.apply([], ORIGIN), { message: /not known whether/, hint: /^Look with [^.]*\.$/ });
  assert.deepEqual(told, []);
});
