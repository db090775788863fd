/** Items read by identity: lists, filters, equal content, chains, walks, files by path, and which have to leave. */
import assert from "node:assert/strict";
import type { Change } from "../../../../src/journal/change.ts";
import { type Shelf, SHELVES } from "../../../../src/memory/shelves.ts";
import {
  active,
  anyStatus,
  apply,
  applyInVain,
  idsOf,
  insertion,
  type ItemStore,
  newItem,
  put,
  removal,
  revision,
  type Trials,
} from "../trial.ts";
import { testEachFilter } from "./filter-cases.ts";

export function testReading(trials: Trials<ItemStore>): void {
  testLists(trials);
  testEachFilter(trials, async (store, shelf, _word, filter) => ({
    list: idsOf((await store.list(shelf, filter, { limit: 100, offset: 0 })).items),
    newest: idsOf(await store.newest(shelf, filter, { limit: 100, rows: 1_000 })),
  }));
  testChains(trials);
  testLeaving(trials);
  testWalk(trials);
  testFiles(trials);
}

function testLists({ everyShelf }: Trials<ItemStore>): void {
  everyShelf("a list is newest first, then by id, in pages that meet without gap or overlap", async (store, shelf) => {
    const times = [500, 300, 500, 400, 300];
    const items = [];
    for (const createdAt of times) items.push(await put(store, shelf, { createdAt, session: "pages" }));
    const expected = items.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
    const filter = { ...active, session: "pages" };
    const pages = [];
    for (let offset = 0; offset < 8; offset += 2) {
      const page = await store.list(shelf, filter, { limit: 2, offset });
      assert.equal(page.total, 5);
      pages.push(...idsOf(page.items));
    }
    assert.deepEqual(pages, expected);
    const totals = [undefined, 0, 3, 5, 9].map(async (countMost) => {
      const { total, items: shown } = await store.list(shelf, filter, { limit: 2, offset: 0, countMost });
      assert.equal(shown.length, 2);
      return total;
    });
    assert.deepEqual(await Promise.all(totals), [5, 0, 3, 5, 5], "counting stops where it was told to");
  });
  everyShelf("the newest are those of the last rows that pass, newest first", async (store, shelf) => {
    const sessions = ["mine", "other", "mine", "other", "mine"];
    const items = [];
    // Later than everything else on the shelf.
    for (const [index, session] of sessions.entries())
      items.push(await put(store, shelf, { createdAt: 5_000_000 + index, session }));
    const [first, , second, , third] = idsOf(items);
    const newest = async (page: { limit: number; rows: number }) =>
      idsOf(await store.newest(shelf, { ...active, session: "mine" }, page));
    assert.deepEqual(await newest({ limit: 9, rows: 5 }), [third, second, first]);
    assert.deepEqual(await newest({ limit: 2, rows: 5 }), [third, second]);
    assert.deepEqual(await newest({ limit: 9, rows: 3 }), [third, second]);
    assert.deepEqual(await newest({ limit: 0, rows: 5 }), []);
  });
  everyShelf("equal content is found while it holds or waits, expired or not", async (store, shelf) => {
    const item = await put(store, shelf, { expiresAt: 1 });
    const same = async () => (await store.sameContent(shelf, "project", item.hash))?.id ?? null;
    assert.equal(await same(), item.id);
    assert.equal(await store.sameContent(shelf, "global", item.hash), null);
    // Nothing that was said waits; what was said long ago counts too.
    await apply(store, revision(shelf, item, { status: shelf === "evidence" ? "archived" : "pending" }));
    assert.equal(await same(), item.id);
    await apply(store, revision(shelf, { ...item, version: 2 }, { status: "rejected" }));
    assert.equal(await same(), null);
  });
}

/** Items that replace each other in the order given: the last one holds. */
async function chain(store: ItemStore, shelf: Shelf, length: number): Promise<string[]> {
  const ids = Array.from({ length }, () => newItem().id);
  for (const [index, id] of ids.entries()) {
    const supersededBy = ids[index + 1] ?? null;
    await put(store, shelf, { id, supersededBy, status: supersededBy ? "superseded" : "active" });
  }
  return ids;
}

function testChains({ everyShelf }: Trials<ItemStore>): void {
  everyShelf("a chain is followed back to its beginning, nearest first", async (store, shelf) => {
    const ids = await chain(store, shelf, 4);
    assert.deepEqual(idsOf(await store.replacedBy(shelf, [ids[3]!])), [ids[2], ids[1], ids[0]]);
    assert.deepEqual(idsOf(await store.replacedBy(shelf, [ids[0]!])), []);
    assert.deepEqual(await store.replacedBy(shelf, []), []);
  });
  everyShelf("several that were merged into one, and several asked at once", async (store, shelf) => {
    const head = await put(store, shelf);
    const parts = [];
    for (let count = 0; count < 3; count += 1) parts.push(await put(store, shelf, { supersededBy: head.id }));
    assert.deepEqual(new Set(idsOf(await store.replacedBy(shelf, [head.id]))), new Set(idsOf(parts)));
    const other = await chain(store, shelf, 2);
    const both = idsOf(await store.replacedBy(shelf, [head.id, other[1]!]));
    assert.deepEqual(new Set(both), new Set([...idsOf(parts), other[0]]));
    assert.equal(both.length, 4);
  });
  everyShelf("the head of a chain is its last item that is there", async (store, shelf) => {
    const ids = await chain(store, shelf, 3);
    const alone = await put(store, shelf);
    const loose = await put(store, shelf, { supersededBy: "gone" });
    const heads = await store.heads(shelf, [...ids, alone.id, loose.id, "unknown"]);
    assert.deepEqual(
      new Map([...heads].map(([id, head]) => [id, head.id])),
      new Map([...ids.map((id) => [id, ids.at(-1)!] as const), [alone.id, alone.id], [loose.id, loose.id]]),
    );
  });
  everyShelf("no item replaces itself, but two may change places in one transaction", async (store, shelf) => {
    const [first, second, third] = [newItem(), newItem(), newItem()];
    await put(store, shelf, { ...first, supersededBy: second.id });
    await put(store, shelf, { ...second, supersededBy: third.id });
    await applyInVain(store, "insert_item", insertion(shelf, { ...third, supersededBy: first.id }));
    await applyInVain(store, "insert_item", insertion(shelf, { ...third, supersededBy: third.id }));
    await put(store, shelf, third);
    await applyInVain(store, "revise_item", revision(shelf, third, { supersededBy: first.id }));
    await apply(
      store,
      revision(shelf, third, { supersededBy: second.id }),
      revision(shelf, second, { supersededBy: null }),
    );
    assert.deepEqual(new Set(idsOf(await store.replacedBy(shelf, [second.id]))), new Set([first.id, third.id]));
  });
  everyShelf("a successor that is expected to be active is so when all changes are made", async (store, shelf) => {
    const [old, next] = [await put(store, shelf), await put(store, shelf, { status: "archived" })];
    const closing = { ...revision(shelf, old, { supersededBy: next.id }), expectsSuccessor: true } as Change;
    await applyInVain(store, "revise_item", closing);
    await apply(store, closing, revision(shelf, next, { status: "active" }));
  });
}

function testLeaving({ everyShelf }: Trials<ItemStore>): void {
  const working = (session: string, accessedAt: number, expiresAt: number) =>
    ({ scope: "working", session, accessedAt, expiresAt }) as const;

  everyShelf("expired ones leave first, then the least recently used above capacity", async (store, shelf) => {
    const session = `${shelf} one`;
    const expired = await put(store, shelf, working(session, 900, 100));
    const elsewhere = await put(store, shelf, working(`${shelf} two`, 1, 50));
    const oldest = await put(store, shelf, working(session, 200, 5_000));
    const older = await put(store, shelf, working(session, 300, 5_000));
    const fresh = await put(store, shelf, working(session, 400, 5_000));
    await put(store, shelf, working(`${shelf} two`, 2, 5_000));
    await put(store, shelf, { session, accessedAt: 1 });

    const leaving = (capacity: number, now = 100) => store.leaving(shelf, { session, capacity, now });
    const gone = [elsewhere.id, expired.id];
    assert.deepEqual(await leaving(4), gone, "there is room for one more");
    assert.deepEqual(await store.expired(shelf, 100), gone);
    assert.deepEqual(await store.expired(shelf, 49), []);
    assert.deepEqual((await leaving(3)).slice(2), [oldest.id], "one makes room for the next");
    assert.deepEqual(new Set((await leaving(1)).slice(2)), new Set([oldest.id, older.id, fresh.id]));
    assert.deepEqual(await leaving(4, 49), [oldest.id], "an unexpired one takes a place");

    const touches = [{ id: oldest.id, how: "shown" as const, relevance: null }];
    await apply(store, { kind: "touch_items", shelf, touches, query: null, at: 450 });
    assert.deepEqual((await leaving(3)).slice(2), [older.id], "use keeps");
    for (const item of [expired, elsewhere]) await apply(store, removal(shelf, item));
    assert.deepEqual(await leaving(4), []);
  });
}

function testWalk({ everyShelf }: Trials<ItemStore>): void {
  everyShelf(
    "a walk gives every item once, by id, with all its passages and whether they are embedded",
    async (store, shelf) => {
      const items = Array.from({ length: 7 }, () => newItem()).toSorted((a, b) => (a.id < b.id ? 1 : -1));
      for (const [index, item] of items.entries()) {
        await apply(store, insertion(shelf, item, { texts: [`first ${item.id}`, "second"], embed: index % 2 === 0 }));
      }
      const walked = [];
      for (let after: string | null = null; ; after = walked.at(-1)!.item.id) {
        const page = await store.walk(shelf, { after, limit: 3 });
        walked.push(...page);
        if (page.length === 0) break;
      }
      assert.deepEqual(
        walked.map(({ item }) => item),
        items.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      );
      for (const { item, passages, embed } of walked) {
        assert.deepEqual(
          passages.map(({ text, ordinal }) => [text, ordinal]),
          [
            [`first ${item.id}`, 0],
            ["second", 1],
          ],
        );
        assert.equal(embed, items.findIndex(({ id }) => id === item.id) % 2 === 0);
      }
    },
  );
}

function testFiles({ everyShelf }: Trials<ItemStore>): void {
  everyShelf("a file is found by its exact path while it is active, on its shelf", async (store, shelf) => {
    const path = `src/${shelf} 'x'%.ts`;
    const file = await put(store, shelf, { path });
    await put(store, shelf);
    assert.deepEqual(await store.fileAt(shelf, path), file);
    for (const other of [path.toUpperCase(), `${path} `, "src/%", "", "\0", `./${path}`, "null"]) {
      assert.equal(await store.fileAt(shelf, other), null, other);
    }
    for (const other of SHELVES.filter((name) => name !== shelf)) assert.equal(await store.fileAt(other, path), null);
    await apply(store, revision(shelf, file, { status: "archived" }));
    assert.equal(await store.fileAt(shelf, path), null);
    const again = await put(store, shelf, { path });
    assert.deepEqual(await store.fileAt(shelf, path), again, "another one may take its place");
    assert.equal((await store.list(shelf, anyStatus, { limit: 9, offset: 0 })).total, 3);
  });
}
