/** Input fields that verbs share: what counts as a moment, as a filter, and as nothing said. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { filterFrom, languages, moment, session, tags } from "../../src/catalog/fields.ts";
import { UTC } from "../../src/time/calendar.ts";

const world = { clock: { now: () => Date.UTC(2026, 1, 3) }, zone: UTC };

const moments: [string, boolean][] = [
  ["2026-01-31", true],
  ["2026-01-31T09:00", true],
  ["2026-01-31T09:00:00Z", true],
  ["2026-01-31T09:00:00.123+02:00", true],
  ["2026-13-01", false],
  ["2026-01-31T25:00:00Z", false],
  ["foo 1", false],
  ["31.01.2026", false],
  ["01/31/2026", false],
  ["January 31, 2026", false],
  ["2026", false],
  ["yesterday", false],
  ["", false],
  ["2026-01-31 ", false],
];
for (const [text, isMoment] of moments)
  test(`${JSON.stringify(text)} is ${isMoment ? "a" : "no"} moment`, () =>
    assert.equal(moment.safeParse(text).success, isMoment));

const lists: [given: string[], read: string[] | null][] = [
  [["a"], ["a"]],
  [["a,b"], ["a", "b"]],
  [
    [" a , b c ", "d"],
    ["a", "b c", "d"],
  ],
  [["a,,a", "a"], ["a"]],
  [[","], []],
  [["x".repeat(101)], null],
  [[Array.from({ length: 51 }, (_, index) => index).join(",")], null],
];
for (const [given, read] of lists)
  test(`the tags ${JSON.stringify(given).slice(0, 40)} are ${JSON.stringify(read)}`, () =>
    assert.deepEqual(tags.safeParse(given).data ?? null, read));

test("languages are separated by commas too", () =>
  assert.deepEqual(languages.parse(["TypeScript, go"]), ["typescript", "go"]));

test("an empty list says nothing, and what is not said is not there", async () => {
  assert.deepEqual(await filterFrom({ type: [], tag: [], scope: [], status: [] }, world), {});
  assert.deepEqual(await filterFrom({ branch: undefined, minPriority: undefined }, world), {});
});

test("every part of a filter arrives under its own name", async () => {
  const input = {
    type: ["fact" as const],
    tag: ["a"],
    scope: ["global" as const],
    branch: "main",
    minPriority: 3,
    since: "2026-01-31",
    until: "2026-01-31",
    status: ["archived" as const],
  };
  assert.deepEqual(await filterFrom(input, world), {
    types: ["fact"],
    tags: ["a"],
    scopes: ["global"],
    branch: "main",
    minimumPriority: 3,
    createdAfter: Date.UTC(2026, 0, 31),
    createdBefore: Date.UTC(2026, 1, 1),
    statuses: ["archived"],
  });
});

test("a session's name is cleaned", () => {
  const secret = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
  const cleaned = session.parse(`mine ${secret}`);
  assert.ok(cleaned.startsWith("mine ") && !cleaned.includes(secret), cleaned);
});
