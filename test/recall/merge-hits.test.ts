import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { identityOf } from "../../src/memory/handles.ts";
import type { Hit } from "../../src/recall/hit.ts";
import { mergeHits } from "../../src/recall/relevance.ts";

const hit = (id: string, relevance: number, score = 0): Hit => ({
  ...identityOf(id),
  shelf: "evidence",
  scope: "project",
  type: "evidence",
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
});

const told = (hits: readonly Hit[]) => hits.map(({ id, score }) => [id, score]);

const cases: [string, Hit[], Hit[], number, [string, number][]][] = [
  ["nothing gives nothing", [], [], 5, []],
  [
    "what was ranked goes first where both are as relevant",
    [hit("a", 0.5, 1)],
    [hit("x", 0.5)],
    5,
    [
      ["a", 1],
      ["x", 1],
    ],
  ],
  [
    "the more relevant goes first and takes the score of whom it passes",
    [hit("a", 0.5, 1)],
    [hit("x", 0.9)],
    5,
    [
      ["x", 1],
      ["a", 1],
    ],
  ],
  [
    "between two it has the score of the next",
    [hit("a", 0.9, 1), hit("b", 0.2, 0.4)],
    [hit("x", 0.5)],
    5,
    [
      ["a", 1],
      ["x", 0.4],
      ["b", 0.4],
    ],
  ],
  [
    "behind the last it falls as relevance does",
    [hit("a", 0.8, 1)],
    [hit("x", 0.4), hit("y", 0.2)],
    5,
    [
      ["a", 1],
      ["x", 0.5],
      ["y", 0.25],
    ],
  ],
  [
    "alone, the first is the best",
    [],
    [hit("x", 0.4), hit("y", 0.1)],
    5,
    [
      ["x", 1],
      ["y", 0.25],
    ],
  ],
  [
    "no more than asked",
    [hit("a", 0.8, 1)],
    [hit("x", 0.9), hit("y", 0.85)],
    2,
    [
      ["x", 1],
      ["y", 1],
    ],
  ],
  [
    "an order by rank is kept though relevance differs",
    [hit("a", 0.1, 1), hit("b", 0.9, 0.5)],
    [hit("x", 0.3)],
    5,
    [
      ["x", 1],
      ["a", 1],
      ["b", 0.5],
    ],
  ],
];
for (const [title, ordered, others, limit, expected] of cases)
  test(title, () => assert.deepEqual(told(mergeHits(ordered, others, limit)), expected));

test("each list keeps its order, nothing is lost, and scores only fall", () => {
  const list = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
  fc.assert(
    fc.property(list, list, (ranked, read) => {
      const ordered = ranked.map((relevance, index) => hit(`a${index}`, relevance, 1 - index / 10));
      const others = read.toSorted((a, b) => b - a).map((relevance, index) => hit(`x${index}`, relevance));
      const merged = mergeHits(ordered, others, 100);
      const ids = merged.map(({ id }) => id);
      assert.deepEqual(
        ids.filter((id) => id.startsWith("a")),
        ordered.map(({ id }) => id),
      );
      assert.deepEqual(
        ids.filter((id) => id.startsWith("x")),
        others.map(({ id }) => id),
      );
      for (const [index, { score }] of merged.entries())
        assert.ok(score <= 1 && score >= (merged[index + 1]?.score ?? 0));
    }),
  );
});
