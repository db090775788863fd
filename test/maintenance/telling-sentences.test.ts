/** Which sentences a summary picks: examples, and what holds for all texts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sentencesOf, tellingSentences as tell } from "../../src/maintenance/summarize.ts";
import { anyCharacter } from "../any-character.ts";

const SPLITS: [text: string, sentences: string[], what: string][] = [
  ["Moved the parser. It is faster now.", ["Moved the parser.", "It is faster now."], "sentences"],
  ["- one thing\n* another\n3. a third", ["one thing", "another", "a third"], "lists"],
  ["# Title\n\nText  with\tspaces", ["Title", "Text with spaces"], "headings and white space"],
  ["Uses v1.2.3 of x.ts, see e.g. the docs", ["Uses v1.2.3 of x.ts, see e.g. the docs"], "points inside words"],
  ["修复了内存泄漏。测试通过。", ["修复了内存泄漏。", "测试通过。"], "scripts without spaces"],
  [" \n\t\n", [], "nothing"],
];
for (const [text, sentences, what] of SPLITS)
  test(`a text is divided: ${what}`, () => assert.deepEqual(sentencesOf(text), sentences));

const sourcesOf = (...texts: string[]) => texts.map((text) => ({ text, weight: 1 }));
const tellingSentences = (...given: Parameters<typeof tell>) => tell(...given).sentences;
const BOUNDS = { characters: 400, sentences: 3 };

test("what many texts speak of comes before what one mentions, in the order of the texts", () => {
  const sources = sourcesOf(
    "The weather is nice. The parser fails on tabs.",
    "Tabs break the parser in lexer.ts.",
    "Lunch was late. The parser accepts tabs since commit 4f2a.",
  );
  const told = tellingSentences(sources, { ...BOUNDS, sentences: 2 });
  assert.deepEqual(told, ["Tabs break the parser in lexer.ts.", "The parser accepts tabs since commit 4f2a."]);
});

test("a sentence said twice is told once", () => {
  const told = tellingSentences(sourcesOf("The build is green.", "The build is green!", "Ann has the keys."), BOUNDS);
  assert.deepEqual(told, ["The build is green.", "Ann has the keys."]);
});

const APART: string[][] = [
  ["Step 1 starts the worker on port 8001.", "Step 2 starts the worker on port 8002."],
  ["Migrated the users table.", "Migrated the orders table.", "Migrated the invoices table."],
  ["The build for Linux is green.", "The build for macOS is green."],
  ["The build is green.", "The build is not green."],
];
for (const texts of APART)
  test(`sentences that differ in a word, name or number are all told: ${texts[0]}`, () => {
    assert.deepEqual(tell(sourcesOf(...texts), BOUNDS), { sentences: texts, omitted: 0 });
    const short = tell(sourcesOf(...texts, ...texts), { ...BOUNDS, sentences: 1 });
    assert.deepEqual([short.sentences.length, short.omitted], [1, 2 * texts.length - 2]);
  });

test("weight lifts a sentence", () => {
  const sources = [
    { text: "The cache is cold.", weight: 0.2 },
    { text: "The queue is long.", weight: 2 },
  ];
  assert.deepEqual(tellingSentences(sources, { ...BOUNDS, sentences: 1 }), ["The queue is long."]);
});

test("a sentence that does not fit is cut rather than nothing told", () => {
  const [told, ...rest] = tellingSentences(sourcesOf(`Migrated ${"table after ".repeat(20)}table`), { ...BOUNDS, characters: 50 }); // prettier-ignore
  assert.deepEqual([told!.length <= 50, told!.startsWith("Migrated table"), rest], [true, true, []]);
});

const vocabulary = ["parser", "tabs", "build", "Ann", "cache", "v2.1", "queue", "deploys", "the", "not", "lexer.ts"];
const sentence = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 8 }).map((all) => `${all.join(" ")}.`); // prettier-ignore
const text = fc.oneof(
  fc.array(sentence, { minLength: 1, maxLength: 4 }).map((all) => all.join("\n")),
  fc.string({ unit: anyCharacter }),
);
const sources = fc.array(fc.record({ text, weight: fc.constantFrom(0.2, 1, 2) }), { maxLength: 8 });
const bounds = fc.record({ characters: fc.integer({ min: 20, max: 500 }), sentences: fc.integer({ min: 1, max: 6 }) });

test("a summary stays within its bounds, invents nothing, keeps the order, and is the same every time", () => {
  fc.assert(
    fc.property(sources, bounds, (given, limits) => {
      const told = tellingSentences(given, limits);
      assert.ok(told.length <= limits.sentences && told.join("\n").length <= limits.characters);
      const all = given.flatMap((source) => sentencesOf(source.text));
      let from = 0;
      for (const line of told) {
        const at = all.findIndex((one, index) => index >= from && (one === line || one.startsWith(line.slice(0, -1))));
        assert.ok(at >= 0, `${line} is no sentence of theirs, or out of order`);
        from = at + 1;
      }
      assert.deepEqual(tellingSentences(given, limits), told);
    }),
  );
});
