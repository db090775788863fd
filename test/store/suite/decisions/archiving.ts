/** Archived evidence: read as it was said, found by nothing but its id, and brought back whole. */
import assert from "node:assert/strict";
import type { Item } from "../../../../src/memory/item.ts";
import type { Passage, Turn } from "../../../../src/memory/shelves.ts";
import {
  active,
  adopt,
  anyStatus,
  apply,
  applyInVain,
  type DecisionStore,
  direction,
  EMBEDDER,
  embedWaiting,
  idsOf,
  newItem,
  newPassages,
  put,
  removal,
  revision,
  type Trials,
} from "../trial.ts";

const ANN: Turn = { speaker: "Ann 王", role: "user", at: -5 };
const TEXT = 'Ann 王: okapi\r\n\r\n  then "quoted" \\ \u{1f9a4} é vs e\u0301 \u2028 end \t\n';

const archived = (item: Item): Item => ({ ...item, status: "archived", version: item.version + 1 });
const archiving = (item: Item) => revision("evidence", item, { status: "archived" });

/** Evidence of two passages, the first with a turn, both with wordpieces. */
async function say(store: DecisionStore, set: Partial<Item> = {}): Promise<{ item: Item; passages: Passage[] }> {
  const item = newItem({ content: TEXT, title: "a title", tags: ["red"], ...set });
  const [first, second] = newPassages(["Ann 王: okapi", "then quoted"], Uint16Array.of(2_482, 9_935)) as [
    Passage,
    Passage,
  ];
  const passages: Passage[] = [{ ...first, heading: "h", startLine: 1, endLine: 1, turn: ANN }, second];
  await apply(store, { kind: "insert_item", shelf: "evidence", item, passages, embed: true });
  return { item, passages };
}

/** Every way in which evidence is found. */
async function found(store: DecisionStore): Promise<unknown> {
  const { total } = await store.wordStatistics("evidence", ["okapi"]);
  return {
    total,
    filled: (await store.filledShelves()).includes("evidence"),
    keyword: idsOf(await store.keyword("evidence", { terms: ["okapi"] }, anyStatus, 9)),
    substring: idsOf(await store.substring("evidence", "okap", anyStatus, 9)),
    nearest: idsOf(
      await store.nearest("evidence", { embedder: EMBEDDER, vector: direction(0) }, anyStatus, 9),
    ).toSorted(),
    nearestByWordpieces: idsOf(await store.nearestByWordpieces("evidence", { pieces: [2_482] }, anyStatus, 9)),
    speakers: await store.speakers("evidence", ["ann 王"]),
    waiting: await store.waitingCount(EMBEDDER),
  };
}

const NOWHERE = {
  total: 0,
  filled: false,
  keyword: [],
  substring: [],
  nearest: [],
  nearestByWordpieces: [],
  speakers: [],
  waiting: 0,
};

export function testArchiving(trials: Trials<DecisionStore>): void {
  testLeaving(trials);
  testReturning(trials);
  testLooking(trials);
}

function testLeaving({ once }: Trials<DecisionStore>): void {
  once("archived evidence is read as it was said, and in no index", async (store) => {
    await adopt(store);
    const { item, passages } = await say(store);
    await embedWaiting(store, () => direction(0));
    await apply(store, archiving(item));
    const expected = archived(item);
    const kept = passages.map((passage) => ({ ...passage, tokens: null }));
    assert.deepEqual(await store.items("evidence", [item.id]), [expected]);
    assert.deepEqual(await store.whole("evidence", [item.id]), [{ item: expected, passages: kept, embed: true }]);
    assert.deepEqual(await store.walk("evidence", { after: null, limit: 9 }), await store.whole("evidence", [item.id]));
    assert.deepEqual((await store.list("evidence", anyStatus, { limit: 9, offset: 0 })).items, [expected]);
    assert.deepEqual(await store.sameContent("evidence", "project", item.hash), expected);
    assert.deepEqual(await found(store), NOWHERE);
    assert.deepEqual(await store.passages("evidence", [1, 2, 3]), []);
  });
  once("what waits for a vector when it is archived waits no more", async (store) => {
    await adopt(store);
    const { item } = await say(store);
    assert.equal(await store.waitingCount(EMBEDDER), 2);
    await apply(store, archiving(item));
    assert.deepEqual(await found(store), NOWHERE);
    await adopt(store, "another");
    assert.equal(await store.waitingCount("another"), 0);
  });
  once("archived evidence that is touched, revised or removed is still what was said", async (store) => {
    const { item, passages } = await say(store);
    await apply(store, archiving(item));
    const touches = [{ id: item.id, how: "search" as const, relevance: null }];
    await apply(store, { kind: "touch_items", shelf: "evidence", touches, query: null, at: 9_999_999 });
    await apply(store, revision("evidence", archived(item), { title: "another", tags: [] }));
    const [whole] = await store.whole("evidence", [item.id]);
    assert.deepEqual([whole?.item.content, whole?.item.title, whole?.item.accessCount], [TEXT, "another", 1]);
    assert.equal(whole?.passages.length, 2);
    await apply(store, removal("evidence", whole.item));
    const { records } = await store.journal({ itemIds: [item.id] }, { limit: 1, offset: 0 });
    assert.deepEqual(records[0]?.before, { item: whole.item });
    assert.deepEqual(
      records[0]?.passages,
      passages.map((passage) => ({ ...passage, tokens: null })),
    );
    assert.deepEqual(await store.items("evidence", [item.id]), []);
  });
  once("archiving expects the version it saw; a dry run leaves nothing", async (store) => {
    const { item } = await say(store);
    await applyInVain(store, "revise_item", archiving({ ...item, version: 2 }));
    const before = await found(store);
    await store.apply([archiving(item)], { verb: "", host: "", session: "", call: "", space: "" }, { dryRun: true });
    assert.deepEqual(await found(store), before);
    assert.equal((await store.items("evidence", [item.id]))[0]?.status, "active");
    assert.equal(await store.archivedBytes([item.id]), 0);
  });
}

function testReturning({ once }: Trials<DecisionStore>): void {
  once("archived evidence comes back into the index, cut and said as before", async (store) => {
    await adopt(store);
    const { item, passages } = await say(store);
    await apply(store, archiving(item));
    const back = { ...revision("evidence", archived(item), { status: "active" }), version: 1 };
    await apply(store, back);
    const [whole] = await store.whole("evidence", [item.id]);
    assert.deepEqual([whole?.item, whole?.embed], [item, true]);
    assert.deepEqual(
      whole?.passages.map(({ text, heading, turn }) => [text, heading, turn]),
      passages.map(({ text, heading, turn }) => [text, heading, turn]),
    );
    assert.deepEqual(idsOf(await store.keyword("evidence", { terms: ["okapi"] }, active, 9)), [item.id]);
    assert.equal(await store.waitingCount(EMBEDDER), 2);
    assert.equal(await store.archivedBytes([item.id]), 0);
  });
  once("evidence that comes in archived is archived, and purged without a trace", async (store) => {
    const { item, passages } = await say(store, { status: "archived" });
    assert.deepEqual(
      (await store.whole("evidence", [item.id]))[0]?.passages,
      passages.map((passage) => ({ ...passage, tokens: null })),
    );
    assert.deepEqual(await found(store), NOWHERE);
    await apply(store, { kind: "purge_items", ids: [item.id], queries: [] });
    assert.deepEqual(await store.items("evidence", [item.id]), []);
    assert.equal(await store.archivedBytes([item.id]), 0);
  });
  once("what is archived on other shelves stays where it is found", async (store) => {
    const { id } = await put(store, "memory", { status: "archived", content: "okapi" });
    assert.deepEqual(idsOf(await store.keyword("memory", { terms: ["okapi"] }, anyStatus, 9)), [id]);
  });
}

function testLooking({ once }: Trials<DecisionStore>): void {
  once("aged evidence is told oldest first, page by page, with its length", async (store) => {
    const items: Item[] = [];
    for (const updatedAt of [30, 10, 20, 10, 40]) items.push(await put(store, "evidence", { updatedAt }));
    await put(store, "evidence", { updatedAt: 1, status: "archived" });
    const wanted = [items[1]!, items[3]!, items[2]!, items[0]!].map(({ id, updatedAt, content }) => ({
      id,
      updatedAt,
      bytes: Buffer.byteLength(content),
    }));
    assert.deepEqual(await store.agedEvidence(40, { after: null, limit: 9 }), wanted);
    assert.deepEqual(await store.agedEvidence(40, { after: wanted[0]!, limit: 2 }), wanted.slice(1, 3));
    assert.deepEqual(await store.agedEvidence(10, { after: null, limit: 9 }), []);
  });
  once("archived evidence is told by a filter, the last first, and takes less room than it did", async (store) => {
    const content = "the same words again and again ".repeat(200);
    const items: Item[] = [];
    for (const session of ["a", "b", "a"])
      items.push(await put(store, "evidence", { content, session, status: "archived" }));
    await put(store, "evidence", { session: "a" });
    const ids = items.map(({ id }) => id).reverse();
    assert.deepEqual(await store.archivedEvidence(anyStatus, { after: null, limit: 9 }), ids);
    assert.deepEqual(await store.archivedEvidence(anyStatus, { after: ids[0]!, limit: 1 }), [ids[1]]);
    assert.deepEqual(await store.archivedEvidence({ ...anyStatus, session: "b" }, { after: null, limit: 9 }), [ids[1]]);
    const bytes = await store.archivedBytes(ids);
    assert.ok(bytes > 0 && bytes < content.length, String(bytes));
  });
}
