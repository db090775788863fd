/** Which session the evidence leads to: how far it stands out, and which sessions are about one matter. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  bySession,
  CLEARLY_LEADS,
  isSameMatter,
  type Lead,
  LEADS,
  sharedWorth,
  standing,
} from "../../src/sessions/answering-session.ts";

const lead = (relevance: number, shared: number): Lead => ({
  session: `${relevance} ${shared}`,
  relevance,
  shared,
  mostShared: shared,
});

const cases: [leads: Lead[], clear: "unasked" | "asked" | "no", why: string][] = [
  [[], "no", "nothing was found"],
  [[lead(0.9, 3), lead(0.05, 0.5)], "unasked", "relevant, with rare words, and nothing like it"],
  [[lead(0.9, 3), lead(0.88, 3)], "no", "another is as relevant and has the same words"],
  [[lead(0.2, 4), lead(0.02, 0.5)], "unasked", "words tell where relevance is low, as without a model"],
  [[lead(0.5, 0.5), lead(0.1, 0.5)], "no", "relevant, but it has no word of its own"],
  [[lead(0.3, 2), lead(0.05, 1)], "asked", "enough for who asked"],
];
for (const [leads, clear, why] of cases)
  test(`${clear}: ${why}`, () => {
    const stands = standing(leads);
    assert.deepEqual([stands >= CLEARLY_LEADS, stands >= LEADS], [clear === "unasked", clear !== "no"], String(stands));
  });

test("a session stands by its most relevant evidence and by that with most of the words", () => {
  const of = (session: string, relevance: number, shared: number) => ({ session, relevance, shared });
  const leads = bySession([of("a", 0.4, 1), of("b", 0.2, 2), of("a", 0.1, 3), of("b", 0.05, 1)]);
  assert.deepEqual(
    [...leads.values()],
    [
      { ...of("a", 0.4, 1), mostShared: 3 },
      { ...of("b", 0.2, 2), mostShared: 2 },
    ],
  );
  assert.ok(standing([...leads.values()]) > standing([lead(0.4, 1), lead(0.2, 2)]) + 2);
});

const anyLead = fc.record({
  session: fc.string(),
  relevance: fc.double({ min: 0, max: 1, noNaN: true }),
  shared: fc.double({ min: 0, max: 20, noNaN: true }),
  mostShared: fc.double({ min: 0, max: 20, noNaN: true }),
});

test("a rival never helps, and more relevance or more rare words never harm", () => {
  fc.assert(
    fc.property(fc.array(anyLead, { minLength: 1, maxLength: 6 }), anyLead, (leads, other) => {
      const [first, ...others] = leads as [Lead, ...Lead[]];
      const before = standing(leads);
      assert.ok(Number.isFinite(before));
      assert.ok(standing([...leads, other]) <= before + 1e-9);
      assert.ok(standing([{ ...first, relevance: 1 }, ...others]) >= before - 1e-9);
      assert.ok(standing([{ ...first, mostShared: first.mostShared + 1 }, ...others]) >= before - 1e-9);
    }),
  );
});

const STATISTICS = { total: 100, frequency: new Map([["harbour", 1], ["tide", 1], ["tabl", 2], ["fix", 60], ["test", 70]]) }; // prettier-ignore

test("a word that one text alone has is worth one, a common one hardly anything", () => {
  assert.equal(sharedWorth(["harbour"], "the harbour is closed", STATISTICS), 1);
  assert.equal(sharedWorth(["harbour", "tide"], "the harbour and its tides", STATISTICS), 2);
  assert.ok(sharedWorth(["fix", "test"], "fix the tests", STATISTICS) < 0.3);
  assert.equal(sharedWorth(["harbour"], "nothing of it", STATISTICS), 0);
});

test("sessions are about one matter by rare words, not by common ones", () => {
  const of = (...words: string[]) => new Set(words);
  assert.ok(isSameMatter(of("harbour", "tide", "fix"), of("harbour", "tide", "test"), STATISTICS));
  assert.ok(!isSameMatter(of("harbour", "fix", "test"), of("tide", "tabl", "fix", "test"), STATISTICS));
  assert.ok(!isSameMatter(of(), of("tide"), STATISTICS));
});
