/** Shelves with more vectors than a process holds: the same answers, from blocks that are fetched and not kept. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Filter } from "../../../src/recall/search.ts";
import { openDatabase } from "../../../src/store/postgres/database.ts";
import { vectorIndex, vectorRows } from "../../../src/store/postgres/vector-index.ts";
import type { Store } from "../../../src/store/store.ts";
import { active, anyStatus, apply, EMBEDDER, removal } from "../suite/trial.ts";
import { clusteredVectors, fillMemories, randomVectors } from "./filled-shelf.ts";
import { type Spaces, spacesOn } from "./fresh-space.ts";
import { postgresServer, type Server } from "./server.ts";
import { testUnheldVectors } from "./unheld-vectors.ts";

const server = await postgresServer();
const clock = { now: () => 1_700_000_000_000 };
const DIMENSIONS = 32;

if (server) {
  const spaces = spacesOn(server, { kind: "project", clock });
  describe("Postgres, no vector held", () => testUnheldVectors(spaces.take));
  describe("Postgres, more vectors than a process holds", () => testLargeShelf(server, spaces));
} else {
  test("no Postgres was tested: STELE_TEST_POSTGRES names no server, and none is packaged for this system", () => {
    assert.equal(server, null);
  });
}

function testLargeShelf(on: Server, spaces: Spaces): void {
  test("whatever is asked, the answer is the one that held vectors give", async () => {
    const { open, giveBack } = await spaces.take();
    const [held, large] = [await open(), await open({ vectorsInMemory: 0 })];
    const items = await fillMemories(held, 2_600, clusteredVectors(DIMENSIONS, 3, 40), (number) => ({
      tags: [`tenth${number % 10}`, `hundredth${number % 100}`],
      type: number % 2 === 0 ? "fact" : "gotcha",
    }));
    await apply(held, ...items.slice(100, 140).map((item) => removal("memory", item)));
    await apply(held, { kind: "purge_items", ids: items.slice(140, 150).map(({ id }) => id), queries: [] });
    const filters: Filter[] = [
      active,
      { ...active, types: ["fact"] },
      { ...active, tags: ["tenth3"] },
      { ...active, tags: ["hundredth41"] },
      { ...active, tags: ["none"] },
      { ...anyStatus, statuses: ["archived"] },
    ];
    const ask = clusteredVectors(DIMENSIONS, 3, 40);
    for (const filter of filters)
      for (const limit of [1, 10, 300, 3_000])
        for (const eachPassage of [false, true]) {
          const query = { embedder: EMBEDDER, vector: ask(), eachPassage };
          const expected = await held.nearest("memory", query, filter, limit);
          assert.deepEqual(await large.nearest("memory", query, filter, limit), expected);
        }
    const passages = [1, 2_600, 101, 141, 1_024, 1_023, 99_999, 1];
    const query = { embedder: EMBEDDER, vector: ask() };
    assert.deepEqual(await large.cosines("memory", query, passages), await held.cosines("memory", query, passages));
    const ofPassages = (store: Store) => store.passageVectors("memory", EMBEDDER, passages);
    assert.deepEqual(await ofPassages(large), await ofPassages(held));
    assert.equal((await ofPassages(large))[3], null, "erased");
    for (const store of [held, large]) await store.close();
    await giveBack();
  });

  test("a shelf is dropped from memory when it grows too large, and loaded again when it shrinks", async () => {
    const { open, schema, giveBack } = await spaces.take();
    const [store, whole] = [await open({ vectorsInMemory: 2_048 }), await open()];
    const db = await openDatabase({ url: on.url, schema });
    const index = vectorIndex(db, "memory", { heldPassages: 2_048, readRows: vectorRows(db, "memory") });
    const vector = randomVectors(DIMENSIONS, 5);
    const query = { embedder: EMBEDDER, vector: vector() };
    const look = async () => {
      assert.deepEqual(
        await store.nearest("memory", query, active, 20),
        await whole.nearest("memory", query, active, 20),
      );
      return index.refresh(EMBEDDER, DIMENSIONS);
    };
    assert.equal(await look(), 0);
    await fillMemories(whole, 2_000, vector);
    assert.equal(await look(), 2_001, "passages are numbered from 1");
    const later = await fillMemories(whole, 100, vector);
    assert.equal(await look(), null);
    assert.equal(await look(), null);
    assert.deepEqual(index.nearest(EMBEDDER, query.vector, 5), [], "nothing is held");
    await apply(whole, ...later.slice(40).map((item) => removal("memory", item)));
    assert.equal(await look(), 2_048);
    for (const one of [db, store, whole]) await one.close();
    await giveBack();
  });
}
