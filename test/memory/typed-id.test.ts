/** What people type for an id: when it is meant as one, and which. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { handleOf } from "../../src/memory/handles.ts";
import { isNearHandle, nearestIds, type Reading, readingOf } from "../../src/memory/resolve-id.ts";

const ID = "01a1e0fa-bf04-7000-a637-71663454a66d";

const readings: [Reading, string[]][] = [
  ["id", [ID, ID.toUpperCase(), "01a1e0fa-bf04", "01a1e0fa", "3454a66d", "3454a6", "123456", "a1b2c3", "0198c0de-"]],
  // With wrong letters, one too few, or one too many.
  ["id", ["54a6z66d", "3454A66O", "3l54a66d", `${ID.slice(0, -1)}g`, ID.slice(1), `${ID}0`]],
  ["prefix", ["54a6", "3454a", "e2e4", "deadbeef", "FACEFEED"]],
  ["words", ["postgres15", "oauth2", "e2e", "python312", "debian12", "base64ed", "sha256ab", "ubuntu22", "node20"]],
  ["words", ["deadbeef-free prose", "old deploy notes", "3454a66d 3454a66d", "2024", "12345", "cafe", "decade"]],
  ["words", ["vpn", "facade", "2026-01-31", "555-12345", "utf8mb4x", "x86_64", "getUserById", "", "-", "預發布"]],
];
for (const [reading, targets] of readings)
  for (const target of targets)
    test(`"${target}" is read as ${reading}`, () => assert.equal(readingOf(target), reading));

const hex = (length: number) =>
  fc.array(fc.constantFrom(..."0123456789abcdef"), { minLength: length, maxLength: length }).map((all) => all.join(""));
const anId = fc.tuple(hex(12), hex(20)).map(([time, rest]) => {
  const [first, second, third] = [rest.slice(0, 3), rest.slice(3, 6), rest.slice(6, 18)];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${first}-8${second}-${third}`;
});

test("no handle, whole id or longer beginning of one is ever taken for words", () => {
  fc.assert(
    fc.property(anId, fc.integer({ min: 9, max: 36 }), (id, length) => {
      assert.notEqual(readingOf(handleOf(id)), "words");
      assert.equal(readingOf(id), "id");
      if (/\d/.test(id.slice(0, length))) assert.equal(readingOf(id.slice(0, length)), "id");
    }),
  );
});

test("what has a space in it, or only letters that are not all hex, is words", () => {
  fc.assert(fc.property(hex(8), hex(8), (one, other) => assert.equal(readingOf(`${one} ${other}`), "words")));
  fc.assert(fc.property(fc.stringMatching(/^[a-z]{0,30}[g-z]$/), (word) => assert.equal(readingOf(word), "words")));
});

/** One slip of the fingers: a wrong, a missing, an added or two swapped characters. */
const slips: [string, (text: string, at: number) => string][] = [
  ["wrong", (text, at) => `${text.slice(0, at)}z${text.slice(at + 1)}`],
  ["missing", (text, at) => text.slice(0, at) + text.slice(at + 1)],
  ["added", (text, at) => `${text.slice(0, at)}7${text.slice(at)}`],
  ["swapped", (text, at) => text.slice(0, at) + (text[at + 1] ?? "") + text[at] + text.slice(at + 2)],
];
for (const [name, slip] of slips)
  test(`with a character ${name}, what was meant is suggested first`, () => {
    const others = ["01a1e0fa-bf05-7000-a637-0000000ffff0", "01a1e0fa-bf06-7000-b111-fffffff00001"];
    for (let at = 0; at < 8; at += 1) {
      const typed = slip(handleOf(ID), at);
      assert.deepEqual(nearestIds(typed, [...others, ID], 3), [ID], typed);
      assert.ok(isNearHandle(typed, [...others, ID]), typed);
      assert.deepEqual(nearestIds(slip(ID, 28 + at), [...others, ID], 3), [ID], `whole, ${typed}`);
    }
  });

/** Two slips from 11112222, then one and one. */
const ENDINGS: Record<string, string> = { a: "11112299", b: "11112229", c: "11112228" };
const endingLike = (first: string): string => `${first}1a1e57c-2cd8-7000-8000-0000${ENDINGS[first]}`;

const suggestions: [why: string, typed: string, ids: string[], expected: string[]][] = [
  ["nearer ones first, then in their order", "11112222", ["a", "b", "c"].map(endingLike), ["b", "c"]],
  ["of a beginning, one slip", "3454z", [ID], [ID]],
  ["but not two", "34zz", [ID], []],
  ["in any case", "3454A66E", [ID], [ID]],
  ["nothing for what is too short", "3z5", [ID], []],
  ["nothing for words", "3454a66d or so", [ID], []],
  ["nothing for what is far from all", "99999999", [ID], []],
  ["nothing among none", "3454a66d", [], []],
];
for (const [why, typed, ids, expected] of suggestions)
  test(`suggestions for ${typed}: ${why}`, () => {
    const found = nearestIds(typed, ids, 2);
    assert.deepEqual(
      found.map((id) => (id === ID ? ID : id.slice(0, 1))),
      expected,
    );
  });

test("a word is not nearly a handle because it resembles the beginning of one", () => {
  assert.equal(
    isNearHandle(
      "decade",
      ["x-decad399", "y-decade99"].map((id) => `${id}00`),
    ),
    false,
  );
  assert.equal(isNearHandle("postgres", [ID]), false);
  assert.equal(isNearHandle("", [ID]), false);
});

test("whatever is typed, at most so many of the given ids come back, each once", () => {
  fc.assert(
    fc.property(fc.string(), fc.uniqueArray(anId), fc.nat(5), (typed, ids, limit) => {
      const found = nearestIds(typed, ids, limit);
      assert.ok(found.length <= limit && found.every((id) => ids.includes(id)));
      assert.equal(new Set(found).size, found.length);
    }),
  );
});
