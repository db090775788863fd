/** Search by vector: exact, filtered, and blind to what has gone. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { dequantise, dot, quantise } from "../../../../src/embed/quantise.ts";
import type { Change } from "../../../../src/journal/change.ts";
import {
  active,
  apply,
  direction,
  EMBEDDER,
  embedWaiting,
  idsOf,
  insertion,
  newItem,
  put,
  removal,
  revision,
  type SearchStore,
  type Trials,
} from "../trial.ts";

export function testVectors(trials: Trials<SearchStore>): void {
  testExactness(trials);
  testCosines(trials);
  testReading(trials);
  testLife(trials);
  testReindexing(trials);
}

const component = fc.double({ min: -1, max: 1, noNaN: true });
const anyVector = fc
  .array(component, { minLength: 8, maxLength: 8 })
  .filter((values) => Math.hypot(...values) > 0.1)
  .map((values) => Float32Array.from(values, (value) => value / Math.hypot(...values)));

function testExactness({ everyShelf, once }: Trials<SearchStore>): void {
  once("the nearest are those that arithmetic gives, with their cosines, with and without a filter", async (store) => {
    const vectors = fc.sample(anyVector, { numRuns: 120, seed: 7 });
    const items = vectors.map((_, index) => newItem({ type: index % 10 === 0 ? "gotcha" : "fact" }));
    await apply(store, ...items.map((item, index) => insertion("memory", item, { texts: [`at ${index}`] })));
    await embedWaiting(store, (text) => vectors[Number(text.slice(3))]!);
    await fc.assert(
      fc.asyncProperty(anyVector, fc.boolean(), fc.integer({ min: 1, max: 30 }), async (vector, isNarrow, limit) => {
        const filter = isNarrow ? { ...active, types: ["gotcha"] } : active;
        const found = await store.nearest("memory", { embedder: EMBEDDER, vector }, filter, limit);
        const exact = vectors
          .map((stored, index) => ({ item: items[index]!, score: dot(vector, dequantise(quantise(stored))) }))
          .filter(({ item }) => !isNarrow || item.type === "gotcha")
          .toSorted((a, b) => b.score - a.score)
          .slice(0, limit);
        assert.equal(found.length, exact.length);
        for (const [place, { score }] of exact.entries()) assert.ok(Math.abs(found[place]!.score - score) < 1e-5);
        for (const { itemId, score } of found) {
          const own = vectors[items.findIndex(({ id }) => id === itemId)]!;
          assert.ok(Math.abs(dot(vector, dequantise(quantise(own))) - score) < 1e-5, "the score is its own");
        }
      }),
      { numRuns: 40, seed: 11 },
    );
  });
  everyShelf("an item is as near as its nearest passage and stands in the list once", async (store, shelf) => {
    const axes: Record<string, Float32Array> = { far: direction(1), near: direction(2), other: direction(2, 0.3) };
    const item = await put(store, shelf, {}, { texts: ["far", "near"] });
    const other = await put(store, shelf, {}, { texts: ["other"] });
    await embedWaiting(store, (text) => axes[text]!);
    const found = await store.nearest(shelf, { embedder: EMBEDDER, vector: direction(2) }, active, 5);
    assert.deepEqual(idsOf(found), [item.id, other.id]);
    assert.equal((await store.passages(shelf, [found[0]!.passage]))[0]?.text, "near");
  });
}

function testCosines({ everyShelf }: Trials<SearchStore>): void {
  everyShelf(
    "cosines are those of the passages asked for, in their order; null without a vector",
    async (store, shelf) => {
      const query = { embedder: EMBEDDER, vector: direction(6) };
      const texts = ["near", "far"];
      await put(store, shelf, {}, { texts });
      await put(store, shelf, {}, { texts: ["never embedded"], embed: false });
      const numberOf = async (term: string) =>
        (await store.keyword(shelf, { terms: [term] }, active, 1)).map(({ passage }) => passage)[0]!;
      const [near, far, never] = [await numberOf("near"), await numberOf("far"), await numberOf("never")];
      const asked = [never, far, 9_999_999, near, far];
      assert.deepEqual(await store.cosines(shelf, query, asked), [null, null, null, null, null]);
      await embedWaiting(store, (text) => direction(text === "near" ? 6 : 1));
      const [none, one, unknown, two, again] = await store.cosines(shelf, query, asked);
      assert.deepEqual([none, unknown, again], [null, null, one]);
      const exact = (axis: number) => dot(direction(6), dequantise(quantise(direction(axis))));
      assert.ok(Math.abs(one! - exact(1)) < 1e-5 && Math.abs(two! - exact(6)) < 1e-5, `${one} ${two}`);
      assert.deepEqual(
        await store.cosines(shelf, { ...query, embedder: "another" }, asked),
        asked.map(() => null),
      );
      assert.deepEqual(await store.cosines(shelf, query, []), []);
    },
  );
}

function testReading({ everyShelf }: Trials<SearchStore>): void {
  everyShelf("vectors are read back in the order asked for, before and after a scan", async (store, shelf) => {
    await put(store, shelf, {}, { texts: ["ocelot", "margay"] });
    await put(store, shelf, {}, { texts: ["serval"], embed: false });
    const found = await store.newestPassages(shelf, active, { before: null, limit: 3, isFirst: false });
    const [serval, margay, ocelot] = found.map(({ passage }) => passage);
    const asked = [ocelot!, serval!, 9_999_999, margay!, ocelot!];
    const read = (embedder = EMBEDDER) => store.passageVectors(shelf, embedder, asked);
    const none = asked.map(() => null);
    assert.deepEqual(await read(), none);
    await embedWaiting(store, (text) => direction(text === "ocelot" ? 3 : 4));
    const [one, two] = [3, 4].map((axis) => dequantise(quantise(direction(axis))));
    assert.deepEqual(await read(), [one, null, null, two, one]);
    await store.nearest(shelf, { embedder: EMBEDDER, vector: direction(3) }, active, 1);
    assert.deepEqual(await read(), [one, null, null, two, one]);
    assert.deepEqual(await read("another"), none);
    assert.deepEqual(await store.passageVectors(shelf, EMBEDDER, []), []);
  });
}

function testReindexing({ everyShelf, once }: Trials<SearchStore>): void {
  everyShelf("new tags or another type cost no vector; a new title or text does", async (store, shelf) => {
    const texts = ["gecko one", "gecko two"];
    const item = await put(store, shelf, { title: "Title", tags: ["tuatara"] }, { texts });
    await embedWaiting(store, () => direction(7));
    const find = (term: string) => store.keyword(shelf, { terms: [term] }, active, 5);
    const numbers = async () =>
      (await store.nearest(shelf, { embedder: EMBEDDER, vector: direction(7) }, { ...active, tags: ["skink"] }, 5)).map(
        ({ passage }) => passage,
      );
    const [before] = await find("gecko");
    const { total } = await store.wordStatistics(shelf, []);
    await apply(store, revision(shelf, item, { tags: ["skink"], type: "gotcha" }, texts));
    assert.deepEqual([await store.waitingCount(EMBEDDER), (await numbers()).length], [0, 1]);
    assert.deepEqual([idsOf(await find("skink")), idsOf(await find("tuatara"))], [[item.id], []]);
    assert.equal((await find("gecko"))[0]?.passage, before?.passage);
    assert.equal((await store.wordStatistics(shelf, [])).total, total);
    await apply(store, revision(shelf, { ...item, version: 2 }, { title: "Other" }, texts));
    assert.deepEqual([await store.waitingCount(EMBEDDER), await numbers()], [2, []]);
    await embedWaiting(store, () => direction(7));
    await apply(store, revision(shelf, { ...item, version: 3 }, {}, ["gecko one", "gecko three"]));
    assert.deepEqual([await store.waitingCount(EMBEDDER), (await numbers()).length], [1, 1], "only what changed waits");
    const unembedded = revision(shelf, { ...item, version: 4 }, { type: "code" }, ["gecko one", "gecko three"]);
    await apply(store, { ...unembedded, embed: false } as Change);
    assert.equal(await store.waitingCount(EMBEDDER), 0, "what needs no vector any more waits no more");
    await apply(store, removal(shelf, { ...item, version: 5 }));
  });
  everyShelf("what stands around a change keeps its vectors, in the new order", async (store, shelf) => {
    const versions = ["abcde", "abXYcde", "abcde", "ade", "Zade", "Zad", "", "ab"];
    const textsOf = (letters: string) => [...letters].map((letter) => `gecko ${letter}`);
    const item = await put(store, shelf, {}, { texts: textsOf(versions[0]!) });
    for (const [index, letters] of versions.slice(1).entries()) {
      await embedWaiting(store, () => direction(7));
      await apply(store, revision(shelf, { ...item, version: index + 1 }, {}, textsOf(letters)));
      const [whole] = await store.whole(shelf, [item.id]);
      assert.deepEqual(
        whole?.passages.map(({ text, ordinal }) => [ordinal, text]),
        textsOf(letters).map((text, ordinal) => [ordinal, text]),
      );
      const kept = [...letters].filter((letter) => versions[index]!.includes(letter)).length;
      assert.equal(await store.waitingCount(EMBEDDER), letters.length - kept, letters);
      for (const letter of "abcdeXYZ") {
        const found = await store.keyword(shelf, { terms: ["gecko", letter.toLowerCase()] }, active, 5);
        assert.equal(found.length, letters === "" ? 0 : 1);
      }
    }
    await apply(store, removal(shelf, { ...item, version: versions.length }));
  });
  once("words weigh the same however often texts were written anew", async (store) => {
    const shelf = "code";
    const items = [];
    for (let index = 0; index < 30; index += 1) {
      items.push(await put(store, shelf, {}, { texts: [`skink common ${index < 3 ? "rare" : "usual"} ${index}`] }));
    }
    const weight = async (term: string) => (await store.keyword(shelf, { terms: [term] }, active, 1))[0]!.score;
    const [common, rare] = [await weight("common"), await weight("rare")];
    for (let round = 1; round <= 4; round += 1) {
      for (const [index, item] of items.entries()) {
        const text = `skink common ${index < 3 ? "rare" : "usual"} ${index}${round % 2 ? " again" : ""}`;
        await apply(store, revision(shelf, { ...item, version: round }, {}, [text]));
      }
    }
    const [commonAfter, rareAfter] = [await weight("common"), await weight("rare")];
    assert.ok(Math.abs(rareAfter / rare - 1) < 0.25, `${rare} became ${rareAfter}`);
    assert.ok(commonAfter < rareAfter / 3 && common < rare / 3, `${common} became ${commonAfter}`);
    for (const item of items) await apply(store, removal(shelf, { ...item, version: 5 }));
  });
}

function testLife({ everyShelf }: Trials<SearchStore>): void {
  everyShelf("vectors of different embedders never mix", async (store, shelf) => {
    await put(store, shelf);
    await embedWaiting(store, () => direction(0), { embedder: "somebody else's" });
    const look = (embedder: string) => store.nearest(shelf, { embedder, vector: direction(0) }, active, 5);
    assert.deepEqual(await look(EMBEDDER), []);
    assert.equal((await look("somebody else's")).length, 1);
    assert.deepEqual(await look(EMBEDDER), [], "and not after the other was asked either");
  });
  everyShelf("vectors that come later are seen, those of replaced or removed text are not", async (store, shelf) => {
    const near = async () => idsOf(await store.nearest(shelf, { embedder: EMBEDDER, vector: direction(4) }, active, 5));
    const first = await put(store, shelf);
    assert.deepEqual(await near(), []);
    await embedWaiting(store, () => direction(4));
    assert.deepEqual(await near(), [first.id]);
    const second = await put(store, shelf);
    await embedWaiting(store, () => direction(4, 0.5));
    assert.deepEqual(await near(), [first.id, second.id]);
    await apply(store, revision(shelf, first, {}, ["new words, no vector yet"]));
    assert.deepEqual(await near(), [second.id]);
    await embedWaiting(store, () => direction(4));
    assert.deepEqual(await near(), [first.id, second.id]);
    await apply(store, removal(shelf, second));
    assert.deepEqual(await near(), [first.id]);
  });
}
