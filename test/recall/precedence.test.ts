/** What holds comes first: the order of decisions, memories and proposals, and the scores that go with it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Shelf } from "../../src/memory/shelves.ts";
import { whatHoldsFirst } from "../../src/recall/blend.ts";

interface TestHit {
  id: string;
  shelf: Shelf;
  relevance: number;
  score: number;
  why: Record<string, number>;
  contradicts: { id: string }[];
}

/** "d.8" is a decision of relevance .8; "m.9!d" a memory that opposes the decision d. Scores fall from 1. */
function hitsOf(...written: string[]): TestHit[] {
  return written.map((text, index) => {
    const [, id, letter, relevance, opposed] = /^(([dmpe])\d?)(\.\d+)((?:!\w+)*)$/.exec(text)!;
    const shelf = ({ d: "decision", m: "memory", p: "proposal", e: "evidence" } as const)[letter as "d"];
    const contradicts = opposed!
      .split("!")
      .slice(1)
      .map((one) => ({ id: one }));
    return { id: id!, shelf, relevance: Number(relevance), score: 1 - index / 10, why: {}, contradicts };
  });
}

const LIMIT = 10;

const cases: [why: string, given: string[], order: string][] = [
  ["before memories and proposals of like relevance", ["m.8", "p.75", "d.7"], "d m p"],
  ["not before a far better memory", ["m.9", "d.5"], "m d"],
  ["nor past one, to reach others that are alike", ["m1.6", "m2.9", "d.5"], "m1 m2 d"],
  ["not when it is hardly about the question", ["m.3", "d.2"], "m d"],
  ["whatever opposes it stands behind it", ["m.9!d", "d.5"], "d m"],
  ["not behind a decision that is hardly about the question", ["m.9!d", "d.1"], "m d"],
  ["two that oppose it keep their order", ["m1.9!d", "m2.8!d", "d.6"], "d m1 m2"],
  ["others keep their places", ["m1.9", "m2.9!d", "m3.9", "d.4"], "m1 m3 d m2"],
  ["two decisions keep their order", ["d1.6", "m.6", "d2.6"], "d1 d2 m"],
  ["evidence is not passed", ["e.5", "d.6"], "e d"],
  ["what opposes two stands behind both", ["m.9!d1!d2", "d1.5", "e.9", "d2.5"], "d1 e d2 m"],
  ["a decision that is not shown moves nothing", ["m.9!d9", "d.1"], "m d"],
];
for (const [why, given, order] of cases)
  test(`${given.join(" ")}: ${why}`, () => {
    assert.equal(
      whatHoldsFirst(hitsOf(...given), LIMIT)
        .map(({ id }) => id)
        .join(" "),
      order,
    );
  });

test("a raised decision takes the score of its place and says so", () => {
  const [decision, memory] = whatHoldsFirst(hitsOf("m.8", "d.7"), LIMIT);
  assert.deepEqual([decision!.score, decision!.why], [1, { decision: 0.111 }]);
  assert.deepEqual([memory!.score, memory!.why], [1, {}]);
});

test("what opposes a decision scores no more than it, and says so", () => {
  const ordered = whatHoldsFirst(hitsOf("m2.9!d", "m1.9", "d.5"), LIMIT);
  assert.deepEqual(
    ordered.map(({ id, score }) => [id, score]),
    [
      ["m1", 1],
      ["d", 0.8889],
      ["m2", 0.8889],
    ],
  );
  assert.deepEqual(ordered[2]!.why, { contradiction: -0.2 });
});

test("nothing is lost, scores never rise, and only what moved says why", () => {
  const hit = fc.record({
    letter: fc.constantFrom("d", "m", "p", "e"),
    relevance: fc.integer({ min: 0, max: 99 }),
    opposed: fc.option(fc.integer({ min: 0, max: 9 })),
  });
  fc.assert(
    fc.property(fc.array(hit, { maxLength: 10 }), (drawn) => {
      const hits = hitsOf(
        ...drawn.map(({ letter, relevance, opposed }, index) => {
          const target = opposed === null ? undefined : drawn[opposed]?.letter === "d" ? `!d${opposed}` : undefined;
          const number = String(relevance).padStart(2, "0");
          return `${letter}${index}.${number}${letter === "m" || letter === "p" ? (target ?? "") : ""}`;
        }),
      );
      const ordered = whatHoldsFirst(hits, LIMIT);
      const ids = (all: readonly TestHit[]) => all.map(({ id }) => id);
      assert.deepEqual(ids(ordered).toSorted(), ids(hits).toSorted());
      for (const [index, { score, contradicts, why }] of ordered.entries()) {
        assert.ok(index === 0 ? score === 1 : score <= ordered[index - 1]!.score);
        for (const { id } of contradicts) {
          const decision = ordered.findIndex((hit) => hit.id === id);
          assert.ok(decision < index || ordered[decision]!.relevance < 0.25);
        }
        if (Object.keys(why).length === 0) continue;
        assert.notEqual(ids(ordered).indexOf(ids(ordered)[index]!), ids(hits).indexOf(ids(ordered)[index]!));
      }
    }),
  );
});

test("of what opposes a decision nothing is lost to the limit", () => {
  const ordered = whatHoldsFirst(hitsOf("m1.9!d", "m2.9!d", "m3.7", "d.6"), 3);
  assert.deepEqual(
    ordered.map(({ id }) => id),
    ["d", "m1", "m2"],
  );
  assert.deepEqual(
    whatHoldsFirst(hitsOf("m.9!d", "d.1"), 1).map(({ id }) => id),
    ["m"],
  );
});
