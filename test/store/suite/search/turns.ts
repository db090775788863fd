/** Conversations: who said what, what stands beside it, passages by themselves, soft words. */
import assert from "node:assert/strict";
import { type Passage, type Shelf, SHELVES, type Turn } from "../../../../src/memory/shelves.ts";
import {
  active,
  apply,
  direction,
  EMBEDDER,
  embedWaiting,
  idsOf,
  newItem,
  newPassages,
  put,
  removal,
  revision,
  type SearchStore,
  type Trials,
} from "../trial.ts";

export function testTurns(trials: Trials<SearchStore>): void {
  testSaying(trials);
  testChanging(trials);
  testSpeakers(trials);
  testNeighbours(trials);
  testEachPassage(trials);
  testSoft(trials);
}

type Part = { text: string; turn?: Turn; tokens?: Uint16Array };

/** Stores one item of these passages; answers it with their numbers, in their order. */
async function say(store: SearchStore, shelf: Shelf, ...parts: Part[]): Promise<{ id: string; numbers: number[] }> {
  const item = newItem();
  const passages: Passage[] = newPassages(parts.map(({ text }) => text)).map((passage, index) => ({
    ...passage,
    ...parts[index],
  }));
  await apply(store, { kind: "insert_item", shelf, item, passages, embed: true });
  const [whole] = (await store.walk(shelf, { after: null, limit: 10_000 })).filter(
    ({ item: { id } }) => id === item.id,
  );
  const stored = whole!.passages as (Passage & { passage: number })[];
  return { id: item.id, numbers: stored.map(({ passage }) => passage) };
}

const by = (speaker: string): Turn => ({ speaker, role: null, at: null });

function testSaying({ everyShelf }: Trials<SearchStore>): void {
  everyShelf("who said a passage, in which part and when, is read back; nobody is nobody", async (store, shelf) => {
    const turns: (Turn | undefined)[] = [
      { speaker: "Søren 王", role: "user", at: 1_683_554_160_000 },
      { speaker: null, role: "tool", at: null },
      { speaker: null, role: null, at: -1 },
      undefined,
      { speaker: null, role: null, at: null },
    ];
    const parts = turns.map((turn, index) => ({ text: `part ${index}`, ...(turn && { turn }) }));
    const { id, numbers } = await say(store, shelf, ...parts);
    const expected = [...turns.slice(0, 3), undefined, undefined];
    const read = (await store.passages(shelf, numbers)).toSorted((a, b) => a.ordinal - b.ordinal);
    const walked = (await store.walk(shelf, { after: null, limit: 10_000 })).find(({ item }) => item.id === id);
    for (const passages of [read, walked!.passages]) {
      assert.deepEqual(
        passages.map(({ turn }) => turn),
        expected,
      );
      assert.deepEqual(
        passages.map((passage) => "turn" in passage),
        [true, true, true, false, false],
      );
    }
  });
}

function testChanging({ everyShelf }: Trials<SearchStore>): void {
  everyShelf("new passages of the same words may be said by others", async (store, shelf) => {
    const { id, numbers } = await say(store, shelf, { text: "a", turn: by("Ann") }, { text: "b" });
    const [a, b] = newPassages(["a", "b"]);
    const turn: Turn = { speaker: "Bo", role: "user", at: 9 };
    const change = { kind: "revise_item", shelf, id, expectedVersion: 1, set: {}, embed: true } as const;
    await apply(store, { ...change, passages: [a!, { ...b!, turn }] });
    const read = (await store.passages(shelf, numbers)).toSorted((one, two) => one.ordinal - two.ordinal);
    assert.deepEqual(
      read.map((passage) => passage.turn),
      [undefined, turn],
    );
    assert.deepEqual(await store.speakers(shelf, ["Ann", "Bo"]), ["Bo"]);
  });
}

function testSpeakers({ everyShelf, once }: Trials<SearchStore>): void {
  everyShelf("speakers are found in any case, once each, on their shelf", async (store, shelf) => {
    const own = `Ann ${shelf}`;
    await say(store, shelf, { text: "a", turn: by(own) }, { text: "b", turn: by(own) }, { text: "c" });
    await say(store, shelf, { text: "d", turn: by(own.toUpperCase()) });
    const found = await store.speakers(shelf, [own.toLowerCase(), "Bo", "", "part"]);
    assert.deepEqual(
      found.map((name) => name.toLowerCase()),
      [own.toLowerCase()],
    );
    assert.deepEqual(await store.speakers(shelf, []), []);
    for (const other of SHELVES.filter((name) => name !== shelf)) {
      assert.deepEqual(await store.speakers(other, [own]), [], other);
    }
  });
  once("a name is a name and never a pattern", async (store) => {
    const names = ["O'Brien", "100%", "a_b", '"Bo"', "王芳", "Jörg", "x*", "[redacted:github-token]"];
    await say(store, "evidence", ...names.map((name, index) => ({ text: `said ${index}`, turn: by(name) })));
    for (const name of names) assert.deepEqual(await store.speakers("evidence", [name]), [name]);
    const others = ["%", "_", "a%", "axb", "1000", "*", "x", "O''Brien", "' or 1=1 --", "\0", "\ud800"];
    assert.deepEqual(await store.speakers("evidence", [...others, "x".repeat(100_000)]), []);
    assert.deepEqual((await store.speakers("evidence", [...others, ...names])).toSorted(), names.toSorted());
  });
  once("who is no longer quoted is no speaker", async (store) => {
    const talk = await say(store, "evidence", { text: "a", turn: by("Ann") });
    const other = await say(store, "evidence", { text: "b", turn: by("Ann") });
    await apply(store, removal("evidence", newItem({ id: talk.id })));
    assert.deepEqual(await store.speakers("evidence", ["Ann"]), ["Ann"]);
    await apply(store, { kind: "purge_items", ids: [other.id], queries: [] });
    assert.deepEqual(await store.speakers("evidence", ["Ann"]), []);
  });
}

function testNeighbours({ everyShelf }: Trials<SearchStore>): void {
  everyShelf("a passage's neighbours are those beside it in its item", async (store, shelf) => {
    const one = await say(store, shelf, { text: "a" }, { text: "b" }, { text: "c" });
    const alone = await say(store, shelf, { text: "d" });
    const [a, b, c] = one.numbers as [number, number, number];
    const [d] = alone.numbers as [number];
    const found = await store.neighbours(shelf, [d, c, a, b, 9_999_999]);
    assert.deepEqual(
      found.toSorted((x, y) => x.passage - y.passage),
      [
        { passage: a, previous: null, next: b },
        { passage: b, previous: a, next: c },
        { passage: c, previous: b, next: null },
        { passage: d, previous: null, next: null },
      ],
    );
    assert.deepEqual(await store.neighbours(shelf, []), []);
    await apply(store, revision(shelf, newItem({ id: one.id, version: 1 }), { title: "new" }, ["e", "f"]));
    assert.deepEqual(await store.neighbours(shelf, [a, b, c]), [], "they went with what they stood in");
  });
}

function testEachPassage({ everyShelf, once }: Trials<SearchStore>): void {
  everyShelf("passages count by themselves when asked, by words and by vector", async (store, shelf) => {
    const texts = ["okapi", "okapi and more words", "nothing of it", "okapi okapi and many more words beside them"];
    const talk = await say(store, shelf, ...texts.map((text) => ({ text })));
    const other = await say(store, shelf, { text: "an okapi elsewhere" });
    await embedWaiting(store, (text) => direction(text.includes("okapi") ? 0 : 1, text.length / 10));
    const ways = [
      (eachPassage: boolean, limit: number) => store.keyword(shelf, { terms: ["okapi"], eachPassage }, active, limit),
      async (eachPassage: boolean, limit: number) => {
        const query = { embedder: EMBEDDER, vector: direction(0), eachPassage };
        const found = await store.nearest(shelf, query, active, limit + 100);
        return found.filter(({ itemId }) => [talk.id, other.id].includes(itemId)).slice(0, limit);
      },
    ];
    for (const find of ways) {
      const each = (await find(true, 9)).filter(({ passage }) => passage !== talk.numbers[2]);
      const [a, b, , c] = talk.numbers;
      assert.deepEqual(new Set(each.map(({ passage }) => passage)), new Set([a, b, c, other.numbers[0]]));
      for (const [index, { score }] of each.entries()) assert.ok(index === 0 || each[index - 1]!.score >= score);
      for (const { itemId, passage } of each) {
        assert.equal(itemId, passage === other.numbers[0] ? other.id : talk.id);
      }
      assert.deepEqual(await find(true, 2), (await find(true, 9)).slice(0, 2), "no more than asked");
      assert.deepEqual(new Set(idsOf(await find(false, 9))), new Set([talk.id, other.id]));
      assert.equal((await find(false, 9)).length, 2, "or an item stands once");
    }
  });
  once("each passage of what was replaced leads to what replaced it, and filters hold", async (store) => {
    const [old, next] = [newItem(), newItem({ tags: ["kept"] })];
    await apply(
      store,
      { kind: "insert_item", shelf: "memory", item: next, passages: newPassages(["new words"]), embed: true },
      {
        kind: "insert_item",
        shelf: "memory",
        item: { ...old, status: "superseded", supersededBy: next.id },
        passages: newPassages(["numbat one", "numbat two"]),
        embed: true,
      },
    );
    const find = async (filter: object) =>
      idsOf(await store.keyword("memory", { terms: ["numbat"], eachPassage: true }, { ...active, ...filter }, 9));
    assert.deepEqual(await find({ viaPredecessors: true }), [next.id, next.id]);
    assert.deepEqual(await find({}), []);
    assert.deepEqual(await find({ viaPredecessors: true, scopes: ["global"] }), []);
    const many = Array.from({ length: 130 }, (_, index) => `numbat number ${index}`);
    const { id } = await put(store, "memory", {}, { texts: many });
    const terms = { terms: ["numbat"], eachPassage: true };
    const found = await store.keyword("memory", terms, active, 125);
    assert.equal(new Set(found.map(({ passage }) => passage)).size, 125, "over more than one page");
    assert.deepEqual(new Set(idsOf(found)), new Set([id]));
  });
}

/** Wordpieces of the vocabulary. */
const [CAR, AUTOMOBILE, BANANA, DOCTOR, PHYSICIAN, DATABASE] = [2_482, 9_935, 15_212, 3_460, 7_522, 7_809];
const pieces = (...ids: number[]): Uint16Array => Uint16Array.from(ids);

function testSoft({ everyShelf, once }: Trials<SearchStore>): void {
  everyShelf("soft words: the same counts most, what is near counts some, in the order asked", async (store, shelf) => {
    const parts = [[CAR], [AUTOMOBILE], [BANANA], [CAR, DOCTOR], [PHYSICIAN, AUTOMOBILE]];
    const { numbers } = await say(store, shelf, ...parts.map((ids) => ({ text: "x", tokens: pieces(...ids) })));
    const [same, near, far] = await store.wordpieceScores(shelf, { pieces: [CAR] }, numbers);
    assert.ok(same! > near! && near! > far! && far! >= 0, `${same} ${near} ${far}`);
    const both = await store.wordpieceScores(shelf, { pieces: [CAR, DOCTOR] }, numbers);
    assert.equal(Math.max(...both), both[3], "who meets both meets most");
    assert.ok(both[4]! > both[2]!, "near ones of both are more than nothing");
    const backwards = await store.wordpieceScores(shelf, { pieces: [DOCTOR, CAR, CAR] }, numbers.toReversed());
    for (const [index, score] of backwards.toReversed().entries()) {
      assert.ok(Math.abs(score - both[index]!) < 1e-9, "whatever the order, and however often it is said");
    }
  });
  everyShelf("soft words: nothing where there are none, and never a fault", async (store, shelf) => {
    const { numbers } = await say(
      store,
      shelf,
      { text: "cut, and empty", tokens: pieces() },
      { text: "not cut yet" },
      { text: "a piece that no vocabulary has", tokens: pieces(65_535) },
    );
    assert.deepEqual(await store.wordpieceScores(shelf, { pieces: [CAR] }, [...numbers, 9_999_999]), [0, 0, 0, 0]);
    assert.deepEqual(await store.wordpieceScores(shelf, { pieces: [] }, numbers), [0, 0, 0]);
    assert.deepEqual(await store.wordpieceScores(shelf, { pieces: [CAR] }, []), []);
    const long = Array.from({ length: 500 }, (_, piece) => 2_000 + piece);
    const scores = await store.wordpieceScores(shelf, { pieces: long, stretchPieces: 1 }, numbers);
    assert.deepEqual(scores, [0, 0, 0]);
  });
  once("two texts overlap in each direction, near words included", async (store) => {
    const overlap = (one: number[], ...others: number[][]) => store.wordpieceOverlap(one, others);
    const [same, near, far] = await overlap([CAR], [CAR], [AUTOMOBILE], [BANANA]);
    assert.ok(same!.own > near!.own && near!.own > far!.own && far!.own >= 0, JSON.stringify([same, near, far]));
    assert.deepEqual(same, { own: same!.own, other: same!.own });
    const [part] = await overlap([CAR, DATABASE], [CAR]);
    assert.ok(part!.own < part!.other, "the longer text is covered less");
    const [swapped] = await overlap([CAR], [CAR, DATABASE]);
    assert.deepEqual(swapped, { own: part!.other, other: part!.own });
    assert.deepEqual(await overlap([CAR], [], [65_535]), [{ own: 0, other: 0 }, { own: 0, other: 0 }]); // prettier-ignore
    assert.deepEqual(await overlap([], [CAR]), [{ own: 0, other: 0 }]);
    assert.deepEqual(await overlap([CAR]), []);
  });
  everyShelf("soft words find what meets the question, best first, and nothing that does not", async (store, shelf) => {
    const far = await say(store, shelf, { text: "a", tokens: pieces(BANANA) });
    const near = await say(store, shelf, { text: "b", tokens: pieces(AUTOMOBILE) }, { text: "c", tokens: pieces(CAR) });
    const same = await say(store, shelf, { text: "d", tokens: pieces(CAR, BANANA) });
    const query = { pieces: [CAR] };
    const found = await store.nearestByWordpieces(shelf, query, active, 10);
    assert.deepEqual(
      found.map(({ itemId }) => itemId),
      [same.id, near.id],
    );
    assert.ok(found.every(({ score }) => score > 0.99 && score <= 1));
    const passages = await store.nearestByWordpieces(shelf, { ...query, eachPassage: true }, active, 10);
    assert.deepEqual(passages.map(({ passage }) => passage).slice(0, 2), [same.numbers[0], near.numbers[1]]);
    assert.equal(
      passages.some(({ itemId }) => itemId === far.id),
      false,
    );
    assert.equal((await store.nearestByWordpieces(shelf, query, active, 1)).length, 1);
    assert.deepEqual(await store.nearestByWordpieces(shelf, { pieces: [] }, active, 10), []);
    assert.deepEqual(await store.nearestByWordpieces(shelf, query, { ...active, scopes: ["global"] }, 10), []);
  });
  // Few are counted when they are read, many when they are written.
  for (const [shelf, count] of [
    ["memory", 5],
    ["evidence", 300],
  ] as const) {
    once(`soft words: a rare piece that is met counts more than one in ${count} passages`, async (store) => {
      await say(store, shelf, ...Array.from({ length: count }, () => ({ text: "x", tokens: pieces(CAR, CAR) })));
      const { numbers } = await say(
        store,
        shelf,
        { text: "x", tokens: pieces(CAR) },
        { text: "x", tokens: pieces(DATABASE) },
      );
      const [usual, telling] = await store.wordpieceScores(shelf, { pieces: [CAR, DATABASE] }, numbers);
      assert.ok(telling! > usual!, `${telling} ${usual}`);
    });
  }
  once(
    "soft words: in a long passage, what stands together counts, and its stretch is found anywhere",
    async (store) => {
      const filler = Array.from({ length: 90 }, () => BANANA);
      const { numbers } = await say(
        store,
        "code",
        { text: "apart", tokens: pieces(CAR, ...filler, DOCTOR) },
        { text: "together", tokens: pieces(...filler, CAR, DOCTOR) },
        { text: "first", tokens: pieces(CAR, DOCTOR, ...filler) },
      );
      const query = { pieces: [CAR, DOCTOR] };
      const [apart, together, first] = await store.wordpieceScores("code", { ...query, stretchPieces: 20 }, numbers);
      assert.ok(together! > apart! && Math.abs(together! - first!) < 1e-9, `${apart} ${together} ${first}`);
      const whole = await store.wordpieceScores("code", query, numbers);
      for (const score of whole) assert.ok(Math.abs(score - whole[0]!) < 1e-9, "as a whole all are alike");
    },
  );
}
