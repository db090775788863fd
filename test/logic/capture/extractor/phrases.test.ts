/** Every table of phrases, row by row: a row finds its own examples, and no row of a table finds the near misses. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Phrases, expression, phrases, sourceOf } from "../../../../src/logic/capture/extractor/phrases.ts";

const folder = join(import.meta.dirname, "../../../../src/logic/capture/extractor");
const LONGEST_LINE = 120;

const isTable = (value: unknown): value is Phrases =>
  typeof value === "object" && value !== null && "rows" in value && "pattern" in value;

/** A record of tables counts as each of them. */
const tablesIn = ([name, value]: [string, unknown]): [string, Phrases][] =>
  isTable(value)
    ? [[name, value]]
    : Object.entries(typeof value === "object" && value !== null ? value : {})
        .filter((entry): entry is [string, Phrases] => isTable(entry[1]))
        .map(([key, table]) => [`${name}, ${key}`, table]);

const files = globSync("**/*.ts", { cwd: folder }).sort();
const sources = files.map((file) => readFileSync(join(folder, file), "utf8"));
const modules = await Promise.all(files.map(async (file) => (await import(pathToFileURL(join(folder, file)).href)) as object)); // prettier-ignore
const tables = new Map(modules.flatMap((module) => Object.entries(module).flatMap(tablesIn)).map(([name, table]) => [table, name])); // prettier-ignore

for (const [{ rows, pattern }, name] of tables)
  for (const [what, row] of Object.entries(rows))
    test(`${name}, ${what}`, () => {
      const own = new RegExp(sourceOf(row), pattern.flags.replace("g", ""));
      assert.ok(row.like.length > 0, "no example");
      for (const text of row.like) assert.match(text, own);
      for (const text of row.unlike ?? []) assert.equal(text.search(pattern), -1, text);
    });

test("no table is missed, because each is exported", () => {
  const made = sources.flatMap((source) => [...source.matchAll(/[=:] phrases\(/g)]);
  assert.ok(made.length > 40);
  assert.equal(tables.size, made.length);
});

test("no pattern is too long to read", () => {
  const isComment = (line: string) => /^\s*(?:\/?\*|\/\/)/.test(line);
  const withPhrases = sources.filter((source) => source.includes('/phrases.ts"'));
  const long = withPhrases.flatMap((source) => source.split("\n")).filter((line) => line.length > LONGEST_LINE);
  assert.deepEqual(long.filter((line) => !isComment(line)), []); // prettier-ignore
});

const row = {
  opening: ["let me", "now (i|we)"],
  anywhere: ["for now"],
  closing: ["works? fine"],
  whole: ["all set"],
  pattern: ["^[(] a"],
  like: [],
};
const { pattern } = phrases({ row });
const places: [what: string, yes: string[], no: string[]][] = [
  ["opening", ["Let me see", "now we"], ["So let me see", "Let mean values", "now she"]],
  ["anywhere", ["Enough for now.", "for now it is"], ["for nowhere", "before now"]],
  ["closing", ["It works fine.", "All work fine"], ["It works fine, too", "networks fine"]],
  ["whole", ["All set!", "all set"], ["all set up", "We are all set"]],
  ["pattern", ["( a"], ["a ( a"]],
];
for (const [what, yes, no] of places)
  test(`a phrase by its place: ${what}`, () => {
    for (const text of yes) assert.match(text, pattern);
    for (const text of no) assert.doesNotMatch(text, pattern);
  });

test("parentheses group and capture nothing, unless they stand for themselves", () => {
  assert.equal(expression("(a|b(c))").source, "(?:a|b(?:c))");
  assert.equal(expression(String.raw`\((?<!a)[^(\](]`).source, String.raw`\((?<!a)[^(\](]`);
});
