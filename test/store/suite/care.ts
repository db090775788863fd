/** What maintenance reads and drops: memories as they age, old records, statistics, and the size of the file. */
import assert from "node:assert/strict";
import { chainWalk } from "../../../src/journal/chain.ts";
import { droppedName } from "../../../src/journal/journal.ts";
import type { AgingMemory } from "../../../src/maintenance/figures.ts";
import { apply, type CareStore, FOREVER, type Make, put, removal, revision, type Trials, trialsOf } from "./trial.ts";

const DAY_MS = 86_400_000;

export function testCare(make: Make<CareStore>): void {
  const trials = trialsOf(make);
  testAging(trials);
  testRecords(trials);
  testStatistics(trials);
}

async function allAging(store: CareStore, before: number, rows: number): Promise<AgingMemory[]> {
  const all: AgingMemory[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: { memories: AgingMemory[]; next: number | null } = await store.aging(before, { after, rows });
    assert.ok(page.memories.length <= rows);
    all.push(...page.memories);
    after = page.next;
  }
  return all;
}

function testAging({ once }: Trials<CareStore>): void {
  once("memories are read as they age, page by page, without those that never do", async (store) => {
    const [early, late] = [{ updatedAt: 10 }, { updatedAt: 20 }];
    const plain = await put(store, "memory", { ...early, details: { byAgent: true, space: "s" } });
    const archived = await put(store, "memory", {
      ...early,
      status: "archived",
      scope: "global",
      details: { agreed: true },
    });
    const pruned = await put(store, "memory", { ...early, status: "pruned", details: { reworded: true } });
    await put(store, "memory", late);
    await put(store, "memory", { ...early, pinned: true });
    await put(store, "memory", { ...early, status: "superseded" });
    await put(store, "memory", { ...early, scope: "working", expiresAt: FOREVER });
    await put(store, "decision", early);
    for (const rows of [1, 3, 100]) {
      const found = await allAging(store, 15, rows);
      assert.deepEqual(
        found.map(({ id, status, byAgent, agreed, reworded }) => [id, status, byAgent, agreed, reworded]),
        [
          [plain.id, "active", true, false, false],
          [archived.id, "archived", false, true, false],
          [pruned.id, "pruned", false, false, true],
        ],
        `${rows} rows a page`,
      );
      const { type, scope, source, host, pinned, confidence, createdAt, updatedAt, accessedAt, accessCount } = plain;
      const own = {
        id: plain.id,
        status: "active",
        byAgent: true,
        agreed: false,
        reworded: false,
        summary: plain.summary,
      };
      const times = { createdAt, updatedAt, accessedAt, accessCount };
      assert.deepEqual(found[0], { ...own, type, scope, source, host, pinned, confidence, ...times });
    }
    assert.deepEqual(await allAging(store, 9, 100), []);
  });
}

function testRecords({ once }: Trials<CareStore>): void {
  once("old entries of the access log are found and dropped, the others stay", async (store) => {
    const { id } = await put(store, "memory");
    const touches = [{ id, how: "search" as const, relevance: 0.5 }];
    for (const at of [1, 2, 3])
      await apply(store, { kind: "touch_items", shelf: "memory", touches, query: `q${at}`, at });
    const old = await store.agedAccesses(3, { after: 0, limit: 9 });
    assert.equal(old.length, 2);
    assert.deepEqual(await store.agedAccesses(3, { after: old[0]!, limit: 9 }), [old[1]]);
    assert.deepEqual(await store.agedAccesses(3, { after: 0, limit: 1 }), [old[0]]);
    await apply(store, { kind: "drop_accesses", numbers: [...old, 99] });
    assert.deepEqual(await store.agedAccesses(FOREVER, { after: 0, limit: 9 }), [old[1]! + 1]);
    assert.deepEqual(await store.queriesFor([id]), ["q3"]);
  });
  once("old states in the journal are dropped, which it says, and the chain holds", async (store) => {
    const items = [await put(store, "memory"), await put(store, "decision"), await put(store, "proposal")];
    const shelves = ["memory", "decision", "proposal"] as const;
    for (const [index, item] of items.entries())
      await apply(store, revision(shelves[index]!, item, { title: "second" }));
    await apply(store, removal("memory", { ...items[0]!, version: 2 }));
    assert.deepEqual(await store.agedPayloads(0, { after: 0, limit: 9 }), []);
    const old = await store.agedPayloads(FOREVER, { after: 0, limit: 9 });
    assert.deepEqual(old, [4, 7], "those of decisions and proposals stay");
    assert.deepEqual(await store.agedPayloads(FOREVER, { after: 4, limit: 9 }), [7]);
    await apply(store, { kind: "drop_payloads", numbers: [4, 5] });
    const entries = await store.chain(1, 99);
    const kept = entries.filter(({ payload }) => payload).map(({ seq }) => seq);
    assert.deepEqual(kept, [5, 6, 7]);
    assert.deepEqual([entries.at(-1)!.kind, entries.at(-1)!.itemId], ["drop_payloads", droppedName(5)]);
    const head = await store.chainHead();
    const walk = chainWalk(head);
    walk.add(entries);
    assert.deepEqual(walk.finish(head).problems, []);
    const { records } = await store.journal({ itemIds: [items[0]!.id] }, { limit: 9, offset: 0 });
    assert.deepEqual(
      records.map(({ before }) => ("why" in before ? before.why : "kept")),
      ["kept", "erased", "absent"],
    );
    const [drop] = (await store.journal({}, { limit: 1, offset: 0 })).records;
    assert.deepEqual([drop!.before, drop!.after], Array(2).fill({ item: null, why: "absent" }));
  });
  once("dropping nothing leaves no trace", async (store) => {
    await apply(store, { kind: "drop_payloads", numbers: [] }, { kind: "drop_accesses", numbers: [] });
    assert.equal((await store.chainHead()).length, 0);
  });
}

function testStatistics({ once }: Trials<CareStore>): void {
  const now = 1_000 * DAY_MS;
  once("statistics count active memories by age, use and tag", async (store) => {
    const aged = (days: number, set = {}) => put(store, "memory", { createdAt: now - days * DAY_MS, ...set });
    const often = await aged(0.5, { accessCount: 7, accessedAt: 5, tags: ["a", "b"] });
    const rarely = await aged(3, { accessCount: 2, tags: ["b"] });
    for (const days of [29, 31, 364, 400, 900]) await aged(days);
    await aged(1, { status: "archived", accessCount: 99, tags: ["a", "gone"] });
    await aged(1, { scope: "working", expiresAt: now, tags: ["gone"] });
    const statistics = await store.statistics(now);
    assert.deepEqual(statistics.ages, [1, 1, 1, 1, 1, 2]);
    const byDay = [31, 29, 3, 1].map((days) => ({ day: 1_000 - days, count: 1 }));
    assert.deepEqual(statistics.days, byDay, "half a day ago was the day before");
    assert.equal(statistics.neverRecalled, 5);
    assert.deepEqual(statistics.mostRecalled, [
      { id: often.id, summary: often.summary, accessCount: 7, accessedAt: 5 },
      { id: rarely.id, summary: rarely.summary, accessCount: 2, accessedAt: rarely.accessedAt },
    ]);
    assert.deepEqual(statistics.tags, [
      { tag: "b", count: 2 },
      { tag: "a", count: 1 },
    ]);
    assert.deepEqual([statistics.edges, statistics.cachedVectors, statistics.maintainedAt], [[], 0, null]);
  });
  once("they count edges and cached vectors too, and know the last maintenance", async (store) => {
    assert.deepEqual(await store.clockMarks(), { settledAt: null, pendingAt: null });
    const [a, b] = [await put(store, "memory"), await put(store, "memory")];
    const edge = { shelf: "memory", source: a.id, target: b.id, relation: "relates_to", strength: 1 } as const;
    const rest = { bidirectional: false, createdAt: 1 };
    await apply(
      store,
      { kind: "insert_edge", edge: { id: "one", ...edge, ...rest, status: "active" } },
      { kind: "insert_edge", edge: { id: "two", ...edge, ...rest, relation: "refines", status: "suggested" } },
      {
        kind: "cache_vectors",
        embedder: "e",
        at: 1,
        entries: [{ hash: "h", vector: { values: new Int8Array(8), scale: 1 } }],
      },
      { kind: "note_maintenance", at: 5, marks: { settledAt: 3, pendingAt: 5 } },
      { kind: "note_maintenance", at: 7, marks: { settledAt: null, pendingAt: 5 } },
    );
    const { edges, cachedVectors, maintainedAt } = await store.statistics(now);
    assert.deepEqual(edges, [
      { shelf: "memory", status: "active", count: 1 },
      { shelf: "memory", status: "suggested", count: 1 },
    ]);
    assert.deepEqual([cachedVectors, maintainedAt], [1, 7]);
    assert.deepEqual(await store.clockMarks(), { settledAt: null, pendingAt: 5 });
  });
  once("the size tells how much of the file is free", async (store) => {
    const { bytes, freeBytes } = await store.size();
    assert.ok(bytes > 0 && freeBytes >= 0 && freeBytes < bytes);
  });
}
