import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { coverageStems } from "../../src/recall/coverage.ts";
import { matchedWords } from "../../src/recall/excerpt.ts";

const marked = (question: string, text: string): string => {
  let at = 0;
  const parts = matchedWords(text, coverageStems(question)).map(({ from, to }) => {
    const part = `${text.slice(at, from)}[${text.slice(from, to)}]`;
    at = to;
    return part;
  });
  return parts.join("") + text.slice(at);
};

const cases: [question: string, text: string, shown: string, why: string][] = [
  ["dark theme", "The user prefers dark mode.", "The user prefers [dark] mode.", "a word"],
  ["deploying", "Deploys need VPN; we deployed.", "[Deploys] need VPN; we [deployed].", "by its stem"],
  ["the user", "The user", "The [user]", "no common words"],
  ["user", "call getUserById(1)", "call [getUserById](1)", "a part of a name"],
  ["cafe", "The Café opens", "The [Café] opens", "without diacritics"],
  ["内存泄漏", "发现内存泄漏问题", "发现[内存泄漏]问题", "only the part of a run without spaces"],
  ["", "nothing asked", "nothing asked", "no question"],
];
for (const [question, text, shown, why] of cases)
  test(`${question} in ${text}: ${why}`, () => assert.equal(marked(question, text), shown));

test("marks are in order, within the text, and never overlap", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (question, text) => {
      let last = 0;
      for (const { from, to } of matchedWords(text, coverageStems(question))) {
        assert.ok(from >= last && to > from && to <= text.length);
        last = to;
      }
    }),
  );
});
