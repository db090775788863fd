import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryTypeInput, PRIORITY_OF_WEIGHT, TYPE_SYNONYMS } from "../../src/memory/item.ts";
import { MEMORY_TYPES } from "../../src/memory/shelves.ts";

const synonyms: [string, string][] = [
  ["code_pattern", "pattern"],
  ["relationship", "preference"],
];
for (const [written, meant] of synonyms)
  test(`${written} means ${meant}`, () => assert.equal(MemoryTypeInput.parse(written), meant));

test("every type means itself, and no synonym is a type", () => {
  for (const type of MEMORY_TYPES) assert.equal(MemoryTypeInput.parse(type), type);
  assert.deepEqual(
    Object.keys(TYPE_SYNONYMS).filter((name) => (MEMORY_TYPES as readonly string[]).includes(name)),
    [],
  );
});

test("every synonym is accepted", () => {
  assert.deepEqual(Object.entries(TYPE_SYNONYMS), synonyms);
});

for (const name of ["", "Fact", "facts", "toString", "__proto__", "constructor"])
  test(`${JSON.stringify(name)} is no type`, () => assert.equal(MemoryTypeInput.safeParse(name).success, false));

test("weights are priorities between 1 and 10, in order, the middle being 5", () => {
  assert.deepEqual(Object.entries(PRIORITY_OF_WEIGHT), [
    ["1", 1],
    ["2", 3],
    ["3", 5],
    ["4", 8],
    ["5", 10],
  ]);
});
