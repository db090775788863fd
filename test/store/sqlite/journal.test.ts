/**
 * The journal, recomputed here from the table by the rules as they are written down: a
 * chain in which each hash covers the one before, payloads with a salt beside it, and a
 * head that says how long the chain is.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import fc from "fast-check";
import { quantise } from "../../../src/embed/quantise.ts";
import { chainWalk } from "../../../src/journal/chain.ts";
import type { Change } from "../../../src/journal/change.ts";
import type { Item } from "../../../src/memory/item.ts";
import { type Shelf, SHELVES } from "../../../src/memory/shelves.ts";
import type { Store } from "../../../src/store/store.ts";
import { runs } from "../../lane.ts";
import { freshStore } from "../fresh-store.ts";
import {
  adopt,
  apply,
  direction,
  EMBEDDER,
  insertion,
  newItem,
  ORIGIN,
  put,
  removal,
  revision,
} from "../suite/trial.ts";
import { temporaryFolder } from "../temporary-folder.ts";

interface Entry {
  seq: number;
  transaction_seq: number;
  at: number;
  verb: string;
  host: string;
  session: string;
  call: string;
  space: string;
  kind: string;
  shelf: string;
  item_id: string;
  payload_hash: Buffer | null;
  hash: Buffer;
  salt: Buffer | null;
  payload: string | null;
}

const { path } = temporaryFolder("journal");
let now = 1_700_000_000_000;
const clock = { now: () => (now += 1) };

async function withStore(check: (store: Store, journal: () => Entry[]) => Promise<void>): Promise<void> {
  const file = path();
  const store = await freshStore({ path: file, kind: "project", clock });
  const db = new Sqlite(file, { readonly: true });
  try {
    await check(store, () => checkedJournal(db));
  } finally {
    db.close();
    await store.close();
  }
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** Every entry, once the chain, the payloads and the head have been found to agree. */
function checkedJournal(db: Sqlite.Database): Entry[] {
  const entries = db
    .prepare<[], Entry>(`select * from journal left join journal_payload using (seq) order by seq`)
    .all();
  const payloads = entries.filter(({ payload }) => payload !== null).length;
  assert.equal(db.prepare(`select count(*) from journal_payload`).pluck().get(), payloads);
  let last = Buffer.alloc(32);
  for (const [index, entry] of entries.entries()) {
    assert.equal(entry.seq, index + 1);
    if (entry.salt) assert.deepEqual(entry.payload_hash, sha256(entry.salt.toString("hex") + entry.payload));
    const { seq, transaction_seq, at, verb, host, session, call, kind, shelf, item_id, space } = entry;
    const payloadHash = entry.payload_hash?.toString("hex") ?? null;
    const fields = [seq, transaction_seq, at, verb, host, session, call || null, kind, shelf, item_id, payloadHash];
    last = sha256(last.toString("hex") + JSON.stringify(space === "" ? fields : [...fields, space]));
    assert.deepEqual(entry.hash, last, `entry ${seq}`);
  }
  assert.deepEqual(db.prepare(`select length, hash from journal_head`).get(), { length: entries.length, hash: last });
  return entries;
}

test("the chain, the payloads and the head agree after every kind of change", async () => {
  await withStore(async (store, journal) => {
    assert.deepEqual(journal(), []);
    const item = await put(store, "memory");
    await apply(store, revision("memory", item, { priority: 9 }), insertion("decision", newItem()));
    await apply(store, removal("memory", { ...item, version: 2 }));
    const entries = journal();
    assert.deepEqual(
      entries.map(({ kind, shelf, transaction_seq: first }) => `${first} ${kind} ${shelf}`),
      ["1 insert_item memory", "2 revise_item memory", "2 insert_item decision", "4 remove_item memory"],
    );
    assert.equal((await store.report()).journalLength, 4);
    for (const { salt, payload_hash } of entries) assert.equal(salt === null, payload_hash === null);
    const salts = entries.map(({ salt }) => salt?.toString("hex") ?? null);
    assert.deepEqual([salts[0], salts[2]], [null, null], "nothing was there before");
    assert.equal(new Set(salts).size, 3, "no salt is used twice");
  });
});

test("the hash does not depend on how a caller spells its origin", async () => {
  await withStore(async (store, journal) => {
    const spelt = { session: "s", host: "h", verb: "v", call: "c", space: "p", stranger: "x" };
    await store.apply([insertion("memory", newItem())], spelt);
    const [entry] = journal();
    const { verb, host, session, call, space } = entry!;
    assert.deepEqual([verb, host, session, call, space], ["v", "h", "s", "c", "p"]);
  });
});

test("an entry without a call or a space links as if neither could be noted", async () => {
  await withStore(async (store, journal) => {
    await store.apply([insertion("memory", newItem())], { ...ORIGIN, call: "", space: "" });
    const [entry] = journal();
    assert.deepEqual([entry?.call, entry?.space], ["", ""]);
    const [linked] = await store.chain(1, 1);
    assert.deepEqual([linked?.call, linked?.space], ["", ""]);
  });
});

test("what one call does in several sets is tied together by its name", async () => {
  await withStore(async (store, journal) => {
    const sets = [newItem(), newItem()].map((item) => [insertion("memory", item)]);
    for (const set of sets) await store.apply(set, { ...ORIGIN, call: "one" });
    await store.apply([insertion("memory", newItem())], { ...ORIGIN, call: "another" });
    const entries = journal().map((entry) => `${entry.transaction_seq} ${entry.call}`);
    assert.deepEqual(entries, ["1 one", "2 one", "3 another"]);
  });
});

test("a before-image is exactly what was there", async () => {
  await withStore(async (store, journal) => {
    const item = await put(store, "memory", { title: "✓", tags: ["b", "a"], details: { deep: [1, { x: null }] } });
    const touches = [{ id: item.id, how: "search" as const, relevance: 1 }];
    await apply(store, { kind: "touch_items", shelf: "memory", touches, query: null, at: item.accessedAt + 5 });
    await apply(store, revision("memory", item, { content: "new", hash: "new" }, ["new"]));
    const [revised] = await store.items("memory", [item.id]);
    await apply(store, removal("memory", revised!));
    const touched = { ...item, accessCount: 1, accessedAt: item.accessedAt + 5 };
    assert.deepEqual(
      journal().map(({ payload }) => payload && (JSON.parse(payload) as unknown)),
      [null, { before: touched }, { before: revised }],
    );
  });
});

test("of evidence only the hash is kept while it is there, and all of it when it goes", async () => {
  await withStore(async (store, journal) => {
    const item = await put(store, "evidence", { content: "confidential words" });
    const [inserted] = journal();
    assert.deepEqual(JSON.parse(inserted!.payload!), { before: null, after: item.hash });
    await apply(store, removal("evidence", item));
    const removed = JSON.parse(journal()[1]!.payload!) as { before: Item; passages: { text: string }[] };
    assert.equal(removed.before.content, "confidential words");
    assert.deepEqual(
      removed.passages.map(({ text }) => text),
      ["confidential words"],
    );
  });
});

test("working memories, files, touches, passages, leases, vectors and caches are not journaled", async () => {
  await withStore(async (store, journal) => {
    const working = await put(store, "memory", { scope: "working", expiresAt: 9 });
    await apply(store, revision("memory", working, { priority: 1 }));
    const evicted = await put(store, "memory", { scope: "working", expiresAt: 9 });
    for (const shelf of ["document", "code"] as const) await put(store, shelf);
    await adopt(store);
    const passages = (await store.waiting({ embedder: EMBEDDER, limit: 9, now: 0 })).map(({ shelf, passage }) => ({
      shelf,
      passage,
    }));
    const vector = quantise(direction(0));
    const silent: Change[] = [
      { kind: "touch_items", shelf: "memory", touches: [touchOf(working)], query: "q", at: 1 },
      { kind: "lease_passages", embedder: EMBEDDER, passages, owner: "a", at: 0, until: 1 },
      { kind: "store_vectors", embedder: EMBEDDER, owner: "a", vectors: passages.map((at) => ({ ...at, vector })) },
      { kind: "cache_vectors", embedder: EMBEDDER, at: 1, entries: [{ hash: "h", vector }] },
      { kind: "adopt_embedder", embedder: "other", at: 1 },
      { kind: "evict_items", shelf: "memory", ids: [evicted.id] },
    ];
    const applied = await store.apply(silent, ORIGIN);
    assert.deepEqual(applied, { status: "applied", transaction: null });
    await apply(store, removal("memory", { ...working, version: 2 }));
    assert.deepEqual(journal(), []);
    const promoted = await put(store, "memory", { scope: "working", expiresAt: 9 });
    await apply(store, revision("memory", promoted, { scope: "project", expiresAt: null }));
    assert.equal(journal().length, 1, "what becomes permanent does so on record");
  });
});

const touchOf = ({ id }: Item) => ({ id, how: "shown" as const, relevance: null });

const someChange = fc.record({
  act: fc.constantFrom("insert", "revise", "remove", "touch", "purge"),
  shelf: fc.constantFrom(...SHELVES),
  slot: fc.nat({ max: 2 }),
  scope: fc.constantFrom("project", "working", "global"),
  isStale: fc.boolean(),
  dryRun: fc.nat({ max: 3 }).map((one) => one === 0),
  together: fc.boolean(),
});

test("whatever is changed, erased, refused or tried in a dry run, the chain holds and its length is its count", async () => {
  await withStore(async (store, journal) => {
    const versions = new Map<string, number>();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(someChange, { minLength: 10, maxLength: 20 }), async (steps) => {
        run += 1;
        const pending: Promise<unknown>[] = [];
        for (const { act, shelf, slot, scope, isStale, dryRun, together } of steps) {
          const id = `run-${run}-${slot}`;
          const item = newItem({ id, scope, version: (versions.get(shelf + id) ?? 0) + (isStale ? 7 : 0) || 1 });
          const applied = store.apply([changeOf(act, shelf, item)], ORIGIN, { dryRun });
          const noted = applied.then(({ status }) => {
            if (status === "conflict" || dryRun) return;
            if (act === "insert") versions.set(shelf + id, 1);
            if (act === "revise") versions.set(shelf + id, item.version + 1);
            if (act === "remove") versions.delete(shelf + id);
            if (act === "purge") for (const each of SHELVES) versions.delete(each + id);
          });
          if (together) pending.push(noted);
          else await noted;
        }
        await Promise.all(pending);
        const { journalLength } = await store.report();
        assert.equal(journal().length, journalLength);
        const head = await store.chainHead();
        const walk = chainWalk(head);
        walk.add(await store.chain(1, 1_000_000));
        assert.deepEqual(walk.finish(head), { checked: journalLength, count: 0, problems: [] });
      }),
      { numRuns: runs(30) },
    );
    assert.ok(journal().length > 20, "and there was something to check");
  });
});

function changeOf(act: "insert" | "revise" | "remove" | "touch" | "purge", shelf: Shelf, item: Item): Change {
  if (act === "purge") return { kind: "purge_items", ids: [item.id], queries: [] };
  if (act === "insert") return insertion(shelf, { ...item, version: 1 });
  if (act === "revise") return revision(shelf, item, { priority: 7 });
  if (act === "remove") return removal(shelf, item);
  return { kind: "touch_items", shelf, touches: [touchOf(item)], query: null, at: 1 };
}
