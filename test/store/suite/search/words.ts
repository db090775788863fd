/** Search by words and by substring. Nothing that somebody types is ever read as syntax. */
import assert from "node:assert/strict";
import type { Agree } from "../items/against-model.ts";
import fc from "fast-check";
import { anyCharacter } from "../../../any-character.ts";
import { runs } from "../../../lane.ts";
import { type SearchStore, type Trials, active, apply, idsOf, put, removal } from "../trial.ts";

export function testWords(trials: Trials<SearchStore>): void {
  testInflection(trials);
  testRanking(trials);
  testHostileTerms(trials);
  testSubstring(trials);
}

function testInflection({ everyShelf }: Trials<SearchStore>): void {
  everyShelf("a shelf is filled as long as something lies on it", async (store, shelf) => {
    const isFilled = async () => (await store.filledShelves()).includes(shelf);
    const before = await isFilled();
    const item = await put(store, shelf, {}, { texts: ["okapi"] });
    assert.ok(await isFilled());
    await apply(store, removal(shelf, item));
    assert.equal(await isFilled(), before);
  });
  everyShelf(
    "words are found inflected, unaccented, in titles, tags and identifiers, and in Chinese",
    async (store, shelf) => {
      const { id } = await put(
        store,
        shelf,
        { title: "Zeppelin", tags: ["mooring"] },
        { texts: ["The crème was embedded by getUserById 内存泄漏"] },
      );
      for (const term of ["zeppelins", "moored", "creme", "embedding", "getuserbyid", "user", "泄漏"]) {
        assert.deepEqual(idsOf(await store.keyword(shelf, { terms: [term] }, active, 5)), [id], term);
      }
      for (const term of ["embedx", "漏泄"]) {
        assert.deepEqual(await store.keyword(shelf, { terms: [term] }, active, 5), [], term);
      }
      assert.deepEqual(await store.keyword(shelf, { terms: [] }, active, 5), []);
    },
  );
}

function testRanking({ everyShelf }: Trials<SearchStore>): void {
  everyShelf(
    "counted, a passage scores by how many of the words it has, whatever else it says",
    async (store, shelf) => {
      const long = await put(
        store,
        shelf,
        {},
        { texts: [`gibbon loris ${"and many more words ".repeat(20)}`, "gibbon"] },
      );
      const short = await put(store, shelf, {}, { texts: ["gibbon"] });
      const gone = await put(store, shelf, { status: "archived" }, { texts: ["gibbon loris potto"] });
      const query = { terms: ["gibbons", "loris", "potto", "gibbons"], isCounted: true };
      const found = await store.keyword(shelf, query, active, 5);
      assert.deepEqual(found.map(({ itemId, score }) => [itemId, score]), [[long.id, 2], [short.id, 1]]); // prettier-ignore
      assert.deepEqual(idsOf(await store.keyword(shelf, query, active, 1)), [long.id]);
      assert.ok(!idsOf(found).includes(gone.id));
      assert.deepEqual(await store.keyword(shelf, { terms: ['" OR gibbon'], isCounted: true }, active, 5), []);
    },
  );
  everyShelf(
    "an item stands in a list once, by its best passage; better ones first; no more than asked",
    async (store, shelf) => {
      const texts = [`lemur ${"and many more words ".repeat(10)}`, "lemur tamarin", "lemur"];
      const best = await put(store, shelf, {}, { texts });
      const other = await put(store, shelf, {}, { texts: ["a lemur among several other animals"] });
      const found = await store.keyword(shelf, { terms: ["lemur", "tamarin"] }, active, 10);
      assert.deepEqual(idsOf(found), [best.id, other.id]);
      assert.ok(found[0]!.score > found[1]!.score);
      assert.equal((await store.passages(shelf, [found[0]!.passage]))[0]?.text, "lemur tamarin");
      assert.deepEqual(idsOf(await store.keyword(shelf, { terms: ["lemur", "tamarin"] }, active, 1)), [best.id]);
    },
  );
}

const HOSTILE = [
  '"',
  '""',
  '" OR "',
  "*",
  "gnu*",
  "NEAR",
  "NEAR(gnu eland, 2)",
  "OR",
  "AND",
  "NOT",
  "NOT gnu",
  "title:gnu",
  "{title tags}: gnu",
  "- title : gnu",
  "^gnu",
  "gnu + eland",
  "(",
  ")",
  "gnu\0eland",
  "\0",
  "\ud800",
  "",
  " ",
  "'; drop table memory_item; --",
  "%",
  "x".repeat(10_000),
];

function testHostileTerms({ everyShelf, once }: Trials<SearchStore>): void {
  everyShelf("a term is a word and never syntax", async (store, shelf) => {
    const { id } = await put(store, shelf, {}, { texts: ["eland"] });
    for (const term of HOSTILE) {
      const alone = idsOf(await store.keyword(shelf, { terms: [term] }, active, 5));
      assert.ok(alone.length === 0 || term.includes("eland"), `alone: ${term}`);
      assert.deepEqual(idsOf(await store.keyword(shelf, { terms: [term, "eland"] }, active, 5)), [id], `with: ${term}`);
      assert.deepEqual(
        idsOf(await store.keyword(shelf, { terms: ["eland", term] }, active, 5)),
        [id],
        `after: ${term}`,
      );
    }
    const spoken = await put(store, shelf, {}, { texts: ["near not or and"] });
    for (const term of ["NEAR", "NOT", "OR", "AND"]) {
      assert.deepEqual(idsOf(await store.keyword(shelf, { terms: [term] }, active, 5)), [spoken.id], term);
    }
    assert.deepEqual(idsOf(await store.keyword(shelf, { terms: ["title", "eland"] }, active, 5)), [id]);
  });
  once("no term, whatever it is, hides a word beside it", async (store) => {
    const { id } = await put(store, "memory", {}, { texts: ["dromedary"] });
    const anything = fc.array(fc.string({ unit: anyCharacter, maxLength: 12 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(anything, async (terms) => {
        const found = await store.keyword("memory", { terms: [...terms, "dromedary"] }, active, 5);
        assert.deepEqual(idsOf(found), [id]);
      }),
      { numRuns: runs(40) },
    );
  });
}

function testSubstring({ everyShelf }: Trials<SearchStore>): void {
  everyShelf(
    "a substring is found in text and title, whatever its case and whatever it contains",
    async (store, shelf) => {
      const text = await put(store, shelf, {}, { texts: ["error E_404%x at C:\\temp — ÜBERGRÖSSE"] });
      const title = await put(store, shelf, { title: "Quagmire" }, { texts: ["plain"] });
      const find = async (part: string) => idsOf(await store.substring(shelf, part, active, 5));
      for (const part of ["_404%", "e_404", "\\TEMP", "BERGR", "ÜBERGRÖSSE", "rror E"]) {
        assert.deepEqual(await find(part), [text.id], part);
      }
      assert.deepEqual(await find("agmir"), [title.id]);
      for (const part of ["404_", "%x%", "e?404", "nowhere", "\0"]) assert.deepEqual(await find(part), [], part);
      const small = await put(store, shelf, {}, { texts: ["übergröße klein"] });
      assert.deepEqual(await find("ÜBERGRÖßE kl"), [small.id]);
    },
  );
  everyShelf("an item of many passages takes one place, not all", async (store, shelf) => {
    const short = await put(store, shelf, {}, { texts: ["xylophone"] });
    const long = await put(store, shelf, {}, { texts: Array.from({ length: 30 }, (_, part) => `xylophone ${part}`) });
    assert.deepEqual(idsOf(await store.substring(shelf, "lopho", active, 2)), [long.id, short.id]);
    assert.deepEqual(idsOf(await store.substring(shelf, "lopho", active, 1)), [long.id], "newest first");
  });
}

/** What a session's words find is what is there. */
export const wordsAgree: Agree<SearchStore> = async (store, session, expected) => {
  const found = await store.keyword("memory", { terms: ["run"] }, { ...active, session }, 10);
  assert.deepEqual(idsOf(found).toSorted(), idsOf(expected).toSorted());
};
