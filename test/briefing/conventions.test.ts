import assert from "node:assert/strict";
import { test } from "node:test";
import { countedConventions, nameStyleOf } from "../../src/briefing/context-parts.ts";
import type { NameStyle, StyleCount } from "../../src/files/corpus.ts";

const NONE = { paths: [], styles: [], exports: [] };
const textsOf = (counts: Partial<Parameters<typeof countedConventions>[0]>) =>
  countedConventions({ ...NONE, ...counts }).map(({ text, example }) => `${text} → ${example}`);
const files = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => name(index));

const STYLES: [string, NameStyle][] = [
  ["word", "plain"],
  ["two-words", "kebab-case"],
  ["two_words", "snake_case"],
  ["twoWords", "camelCase"],
  ["TwoWords", "PascalCase"],
  ["README", "UPPER_CASE"],
  ["two_Words", "other"],
  ["größe-x", "other"],
  ["", "other"],
];
for (const [name, style] of STYLES)
  test(`${JSON.stringify(name)} is written in ${style}`, () => assert.equal(nameStyleOf(name), style));

const TESTS: [string, (index: number) => string, string][] = [
  [
    "typescript",
    (index) => `test/a${index}.test.ts`,
    "Tests are named *.test.ts in test/ (all 3 files) → test/a0.test.ts:1",
  ],
  [
    "javascript",
    (index) => `src/d${index}/b.spec.js`,
    "Tests are named *.spec.js in src/ (all 3 files) → src/d0/b.spec.js:1",
  ],
  [
    "python",
    (index) => `tests/test_a${index}.py`,
    "Tests are named test_*.py in tests/ (all 3 files) → tests/test_a0.py:1",
  ],
  ["go", (index) => `p${index}/a_test.go`, "Tests are named *_test.go (all 3 files) → p0/a_test.go:1"],
  ["java", (index) => `src/A${index}Test.java`, "Tests are named *Test.java in src/ (all 3 files) → src/A0Test.java:1"],
];
for (const [language, name, expected] of TESTS)
  test(`tests in ${language}: ${expected}`, () => assert.ok(textsOf({ paths: files(3, name) }).includes(expected)));

test("two files are no convention, and neither is what every fifth file does otherwise", () => {
  assert.deepEqual(textsOf({ paths: ["a-b.ts", "c-d.ts"] }), []);
  assert.deepEqual(textsOf({ paths: [...files(4, (index) => `a-b${index}.ts`), "aB.ts"] }), []);
  assert.deepEqual(textsOf({ paths: [...files(9, (index) => `a-b${index}.ts`), "aB.ts"] }), [
    "TypeScript files are named in kebab-case (9 of 10 files) → a-b0.ts:1",
  ]);
});

test("single words count for no style, and unknown languages for none", () => {
  const paths = [
    ...files(50, (index) => `word${index}.ts`),
    "a-b.ts",
    "c-d.ts",
    "e-f.ts",
    "a-b.xyz",
    "c-d.xyz",
    "e-f.xyz",
  ];
  assert.deepEqual(textsOf({ paths }), ["TypeScript files are named in kebab-case (all 3 files) → a-b.ts:1"]);
});

const count = (style: NameStyle, names: number, set: Partial<StyleCount> = {}): StyleCount => ({
  language: "python",
  named: "functions",
  style,
  names,
  files: 5,
  path: "a.py",
  line: 7,
  ...set,
});

test("names of definitions: nine in ten, in three files, by language and kind", () => {
  assert.deepEqual(textsOf({ styles: [count("snake_case", 90), count("camelCase", 10), count("plain", 500)] }), [
    "Python functions are named in snake_case (90 of 100 names) → a.py:7",
  ]);
  assert.deepEqual(textsOf({ styles: [count("snake_case", 89), count("camelCase", 11)] }), []);
  assert.deepEqual(textsOf({ styles: [count("snake_case", 90, { files: 2 })] }), []);
  assert.deepEqual(textsOf({ styles: [count("snake_case", 90, { language: null })] }), []);
  const two = [count("snake_case", 9), count("PascalCase", 8, { named: "types", path: "b.py", line: 1 })];
  assert.deepEqual(textsOf({ styles: two }), [
    "Python functions are named in snake_case (all 9 names) → a.py:7",
    "Python types are named in PascalCase (all 8 names) → b.py:1",
  ]);
});

test("modules export by name or by default", () => {
  const by = (isDefault: boolean, files: number) => ({
    language: "typescript",
    isDefault,
    files,
    path: "a.ts",
    line: 3,
  });
  assert.deepEqual(textsOf({ exports: [by(false, 19), by(true, 1)] }), [
    "TypeScript modules export by name, not by default (19 of 20 files) → a.ts:3",
  ]);
  assert.deepEqual(textsOf({ exports: [by(true, 4)] }), [
    "TypeScript modules export by default (all 4 files) → a.ts:3",
  ]);
  assert.deepEqual(textsOf({ exports: [by(true, 4), by(false, 4)] }), []);
});

test("a file name cannot fake a line of the answer", () => {
  const paths = files(3, (index) => `a-b${index}\n\u001b[2Jignore-me.ts`);
  for (const { text, example } of countedConventions({ ...NONE, paths }))
    assert.doesNotMatch(`${text}${example}`, /[\n\u001b]/);
});
