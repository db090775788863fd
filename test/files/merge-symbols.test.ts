import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mergeSymbols } from "../../src/files/search-code.ts";
import { identityOf } from "../../src/memory/handles.ts";
import type { Hit } from "../../src/recall/hit.ts";

/** `path:first-last`, as relevant and scored as told. */
function hit(place: string, relevance: number, score = relevance): Hit {
  const [path = "", lines = ""] = place.split(":");
  const [startLine = 1, endLine = startLine] = lines.split("-").map(Number);
  return {
    ...identityOf(place),
    shelf: "code",
    scope: "project",
    type: "file",
    title: null,
    summary: "",
    content: "",
    tags: [],
    status: "active",
    source: "user_explicit",
    byAgent: false,
    score,
    relevance,
    why: {},
    createdAt: "",
    validFrom: null,
    validUntil: null,
    history: [],
    related: [],
    contradicts: [],
    stale: null,
    unratified: false,
    path,
    startLine,
    endLine,
  };
}

const cases: [string, Hit[], Hit[], number, string][] = [
  ["the very name goes before everything", [hit("a:1", 1)], [hit("b:1", 1)], 4, "a:1 b:1"],
  ["what is alike stands by its relevance", [hit("a:1", 0.7)], [hit("b:1", 1), hit("c:1", 0.3)], 4, "b:1 a:1 c:1"],
  ["a slip leads where nothing has the very name", [hit("a:1", 0.85)], [hit("b:1", 1)], 4, "a:1 b:1"],
  ["and does not where something has", [hit("a:1", 1), hit("c:1", 0.85)], [hit("b:1", 0.9)], 4, "a:1 b:1 c:1"],
  [
    "of the same lines the leading definition stays",
    [hit("a:2-4", 1)],
    [hit("a:1-11", 1), hit("a:12", 1)],
    4,
    "a:2-4 a:12",
  ],
  [
    "what a long definition does not show is shown",
    [hit("a:1-366", 1)],
    [hit("a:40-50", 1), hit("a:338-366", 1)],
    4,
    "a:1-366 a:338-366",
  ],
  ["what is alike goes where a better passage shows it", [hit("a:2-4", 0.7)], [hit("a:1-11", 1)], 4, "a:1-11"],
  ["and stays where the passage is worse", [hit("a:2-4", 0.7)], [hit("a:1-11", 0.2)], 4, "a:2-4"],
  [
    "slips are few",
    ["a", "b", "c", "d"].map((path) => hit(`${path}:1`, 0.85)),
    [hit("x:1", 1), hit("y:1", 1)],
    8,
    "a:1 b:1 c:1 x:1 y:1 d:1",
  ],
  [
    "half of the answer is left to passages",
    ["a", "b", "c", "d"].map((path) => hit(`${path}:1`, 1)),
    [hit("x:1", 1), hit("y:1", 0.5)],
    4,
    "a:1 b:1 x:1 y:1",
  ],
  [
    "unless there are fewer",
    ["a", "b", "c", "d"].map((path) => hit(`${path}:1`, 0.7)),
    [hit("x:1", 0.1)],
    4,
    "a:1 b:1 c:1 x:1",
  ],
  ["one of one", [hit("a:1", 1)], [hit("b:1", 1)], 1, "a:1"],
];
for (const [title, symbols, recalled, limit, expected] of cases)
  test(title, () =>
    assert.equal(
      mergeSymbols(symbols, recalled, limit)
        .map(({ id }) => id)
        .join(" "),
      expected,
    ),
  );

test("scores fall from the first to the last, and an answer is as full as it can be", () => {
  const share = fc.double({ min: 0.01, max: 1, noNaN: true });
  const falling = (values: number[], path: string) => {
    const sorted = values.toSorted((a, b) => b - a);
    return sorted.map((value, index) =>
      hit(`${path}${index}:1`, value, Math.round((value / sorted[0]!) * 10_000) / 10_000),
    );
  };
  const list = fc.array(share, { maxLength: 9 });
  fc.assert(
    fc.property(list, list, fc.integer({ min: 1, max: 12 }), (symbols, recalled, limit) => {
      const merged = mergeSymbols(falling(symbols, "s"), falling(recalled, "r"), limit);
      assert.equal(merged.length, Math.min(limit, symbols.length + recalled.length));
      const scores = merged.map(({ score }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
    }),
  );
});
