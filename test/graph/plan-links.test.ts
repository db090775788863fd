/** Which memories are linked, how strongly, and what that means. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  edgeBetween,
  isNewer,
  type Likeness,
  likenessOf,
  type LinkCandidate,
  MADE_MOST,
  maySayTheSame,
  planLinks,
  statusOfMade,
  withAnother,
} from "../../src/graph/likeness.ts";
import { jaccard, tellingStems } from "../../src/text/words.ts";

const BASE = "alpha bravo charlie delta echo";
const SEVEN = "alpha bravo charlie delta echo foxtrot golf";

const cases: [one: string, two: string, share: number, likeness: Likeness][] = [
  [BASE, "kilo lima mike november oscar papa", 0, "none"],
  [BASE, "echo kilo lima mike november oscar papa", 1 / 11, "none"],
  [BASE, "echo kilo lima mike november oscar", 0.1, "related"],
  [BASE, "alpha bravo charlie golf hotel india", 0.375, "related"],
  [SEVEN, "alpha bravo charlie delta hotel india juliet", 0.4, "suggested"],
  [BASE, "alpha bravo charlie golf hotel", 3 / 7, "suggested"],
  ["alpha bravo charlie", "alpha bravo delta", 0.5, "suggested"],
  [SEVEN, "alpha bravo charlie delta echo hotel india", 5 / 9, "consolidation_candidate"],
  ["alpha bravo charlie delta", "alpha bravo charlie echo", 0.6, "consolidation_candidate"],
  [BASE, "alpha bravo charlie delta foxtrot", 4 / 6, "strong"],
  [BASE, `the ${BASE} and so on`, 1, "strong"],
];
for (const [one, two, share, likeness] of cases)
  test(`"${one}" and "${two}" share ${share.toFixed(3)}: ${likeness}`, () => {
    assert.equal(jaccard(one, two), share);
    assert.equal(likenessOf(share), likeness);
    assert.equal(maySayTheSame(share), ["consolidation_candidate", "strong"].includes(likeness));
    assert.equal(statusOfMade(share), likeness === "suggested" ? "suggested" : "active");
  });

const candidate = (id: string, text: string, createdAt = 1): LinkCandidate => ({
  id,
  createdAt,
  words: tellingStems(text),
});
const none = { stated: new Set<string>(), at: 7 };

test("an edge leads from the newer memory to the older one, the strongest first, and holds both ways", () => {
  const others = [
    candidate("far", "kilo lima mike"),
    candidate("near", "alpha bravo charlie golf hotel india"),
    candidate("nearest", "alpha bravo charlie delta foxtrot"),
    candidate("open", "alpha bravo charlie golf hotel"),
    candidate("later", "alpha bravo charlie golf hotel", 3),
    candidate("zulu", "alpha bravo charlie delta foxtrot", 2),
  ];
  const own = candidate("own", BASE, 2);
  const { own: edges, fromNewer } = planLinks(own, others, none);
  assert.deepEqual(
    edges.map(({ source, target, relation, status }) => [source, target, relation, status]),
    [
      ["own", "nearest", "relates_to", "active"],
      ["own", "open", "relates_to", "suggested"],
      ["own", "near", "relates_to", "active"],
    ],
  );
  assert.ok(edges.every(({ made, bidirectional, createdAt }) => made && bidirectional && createdAt === 7));
  assert.deepEqual(
    fromNewer.map(({ source, target }) => [source, target]),
    [
      ["zulu", "own"],
      ["later", "own"],
    ],
    "of the same moment, the one with the greater id is newer",
  );
  const stated = planLinks(own, others, { stated: new Set(["nearest", "open"]), at: 7 });
  assert.deepEqual(
    stated.own.map(({ target }) => target),
    ["near"],
    "not where somebody has said how the two relate",
  );
});

const WORDS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet"];
const memory = fc.record({
  id: fc.integer({ min: 0, max: 30 }).map((number) => `m${number}`),
  createdAt: fc.nat(3),
  words: fc.subarray(WORDS).map((words): ReadonlySet<string> => new Set(words)),
});

test("at most eight edges, none to itself, none twice, none weaker than one left out, none without likeness", () => {
  fc.assert(
    fc.property(memory, fc.uniqueArray(memory, { selector: ({ id }) => id, maxLength: 50 }), (own, others) => {
      const { own: edges, fromNewer } = planLinks(own, others, none);
      for (const { source, target } of fromNewer) assert.ok(source !== own.id && target === own.id);
      const targets = edges.map(({ target }) => target);
      assert.ok(edges.length <= MADE_MOST);
      assert.equal(new Set(targets).size, targets.length);
      assert.ok(!targets.includes(own.id));
      assert.ok(edges.every(({ strength }) => likenessOf(strength) !== "none"));
      const strengths = edges.map(({ strength }) => strength);
      assert.deepEqual(
        strengths,
        strengths.toSorted((a, b) => b - a),
      );
      const least = edges.length < MADE_MOST ? 0.1 : strengths.at(-1)!;
      const leftOut = others.filter((other) => isNewer(own, other) && !targets.includes(other.id));
      for (const other of leftOut)
        assert.ok(
          planLinks(own, [other], none).own.every(({ strength }) => strength <= least),
          `${other.id} is stronger`,
        );
    }),
  );
});

test("the edge between two memories is the same from either side", () => {
  fc.assert(
    fc.property(memory, memory, (one, two) => {
      fc.pre(one.id !== two.id);
      assert.deepEqual(edgeBetween(one, two, 7), edgeBetween(two, one, 7));
    }),
  );
});

test("a memory that is offered another edge keeps the eight strongest", () => {
  const self = candidate("own", BASE, 2);
  const others = Array.from({ length: 9 }, (_, number) => candidate(`m${number}`, `${BASE} foxtrot golf hotel`));
  const own = planLinks(self, others, none).own;
  assert.equal(own.length, MADE_MOST);
  const [weaker, stronger] = ["delta kilo lima mike november", BASE].map((text) =>
    edgeBetween(self, candidate("a", text), 7),
  );
  assert.deepEqual(withAnother(own, weaker!), own);
  assert.deepEqual(withAnother(own, stronger!), [stronger, ...own.slice(0, -1)]);
  assert.deepEqual(withAnother(own.slice(1), own[0]!), own);
});
