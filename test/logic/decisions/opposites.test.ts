import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Side, sidesOf } from "../../../src/logic/decisions/opposites.ts";

const isOtherSide = (one: Side, two: Side): boolean => one !== null && two !== null && one !== two;

const areOpposite = (one: string, two: string): boolean => {
  const [own, other] = [sidesOf(one), sidesOf(two)];
  return isOtherSide(own.demand, other.demand) || own.pairs.some((side, pair) => isOtherSide(side, other.pairs[pair]!));
};

const cases: [string, string, boolean, string][] = [
  ["Keys shall not leave", "Keys must always leave", true, "shall not is a negation"],
  ["Keys must not ever leave", "Keys must never leave", false, "two negations agree"],
  ["Keys mustn't leave", "Keys must leave", true, "a contraction"],
  ["Keys can’t leave", "Keys may leave", true, "a contraction that loses a letter"],
  ["Keys cannot leave", "Keys shall leave", true, "written as one word"],
  ["Keys may not leave", "Keys may leave", true, "what may be and may not"],
  ["Keys shall no longer leave", "Keys shall leave", true, "no longer"],
  ["No key may leave", "Keys may leave", true, "no key"],
  ["Nobody shall leave", "Everybody shall leave", true, "nobody"],
  ["If there is no key, users must leave", "Users must leave", false, "no key in another clause"],
  ["Keys must leave, not stay", "Keys must leave", false, "a not that negates no demand"],
  ["Keys must not only leave", "Keys must leave", false, "not only is no negation"],
  ["Always squash", "Never squash", true, "always and never"],
  ["Guests must not be allowed", "Deny guests", false, "not to allow is to deny"],
  ["Guests must not be allowed", "Guests are allowed", true, "and not to allow"],
  ["Never disable telemetry", "Telemetry must be enabled", false, "never to disable is to enable"],
  ["Must never disable telemetry", "Must never enable telemetry", true, "both are turned round"],
  ["Must not include drafts", "Must never print drafts", false, "a turned word says nothing of other demands"],
  ["Reviews are not required", "Reviews are required", true, "a plain not turns a word round"],
];
for (const [one, two, isOpposite, why] of cases)
  test(`${JSON.stringify(one)} ${isOpposite ? "opposes" : "does not oppose"} ${JSON.stringify(two)}: ${why}`, () => {
    assert.equal(areOpposite(one, two), isOpposite);
    assert.equal(areOpposite(two, one), isOpposite);
  });

test("no text opposes itself", () => {
  const word = fc.constantFrom("must", "never", "not", "no", "allow", "deny", "don't", ", ", "be", "always", "key");
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  fc.assert(fc.property(fc.oneof(text, fc.string()), (said) => assert.equal(areOpposite(said, said), false)));
});
