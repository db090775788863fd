/** The journal: what is on record, both sides of every change, and a chain that can move to another store. */
import assert from "node:assert/strict";
import { CHAIN_START, chainWalk, entryHash, payloadHash } from "../../../../src/journal/chain.ts";
import type { Change } from "../../../../src/journal/change.ts";
import type { ChainEntry, ChangeRecord, Image } from "../../../../src/journal/journal.ts";
import type { Item } from "../../../../src/memory/item.ts";
import { type Shelf, SHELVES } from "../../../../src/memory/shelves.ts";
import type { JournalQuery } from "../../../../src/store/store.ts";
import {
  apply,
  applyInVain,
  everything,
  FOREVER,
  insertion,
  type JournalStore,
  newItem,
  newPassages,
  ORIGIN,
  put,
  removal,
  revision,
  type Trials,
} from "../trial.ts";

export function testJournaling(trials: Trials<JournalStore>): void {
  testQueries(trials);
  testImages(trials);
  testWorkingImages(trials);
  testPayloads(trials);
  testChain(trials);
  testChainOfSetsTogether(trials);
  testAdoption(trials);
  testVersions(trials);
}

const ALL = { limit: 1_000, offset: 0 };
const purge = (...ids: string[]): Change => ({ kind: "purge_items", ids, queries: [] });
type Side = ChangeRecord["before"];
const ABSENT: Image = { item: null, why: "absent" };
const ERASED: Image = { item: null, why: "erased" };
const NOT_KEPT: Image = { item: null, why: "not kept" };

/** A chain as another store might have written it. */
function chainOf(sets: readonly Partial<ChainEntry>[]): ChainEntry[] {
  const entries: ChainEntry[] = [];
  for (const [index, set] of sets.entries()) {
    const { payload = null } = set;
    const entry = {
      seq: index + 1,
      transaction: index + 1,
      at: 1_000 + index,
      ...ORIGIN,
      payload,
      kind: "insert_item" as const,
      shelf: "memory" as const,
      itemId: `elsewhere-${index}`,
      ...set,
      payloadHash: payload && payloadHash(payload),
    };
    entries.push({ ...entry, hash: entryHash(entries.at(-1)?.hash ?? CHAIN_START, entry) });
  }
  return entries;
}

const adoption = (entries: ChainEntry[]): Change => ({ kind: "adopt_journal", entries });

async function numbers(store: JournalStore, query: JournalQuery, page = ALL): Promise<[seqs: number[], total: number]> {
  const { records, total } = await store.journal(query, page);
  return [records.map(({ seq }) => seq), total];
}

function testQueries({ once }: Trials<JournalStore>): void {
  once("changes are found by item, call, verb and time, newest first, and in pages", async (store) => {
    const [a, b] = [
      { itemId: "a", verb: "remember", call: "one" },
      { itemId: "b", verb: "update", call: "two" },
    ];
    await apply(store, adoption(chainOf([a, b, { ...a, verb: "update" }, { ...b, call: "one" }, a])));
    const found: [JournalQuery, number[]][] = [
      [{}, [5, 4, 3, 2, 1]],
      [{ itemIds: ["a"] }, [5, 3, 1]],
      [{ itemIds: ["b", "a", "nobody"] }, [5, 4, 3, 2, 1]],
      [{ itemIds: [] }, []],
      [{ calls: ["two"] }, [2]],
      [{ calls: ["one", "two"], verb: "update" }, [4, 3, 2]],
      [{ verb: "forget" }, []],
      [{ shelf: "memory", itemIds: ["a"] }, [5, 3, 1]],
      [{ shelf: "decision" }, []],
      [{ after: 1_002 }, [5, 4, 3]],
      [{ before: 1_002 }, [2, 1]],
      [{ through: 3 }, [3, 2, 1]],
      [{ through: 2, itemIds: ["a"] }, [1]],
      [{ after: 1_001, before: 1_004, itemIds: ["a"], calls: ["one"], verb: "update" }, [3]],
    ];
    for (const [query, seqs] of found) {
      assert.deepEqual(await numbers(store, query), [seqs, seqs.length], JSON.stringify(query));
      assert.deepEqual(await numbers(store, query, { limit: 2, offset: 1 }), [seqs.slice(1, 3), seqs.length]);
    }
    assert.deepEqual(await numbers(store, {}, { limit: 2, offset: 9 }), [[], 5]);
  });
  once("the latest calls are told once each, newest first, and only those that have a name", async (store) => {
    const calls = ["one", "one", "", "two", "one", "three", ""];
    await apply(store, adoption(chainOf(calls.map((call) => ({ call })))));
    const told = async (limit: number) => (await store.latestCalls(limit)).map(({ call, at }) => `${call} ${at}`);
    assert.deepEqual(await told(9), ["three 1005", "one 1004", "two 1003"]);
    assert.deepEqual([await told(2), await told(0)], [["three 1005", "one 1004"], []]);
  });
  once("the latest calls of one project are told apart from those of others", async (store) => {
    const made = ["here", "there", "", "here", "there"].map((space, index) => ({ space, call: `${index}` }));
    await apply(store, adoption(chainOf(made)));
    const told = async (limit: number) => (await store.latestCalls(limit, "here")).map(({ call }) => call);
    assert.deepEqual([await told(9), await told(1)], [["3", "0"], ["3"]]);
    assert.deepEqual(
      (await store.chain(1, 9)).map(({ space }) => space),
      made.map(({ space }) => space),
    );
  });
}

/** Both sides of every change of an item, oldest first. */
async function sides(store: JournalStore, id: string, shelf?: Shelf): Promise<[ChangeRecord["kind"], Side, Side][]> {
  const { records } = await store.journal({ itemIds: [id] }, ALL);
  const own = records.filter((record) => shelf === undefined || record.shelf === shelf);
  return own.toReversed().map(({ kind, before, after }) => [kind, before, after]);
}

const JOURNALED = ["memory", "decision", "proposal"] as const;

function testImages({ once }: Trials<JournalStore>): void {
  once("what came of a change is what the next one found, or what is there now", async (store) => {
    for (const shelf of JOURNALED) {
      const first = await put(store, shelf);
      const touches = [{ id: first.id, how: "search" as const, relevance: null }];
      await apply(store, { kind: "touch_items", shelf, touches, query: null, at: first.accessedAt });
      const read = { ...first, accessCount: 1 };
      assert.deepEqual(await sides(store, first.id), [["insert_item", ABSENT, { item: read }]]);
      await apply(store, revision(shelf, first, { title: "second" }));
      const second = { ...read, title: "second", version: 2 };
      await apply(store, revision(shelf, second, { title: "third" }), removal(shelf, { ...second, version: 3 }));
      const third = { ...second, title: "third", version: 3 };
      assert.deepEqual(await sides(store, first.id), [
        ["insert_item", ABSENT, { item: read }],
        ["revise_item", { item: read }, { item: second }],
        ["revise_item", { item: second }, { item: third }],
        ["remove_item", { item: third }, ABSENT],
      ]);
    }
  });
  once("an id on two shelves has two stories", async (store) => {
    const item = newItem();
    await apply(store, insertion("proposal", item), insertion("decision", item));
    await apply(store, revision("decision", item, { title: "decided" }), removal("proposal", item));
    const decided = { ...item, title: "decided", version: 2 };
    assert.deepEqual(await sides(store, item.id, "proposal"), [
      ["insert_item", ABSENT, { item }],
      ["remove_item", { item }, ABSENT],
    ]);
    assert.deepEqual(await sides(store, item.id, "decision"), [
      ["insert_item", ABSENT, { item }],
      ["revise_item", { item }, { item: decided }],
    ]);
  });
  once("evidence is told whole while it is there and when it went, then with its passages", async (store) => {
    const item = newItem();
    const passages = newPassages(["one speaker", "another"]).map((passage) => ({
      ...passage,
      heading: "h",
      endLine: 4,
    }));
    await apply(store, { kind: "insert_item", shelf: "evidence", item, passages, embed: false });
    await apply(store, revision("evidence", item, { status: "archived" }));
    const archived: Item = { ...item, status: "archived", version: 2 };
    assert.deepEqual(await sides(store, item.id), [
      ["insert_item", ABSENT, { item }],
      ["revise_item", { item }, { item: archived }],
    ]);
    await apply(store, removal("evidence", archived));
    assert.deepEqual(await sides(store, item.id), [
      ["insert_item", ABSENT, NOT_KEPT],
      ["revise_item", { item }, { item: archived }],
      ["remove_item", { item: archived }, ABSENT],
    ]);
    const { records } = await store.journal({ itemIds: [item.id] }, ALL);
    assert.deepEqual(
      records.map((record) => record.passages),
      [passages, null, null],
    );
  });
  once("of evidence only the state before a change is told, and nothing once more was changed", async (store) => {
    const item = await put(store, "evidence");
    await apply(store, revision("evidence", item, { status: "archived" }));
    const archived: Item = { ...item, status: "archived", version: 2 };
    await apply(store, revision("evidence", archived, { status: "active", updatedAt: 9 }));
    const back: Item = { ...item, version: 3, updatedAt: 9 };
    assert.deepEqual(await sides(store, item.id), [
      ["insert_item", ABSENT, { item }],
      ["revise_item", { item }, { item: archived }],
      ["revise_item", { item: archived }, { item: back }],
    ]);
    await apply(store, revision("evidence", back, { title: "another" }));
    assert.deepEqual(await sides(store, item.id), [
      ["insert_item", ABSENT, NOT_KEPT],
      ["revise_item", NOT_KEPT, NOT_KEPT],
      ["revise_item", NOT_KEPT, NOT_KEPT],
      ["revise_item", NOT_KEPT, { item: { ...back, title: "another", version: 4 } }],
    ]);
  });
  once("what was erased is told as erased, what came after it is not", async (store) => {
    const item = await put(store, "memory");
    await apply(store, revision("memory", item, { title: "second" }));
    await apply(store, purge(item.id));
    await apply(store, insertion("memory", item));
    const story = [
      ["insert_item", ABSENT, ERASED],
      ["revise_item", ERASED, ERASED],
      ["purge_items", ERASED, ABSENT],
    ];
    assert.deepEqual(await sides(store, item.id), [...story, ["insert_item", ABSENT, { item }]]);
    await apply(store, removal("memory", item), purge(item.id), purge(item.id));
    assert.deepEqual(await sides(store, item.id), [
      ...story,
      ["insert_item", ABSENT, ERASED],
      ["remove_item", ERASED, ABSENT],
      ["purge_items", ABSENT, ABSENT],
      ["purge_items", ABSENT, ABSENT],
    ]);
  });
}

function testWorkingImages({ once }: Trials<JournalStore>): void {
  once("what became permanent and working again is told, until it leaves without a word", async (store) => {
    const working = await put(store, "memory", { scope: "working", expiresAt: FOREVER });
    const promoted: Item = { ...working, scope: "project", expiresAt: null, version: 2 };
    await apply(store, revision("memory", working, { scope: "project", expiresAt: null }));
    const set = { scope: "working", expiresAt: FOREVER } as const;
    await apply(store, { ...revision("memory", promoted, set), version: 1 } as Change);
    assert.deepEqual(await sides(store, working.id), [
      ["revise_item", { item: working }, { item: promoted }],
      ["revise_item", { item: promoted }, { item: working }],
    ]);
    await apply(store, { kind: "evict_items", shelf: "memory", ids: [working.id] });
    const [, gone] = await sides(store, working.id);
    assert.deepEqual(gone, ["revise_item", { item: promoted }, NOT_KEPT]);
    await apply(store, insertion("memory", { ...promoted, version: 1 }));
    assert.deepEqual((await sides(store, working.id)).slice(1), [
      ["revise_item", { item: promoted }, NOT_KEPT],
      ["insert_item", ABSENT, { item: { ...promoted, version: 1 } }],
    ]);
  });
}

function testPayloads({ once }: Trials<JournalStore>): void {
  once("only what was there before is kept, and nothing of working items and files", async (store) => {
    for (const shelf of SHELVES) {
      const from = (await store.chainHead()).length + 1;
      const kept = async () => (await store.chain(from, 9)).map(({ payload }) => payload && JSON.parse(payload.text));
      const working = await put(store, shelf, { scope: "working", expiresAt: FOREVER, path: "w" });
      await apply(store, revision(shelf, working, { title: "still" }), removal(shelf, { ...working, version: 2 }));
      assert.deepEqual(await kept(), []);
      const item = await put(store, shelf, { path: "p" });
      await apply(store, revision(shelf, item, { title: "second" }, ["words"]));
      const second = { ...item, title: "second", version: 2 };
      await apply(store, removal(shelf, second));
      if (shelf === "document" || shelf === "code") assert.deepEqual(await kept(), []);
      else if (shelf !== "evidence") assert.deepEqual(await kept(), [null, { before: item }, { before: second }]);
      else {
        const [{ tokens: _, ...passage }] = newPassages(["words"]) as [ReturnType<typeof newPassages>[0]];
        assert.deepEqual(await kept(), [
          { before: null, after: item.hash },
          { before: item.hash, after: item.hash },
          { before: second, passages: [passage] },
        ]);
      }
    }
  });
  once("salts are never used twice, and an erasure takes only what was kept until then", async (store) => {
    const items = [await put(store, "memory"), await put(store, "memory")];
    for (const item of items) await apply(store, revision("memory", item, { title: "second" }));
    const salts = (await store.chain(3, 2)).map(({ payload }) => payload!.salt);
    assert.ok(salts.every((salt) => /^[0-9a-f]{32}$/.test(salt)) && salts[0] !== salts[1]);
    await apply(store, purge(items[0]!.id), insertion("memory", items[0]!), removal("memory", items[0]!));
    const kept = (await store.chain(1, 9)).filter(({ payload }) => payload).map(({ seq }) => seq);
    assert.deepEqual(kept, [4, 7]);
  });
}

/** The whole chain, once it has been found to hold. */
async function soundChain(store: JournalStore): Promise<ChainEntry[]> {
  const head = await store.chainHead();
  const entries = await store.chain(1, 1_000);
  const walk = chainWalk(head);
  walk.add(entries);
  assert.deepEqual(walk.finish(head), { checked: head.length, count: 0, problems: [] });
  return entries;
}

function testChain({ once }: Trials<JournalStore>): void {
  once("each entry follows from the one before, and the head from the last", async (store) => {
    assert.deepEqual(await store.chainHead(), { length: 0, hash: CHAIN_START });
    assert.deepEqual(await soundChain(store), []);
    const [one, two] = [await put(store, "memory"), await put(store, "evidence")];
    await apply(store, revision("memory", one, { title: "second" }), removal("evidence", two), purge(one.id));
    const entries = await soundChain(store);
    assert.deepEqual(
      entries.map(({ seq, transaction, kind }) => `${seq} ${transaction} ${kind}`),
      ["1 1 insert_item", "2 2 insert_item", "3 3 revise_item", "4 3 remove_item", "5 3 purge_items"],
    );
    assert.deepEqual(await store.chainHead(), { length: 5, hash: entries.at(-1)!.hash });
    assert.deepEqual(await store.chain(2, 3), entries.slice(1, 4));
    assert.deepEqual(await store.chain(-Infinity, 2), entries.slice(0, 2));
    assert.deepEqual(await store.chain(6, 3), []);
  });
  once("what was refused or only tried leaves no entry", async (store) => {
    const item = await put(store, "memory");
    await applyInVain(store, "remove_item", revision("memory", item, {}), removal("memory", item));
    await store.apply([removal("memory", item)], ORIGIN, { dryRun: true });
    assert.equal((await soundChain(store)).length, 1);
  });
}

function testChainOfSetsTogether({ once }: Trials<JournalStore>): void {
  const both = (): Change[] => [insertion("memory", newItem()), insertion("memory", newItem())];
  const refused: [string, (known: Item) => Change[]][] = [
    ["before it wrote anything", (known) => [insertion("memory", newItem({ content: known.content }))]],
    ["after it had written", (known) => [...both(), insertion("memory", newItem({ content: known.content }))]],
  ];
  for (const [when, set] of refused) {
    once(`of sets applied at once, one that is refused ${when} leaves no gap in the chain`, async (store) => {
      const known = await put(store, "memory");
      const answers = await Promise.all([both(), set(known), both()].map((changes) => store.apply(changes, ORIGIN)));
      assert.deepEqual(
        answers.map((answer) => (answer.status === "applied" ? answer.transaction : answer.reason)),
        [2, "equal content is there already", 4],
      );
      const sets = (await soundChain(store)).map(({ transaction }) => transaction);
      assert.deepEqual(sets, [1, 2, 2, 4, 4]);
    });
  }
}

function testAdoption({ once }: Trials<JournalStore>): void {
  once("a chain that began elsewhere goes on here", async (store) => {
    const payload = { salt: "ab".repeat(16), text: JSON.stringify({ before: newItem() }) };
    const entries = chainOf([{}, { kind: "revise_item", payload }, { call: "" }, { kind: "purge_items" }]);
    await apply(store, adoption(entries));
    assert.deepEqual(await soundChain(store), entries);
    const item = await put(store, "memory");
    const whole = await soundChain(store);
    assert.deepEqual(whole.slice(0, -1), entries);
    assert.partialDeepStrictEqual(whole.at(-1), { seq: 5, transaction: 5, itemId: item.id });
  });
  once("what the chain calls a shelf and is none erases like any other", async (store) => {
    const [entry] = chainOf([{ shelf: "memory' || 'x" as never }]);
    await apply(store, adoption([entry!]));
    await apply(store, purge(entry!.itemId));
    await assert.rejects(async () => store.items(entry!.shelf, []), TypeError);
    const change = { kind: "remove_item", shelf: entry!.shelf, id: "x", expectedVersion: 1 } as const;
    await assert.rejects(store.apply([change], ORIGIN), TypeError);
  });
  once("where a journal has begun, none is adopted, and nothing of its set is kept", async (store) => {
    await apply(store, adoption([]));
    const before = await everything(store, []);
    await store.apply([adoption(chainOf([{}]))], ORIGIN, { dryRun: true });
    assert.deepEqual(await everything(store, []), before);
    await applyInVain(store, "adopt_journal", insertion("memory", newItem()), adoption(chainOf([{}])));
    await apply(store, adoption(chainOf([{}])));
    await applyInVain(store, "adopt_journal", adoption(chainOf([{}, {}])));
    assert.equal((await soundChain(store)).length, 1);
  });
}

function testVersions({ everyShelf }: Trials<JournalStore>): void {
  everyShelf("a revision may say which version comes of it, lower ones too", async (store, shelf) => {
    const item = await put(store, shelf, { version: 5 });
    const to = (version: number, expectedVersion: number): Change => ({
      kind: "revise_item",
      shelf,
      id: item.id,
      expectedVersion,
      version,
      set: { title: `as ${version}` },
      passages: null,
      embed: false,
    });
    await apply(store, to(2, 5));
    assert.deepEqual(await store.items(shelf, [item.id]), [{ ...item, title: "as 2", version: 2 }]);
    await applyInVain(store, "revise_item", to(9, 5));
    // A version that was taken back and came again is told by when it was made.
    const { updatedAt } = item;
    await applyInVain(store, "revise_item", { ...to(9, 2), expectedUpdatedAt: updatedAt - 1 } as Change);
    const removing = { kind: "remove_item", shelf, id: item.id, expectedVersion: 2 } as const;
    await applyInVain(store, "remove_item", { ...removing, expectedUpdatedAt: updatedAt - 1 });
    await apply(store, to(9, 2));
    assert.equal((await store.items(shelf, [item.id]))[0]?.version, 9);
  });
}
