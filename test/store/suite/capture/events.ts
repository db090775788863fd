/** Events: each noted once, found by session, kind and time, and dropped when they are old. */
import assert from "node:assert/strict";
import type { EventQuery } from "../../../../src/store/store.ts";
import {
  apply,
  applyInVain,
  type CaptureStore,
  insertion,
  type Make,
  newItem,
  ORIGIN,
  put,
  removal,
  trialsOf,
} from "../trial.ts";
import { event, noting } from "./steps.ts";

export function testEvents(make: Make<CaptureStore>): void {
  const { once } = trialsOf(make);
  once("an event is kept as it was noted, outside the journal", async (store) => {
    assert.deepEqual(await store.captureCounts(), { events: 0, checkpoints: 0, lastEventAt: null });
    const whole = event("a", { payload: { text: 'a "quoted"\nline', items: ["x"], exit: 1, none: null } });
    const applied = await store.apply(noting(whole, event("b", { turn: null, at: 20 })), ORIGIN);
    assert.deepEqual(applied, { status: "applied", transaction: null });
    assert.deepEqual(await store.events({ ids: ["a"], limit: 9 }), [whole]);
    assert.equal((await store.events({ ids: ["b"], limit: 9 }))[0]!.turn, null);
    assert.deepEqual(await store.knownEvents(["b", "c", "a"]), new Set(["a", "b"]));
    assert.deepEqual(await store.captureCounts(), { events: 2, checkpoints: 0, lastEventAt: 20 });
    assert.equal((await store.chainHead()).length, 0);
  });
  once("an event that is noted already is refused with everything else in its transaction", async (store) => {
    await apply(store, ...noting(event("a")));
    await applyInVain(store, "note_event", insertion("memory", newItem()), ...noting(event("a", { at: 30 })));
    await applyInVain(store, "note_event", ...noting(event("b"), event("b")));
    const ten = Array.from({ length: 10 }, () => store.apply(noting(event("c")), ORIGIN));
    const applied = (await Promise.all(ten)).filter(({ status }) => status === "applied");
    assert.equal(applied.length, 1);
  });
  once("sessions leave traces by events, changes and memories; upkeep and extraction leave none", async (store) => {
    assert.deepEqual(await store.sessionTraces(), []);
    await apply(
      store,
      ...noting(
        event("a", { session: "one", at: 10, payload: { host: "codex" } }),
        event("b", { session: "one", kind: "session_end", at: 30, payload: { host: "claude-code" } }),
        event("c", { session: "two", at: 20, payload: {} }),
      ),
    );
    await put(store, "memory", { session: "three", host: "mcp", createdAt: 40 });
    await put(store, "memory", { session: "four", source: "extraction", createdAt: 50 });
    const insertions = [
      insertion("memory", newItem({ session: "five", scope: "working", expiresAt: 99, createdAt: 60 })),
    ];
    await store.apply(insertions, { ...ORIGIN, verb: "maintain", session: "nobody" });
    const traces = await store.sessionTraces();
    const of = (session: string, by: string) => traces.find((trace) => trace.session === session && trace.by === by);
    assert.deepEqual(of("one", "event"), { session: "one", host: "claude-code", by: "event", lastAt: 30, endedAt: 30 });
    assert.deepEqual(of("two", "event"), { session: "two", host: "", by: "event", lastAt: 20, endedAt: null });
    assert.deepEqual(of("three", "write"), { session: "three", host: "mcp", by: "write", lastAt: 40, endedAt: null });
    assert.equal(of("five", "write")?.lastAt, 60);
    // The changes themselves were made by the session of the origin.
    assert.deepEqual([...new Set(traces.map(({ session }) => session))].toSorted(), [
      ..."five one session three two".split(" "),
    ]);
  });
  const ITEM = "0198c0de-0000-7000-8000-00000000000a";
  once("sessions are outlined by everything they left, the last first", async (store) => {
    await apply(
      store,
      ...noting(
        event("a", { session: "one", at: 10, payload: { host: "codex" } }),
        event("b", { session: "one", kind: "session_end", at: 30, payload: {} }),
        event("c", { session: "", at: 20, payload: {} }),
      ),
      { kind: "note_injected", session: "one", keys: ["x", "y", ITEM], at: 12 },
    );
    await put(store, "memory", { session: "one", createdAt: 25 });
    await put(store, "evidence", { session: "two", host: "mcp", createdAt: 40 });
    const counts = { memories: 0, proposals: 0, evidence: 0, injected: 0, reported: 0 };
    const [last, first] = await store.sessionOutlines({ before: 100, limit: 10 });
    assert.deepEqual(last, {
      session: "two",
      host: "mcp",
      firstAt: 40,
      lastAt: 40,
      endedAt: null,
      ...counts,
      evidence: 1,
    });
    assert.deepEqual(
      { ...first, host: "" },
      {
        session: "one",
        host: "",
        firstAt: 10,
        lastAt: 30,
        endedAt: 30,
        ...counts,
        memories: 1,
        injected: 1,
        reported: 5,
      },
    );
    const names = async (page: { before: number; limit: number }) =>
      (await store.sessionOutlines(page)).map(({ session }) => session);
    assert.deepEqual(await names({ before: 100, limit: 1 }), ["two"]);
    assert.deepEqual(await names({ before: 40, limit: 9 }), ["one"]);
  });
  const queries: [EventQuery & { limit?: number }, string][] = [
    [{}, "e d c b a"],
    [{ session: "one" }, "d c a"],
    [{ session: "nobody" }, ""],
    [{ kinds: ["tool", "failure"] }, "e d"],
    [{ session: "one", kinds: ["prompt"] }, "c a"],
    [{ since: 30 }, "e d c"],
    [{ before: 30 }, "b a"],
    [{ since: 20, before: 40 }, "c b"],
    [{ ids: ["a", "e", "z"] }, "e a"],
    [{ ids: [] }, ""],
    [{ kinds: [] }, ""],
    [{ session: "one", since: 30, limit: 1 }, "d"],
  ];
  once("events are found by session, kind and time, newest first", async (store) => {
    await apply(
      store,
      ...noting(
        event("a"),
        event("b", { session: "two", at: 20 }),
        event("c", { at: 30 }),
        event("d", { kind: "tool", at: 40 }),
        event("e", { kind: "failure", session: "two", at: 50 }),
      ),
    );
    for (const [{ limit = 9, ...query }, expected] of queries) {
      const found = await store.events({ ...query, limit });
      assert.equal(found.map(({ id }) => id).join(" "), expected, JSON.stringify(query));
      if (limit === 9) assert.equal(await store.eventCount(query), found.length, JSON.stringify(query));
    }
  });
  once("old events are dropped, the others stay", async (store) => {
    await apply(store, ...noting(event("a"), event("b", { at: 20 }), event("c", { at: 30 })));
    await apply(store, { kind: "drop_events", before: 20 });
    await apply(store, { kind: "drop_events", before: 20 });
    assert.deepEqual(await store.knownEvents(["a", "b", "c"]), new Set(["b", "c"]));
    assert.equal((await store.chainHead()).length, 0);
  });
}

/** Evidence is measured with the rest of what sessions leave behind. */
export function testEvidenceSize(make: Make<CaptureStore>): void {
  const { once } = trialsOf(make);
  once("evidence is measured since a time, in bytes, without what is gone", async (store) => {
    assert.deepEqual(await store.evidenceSize(0), { items: 0, bytes: 0 });
    await put(store, "evidence", { content: "zwölf", createdAt: 10 });
    const late = await put(store, "evidence", { content: "elf", createdAt: 20 });
    await put(store, "memory", { content: "no evidence" });
    assert.deepEqual(await store.evidenceSize(0), { items: 2, bytes: 9 });
    assert.deepEqual(await store.evidenceSize(20), { items: 1, bytes: 3 });
    const below = [await store.isEvidenceBelow(9), await store.isEvidenceBelow(10), await store.isEvidenceBelow(1e12)];
    assert.deepEqual(below, [false, true, true]);
    await apply(store, removal("evidence", late));
    assert.deepEqual(await store.evidenceSize(11), { items: 0, bytes: 0 });
  });
}
