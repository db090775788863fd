import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { areOfTwoThings, nearestOf, nearness, sureKind } from "../../src/memory/nearness.ts";

const cases: [older: string, newer: string, kind: "contradicts" | "repeats" | null][] = [
  ["The proxy listens on port 81", "the proxy listens on port 81.", "repeats"],
  ["The proxy listens on port 81", "A proxy listens on the port 81", "repeats"],
  ["The proxy listens on port 81", "The proxy listens on port 82", null],
  ["Fixed issue #12 in the parser", "Fixed issue #13 in the parser", null],
  ["Logs of our service 7 go to disk", "Logs of our service 8 go to disk", null],
  ["The limits were reviewed in 2024", "The limits were reviewed in 2025", null],
  ["The proxy listens on port 81", "The proxy now listens on port 82", null],
  ["Version 2 uses the new parser", "Version 3 uses the new parser", null],
  ["Merge commits are allowed on main", "Merge commits are not allowed on main", "contradicts"],
  ["Merge commits are allowed on main", "Merge commits aren't allowed on main", "contradicts"],
  ["Tracing must be enabled in tests", "Tracing must be disabled in tests", "contradicts"],
  ["Anna owns the billing service", "Bob owns the billing service", null],
  ["The limit is 30 s", "The limit is 30 MB", null],
  ["Das Zeitlimit beträgt 30 Sekunden", "Das Zeitlimit beträgt 60 Sekunden", null],
  ["", "", null],
];
for (const [older, newer, kind] of cases)
  test(`${older} | ${newer} → ${kind}`, () => assert.equal(sureKind(older, newer), kind));

test("nearness rises with what two texts share", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, share, share, (one, two, cosine) => {
      const [less, more] = [Math.min(one, two), Math.max(one, two)];
      for (const known of [null, cosine])
        assert.ok(nearness({ covered: less, cosine: known }) <= nearness({ covered: more, cosine: known }));
    }),
  );
});

test("at most three are near, and none that is far less so than the nearest", () => {
  const of = (...values: number[]) => nearestOf(values.map((value, at) => ({ id: String(at), nearness: value })));
  assert.deepEqual(of(0.6, 0.7, 0.65, 0.62).map(({ id }) => id), ["1", "2", "3"]); // prettier-ignore
  assert.deepEqual(of(0.99, 0.6).map(({ id }) => id), ["0"]); // prettier-ignore
  assert.deepEqual(of(0.49), []);
});

test("members of a series are about several things", () => {
  assert.ok(areOfTwoThings("Service 7 listens on port 8007", "Service 8 listens on port 8008"));
  assert.ok(!areOfTwoThings("The proxy listens on port 81", "The proxy listens on port 82"));
});
