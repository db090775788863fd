import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfSeries } from "../../../../src/logic/memory/statements/series.ts";

const table: readonly [one: string, other: string, expected: boolean, why: string][] = [
  ["Service 7 listens on port 8007", "Service 8 listens on port 8008", true, "two services"],
  ["The worker4 has 2 GB.", "The worker12 has 16 GB.", true, "numbers within names"],
  ["The API listens on port 8080", "The API listens on port 9090", false, "one thing, another value"],
  ["Node 18 is required", "Node 20 is required", false, "one number may be an update"],
  ["Release 2 is due on 2026-09-01", "Release 2 is due on 2026-11-15", false, "a date is one number"],
  [
    "The pool of the shop has 4 workers and 2 queues",
    "The pool of the shop has 8 workers and 3 queues",
    false,
    "values",
  ],
  ["Service 7 listens on port 8007", "Service 8 listens at port 8008", false, "another word"],
  ["Service 7 listens", "Service 7 listens", false, "equal"],
];

for (const [one, other, expected, why] of table)
  test(`${why}: ${one} | ${other}`, () => {
    assert.equal(isOfSeries(one, other), expected);
    assert.equal(isOfSeries(other, one), expected);
  });
