/** Keywords on Postgres: the same items in the same order, with the same scores, as on SQLite. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Store } from "../../../src/store/store.ts";
import { queryTerms } from "../../../src/text/words.ts";
import { freshStore } from "../fresh-store.ts";
import { active, apply, insertion, newItem } from "../suite/trial.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { spacesOn } from "./fresh-space.ts";
import { postgresServer } from "./server.ts";

const server = await postgresServer();
const clock = { now: () => 1_700_000_000_000 };
const { path } = temporaryFolder("words");

const WORDS = [
  ...[
    "deploy",
    "deploys",
    "deployment",
    "cache",
    "caches",
    "Redis",
    "getUserById",
    "HTTPServer2",
    "naïve",
    "the",
    "of",
  ],
  ...["内存泄漏", "संस्कृतम्", "don't", "10ms", "snake_case", "-", "😀"],
];
const texts = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 14 }).map((words) => words.join(" "));
const memory = fc.record({
  content: texts,
  title: fc.option(texts),
  tags: fc.uniqueArray(fc.constantFrom("cache", "deploys", "ops"), { maxLength: 2 }),
  passages: fc.array(texts, { minLength: 1, maxLength: 3 }),
});

type Memory = typeof memory extends fc.Arbitrary<infer M> ? M : never;

async function found(store: Store, question: string): Promise<(string | number)[][]> {
  const ranked = await store.keyword("memory", { terms: queryTerms(question), eachPassage: true }, active, 50);
  return ranked.map(({ itemId, passage, score }) => [itemId, passage, score.toFixed(9)]);
}

if (server) {
  const spaces = spacesOn(server, { kind: "project", clock });
  test("both engines find the same passages, in the same order and with the same scores", async () => {
    const corpus = fc.array(memory, { minLength: 2, maxLength: 12 });
    const questions = fc.array(texts, { minLength: 3, maxLength: 3 });
    const compare = async (all: readonly Memory[], asked: readonly string[]) => {
      const { open, giveBack } = await spaces.take();
      const [small, large] = [await freshStore({ path: path(), kind: "project", clock }), await open()];
      const changes = all.map(({ passages, ...set }, index) =>
        insertion("memory", newItem({ ...set, hash: `hash ${index}` }), { texts: passages }),
      );
      try {
        for (const store of [small, large]) await apply(store, ...changes);
        for (const question of asked) assert.deepEqual(await found(large, question), await found(small, question));
      } finally {
        await small.close();
        await large.close();
        await giveBack();
      }
    };
    await fc.assert(fc.asyncProperty(corpus, questions, compare), { numRuns: 40 });
  });
} else
  test("no Postgres was tested: STELE_TEST_POSTGRES names no server, and none is packaged for this system", () => {
    assert.equal(server, null);
  });
