/** What sessions are handed: candidates of the surface, kept surfaces, runs, and what was injected. */
import assert from "node:assert/strict";
import { type KeptSurface, RUNS_KEPT } from "../../../src/briefing/surface-lines.ts";
import type { Change } from "../../../src/journal/change.ts";
import { contentHash } from "../../../src/text/content-hash.ts";
import { apply, applyInVain, type ContextStore, type Make, put, trialsOf } from "./trial.ts";

const QUERY = { now: 5_000_000, types: ["fact", "gotcha"], ofEachType: 2, newest: 2, notable: 1 };

async function keeping(store: ContextStore, set: Partial<KeptSurface> = {}): Promise<Change> {
  const plain = { branch: "main", text: "text", tokens: 2, madeAt: 10, freshUntil: 20, madeFrom: "state" };
  const items: KeptSurface["items"] = [{ id: "a", shelf: "memory", category: "gotcha", rank: 0.5 }];
  const told: KeptSurface["told"] = { sources: ["earlier"], files: ["src/a.ts"], notes: ["note"] };
  const { hash: expectedHead } = await store.chainHead();
  return { kind: "keep_surface", surface: { ...plain, items, told, ...set }, expectedHead };
}

const injecting = (session: string, keys: string[], at = 1): Change => ({ kind: "note_injected", session, keys, at });

export function testContext(make: Make<ContextStore>): void {
  testCandidates(make);
  testKept(make);
  testInjected(make);
}

function testCandidates(make: Make<ContextStore>): void {
  const { once } = trialsOf(make);
  once("candidates are the best of each type, the newest, the most linked and the most read", async (store) => {
    const put3 = async (type: string) => [
      await put(store, "memory", { type, priority: 9, createdAt: 1 }),
      await put(store, "memory", { type, confidence: 0.5, priority: 9, createdAt: 2 }),
      await put(store, "memory", { type, priority: 5, createdAt: 3 }),
    ];
    const [facts, gotchas] = [await put3("fact"), await put3("gotcha")];
    const [read, linked, newest, last] = [
      await put(store, "memory", { priority: 1, accessCount: 7, createdAt: 4 }),
      await put(store, "memory", { priority: 1, createdAt: 5 }),
      await put(store, "memory", { priority: 1, createdAt: 100 }),
      await put(store, "memory", { priority: 1, createdAt: 101 }),
    ];
    await put(store, "memory", { type: "message", priority: 10, accessCount: 3, createdAt: 102 });
    for (const [number, source] of [facts[0]!, facts[1]!].entries())
      await apply(store, {
        kind: "insert_edge",
        edge: {
          id: `e${number}`,
          shelf: "memory",
          source: source.id,
          target: linked.id,
          relation: "relates_to",
          strength: 1,
          bidirectional: false,
          status: "active",
          createdAt: 1,
        },
      });
    const found = await store.surfaceCandidates(QUERY);
    const wanted = [facts[0], facts[2], gotchas[0], gotchas[2], read, linked, newest, last].map((item) => item!.id);
    assert.deepEqual(found.ids.toSorted(), wanted.toSorted());
    assert.deepEqual(found.newest, [last.id, newest.id]);
    assert.equal(found.mostAccesses, 7);
  });
  once("what is over, not yet valid, working, not visible or only printed by a tool is no candidate", async (store) => {
    const here = await put(store, "memory", { validUntil: QUERY.now + 1, expiresAt: QUERY.now + 1 });
    for (const status of ["archived", "superseded", "pruned"] as const) await put(store, "memory", { status });
    await put(store, "memory", { expiresAt: QUERY.now });
    await put(store, "memory", { validFrom: 0, validUntil: QUERY.now });
    await put(store, "memory", { validFrom: QUERY.now + 1 });
    await put(store, "memory", { scope: "working", expiresAt: QUERY.now + 1 });
    await put(store, "memory", { hash: "hash", details: { made: "hash" } });
    const said = { text: "\0", symbols: ["\ud800"], quoted: '"made":"worded"' };
    const worded = await put(store, "memory", { hash: "worded", details: { ...said, made: "hash" } });
    const foreign = await put(store, "memory", { scope: "global", details: { routedBy: "type", space: "other" } });
    const { ids } = await store.surfaceCandidates({ ...QUERY, ofEachType: 9, newest: 9, visibleIn: "here" });
    assert.deepEqual(ids.toSorted(), [here.id, worded.id].toSorted());
    const all = await store.surfaceCandidates({ ...QUERY, ofEachType: 9, newest: 9 });
    assert.deepEqual(all.ids.toSorted(), [here.id, foreign.id, worded.id].toSorted());
  });
}

function testKept(make: Make<ContextStore>): void {
  const { once } = trialsOf(make);
  once("a surface is kept for each branch, and the next one replaces it", async (store) => {
    assert.equal(await store.keptSurface("main"), null);
    await apply(store, await keeping(store), await keeping(store, { branch: "", text: "none" }));
    await apply(store, await keeping(store, { text: "newer", madeAt: 11 }));
    assert.deepEqual(await store.keptSurface("main"), {
      branch: "main",
      text: "newer",
      tokens: 2,
      madeAt: 11,
      freshUntil: 20,
      madeFrom: "state",
      items: [{ id: "a", shelf: "memory", category: "gotcha", rank: 0.5 }],
      told: { sources: ["earlier"], files: ["src/a.ts"], notes: ["note"] },
    });
    assert.equal((await store.keptSurface(""))?.text, "none");
  });
  once("one that was made before the last change is not kept", async (store) => {
    const late = await keeping(store);
    await put(store, "memory");
    await applyInVain(store, "keep_surface", late);
    assert.equal(await store.keptSurface("main"), null);
  });
  once("only so many branches are kept, those made last", async (store) => {
    for (let number = 0; number < 25; number += 1)
      await apply(store, await keeping(store, { branch: `b${number}`, madeAt: number }));
    assert.equal(await store.keptSurface("b0"), null);
    assert.equal((await store.keptSurface("b24"))?.madeAt, 24);
  });
  once("an erasure drops every kept surface", async (store) => {
    const item = await put(store, "memory");
    await apply(store, await keeping(store));
    await apply(store, { kind: "purge_items", ids: [item.id], queries: [] });
    assert.equal(await store.keptSurface("main"), null);
  });
  once("one that was made long ago goes with the events of its time", async (store) => {
    await apply(store, await keeping(store, { branch: "left", madeAt: 5 }), await keeping(store, { madeAt: 6 }));
    await apply(store, { kind: "drop_events", before: 6 });
    assert.equal(await store.keptSurface("left"), null);
    assert.equal((await store.keptSurface("main"))?.madeAt, 6);
  });
  once("the last runs are kept, newest first", async (store) => {
    const run = { branch: "main", tokens: 5, items: { gotcha: 2 }, ms: 3, isCached: true };
    for (let at = 0; at < RUNS_KEPT + 5; at += 1) await apply(store, { kind: "note_surface_run", run: { ...run, at } });
    const runs = await store.surfaceRuns(RUNS_KEPT * 2);
    assert.equal(runs.length, RUNS_KEPT);
    assert.deepEqual(runs[0], { ...run, at: RUNS_KEPT + 4 });
    assert.equal((await store.surfaceRuns(1)).length, 1);
  });
}

function testInjected(make: Make<ContextStore>): void {
  const { once } = trialsOf(make);
  once("what a session was given is known until it is cleared", async (store) => {
    await apply(store, injecting("s", ["a", "b"]), injecting("s", ["b", "c"], 2), injecting("t", ["a"]));
    assert.deepEqual([...(await store.injectedIn("s"))].toSorted(), ["a", "b", "c"]);
    await apply(store, { kind: "clear_injected", session: "s" });
    assert.deepEqual([...(await store.injectedIn("s"))], []);
    assert.deepEqual([...(await store.injectedIn("t"))], ["a"]);
  });
  once("what must be the first is refused, all of it, once any of it was given", async (store) => {
    await apply(store, { ...injecting("s", ["a", "b", "a"]), isFirst: true } as Change);
    await applyInVain(store, "note_injected", { ...injecting("s", ["b", "c"]), isFirst: true } as Change);
    assert.deepEqual([...(await store.injectedIn("s"))].toSorted(), ["a", "b"]);
  });
  once("it is dropped with the events of its time", async (store) => {
    await apply(store, injecting("s", ["old"], 5), injecting("s", ["new"], 6), { kind: "drop_events", before: 6 });
    assert.deepEqual([...(await store.injectedIn("s"))], ["new"]);
  });
  once("an erasure leaves no trace of the item, by its id, its text or its session", async (store) => {
    const item = await put(store, "memory", { session: "own" });
    const keys = [item.id, contentHash(item.content), "other"];
    await apply(store, injecting("s", keys), injecting("own", ["other"]));
    await apply(store, { kind: "purge_items", ids: [item.id], queries: [] });
    assert.deepEqual([...(await store.injectedIn("s"))], ["other"]);
    assert.deepEqual([...(await store.injectedIn("own"))], []);
  });
}
