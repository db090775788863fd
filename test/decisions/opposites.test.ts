import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { areOpposed, sidesOf } from "../../src/decisions/contradiction.ts";

const areOpposite = (one: string, two: string): boolean => areOpposed(sidesOf(one), sidesOf(two));

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
  ["Clients must retry", "Clients must retry, but shall not retry forever", false, "what is forbidden is not demanded"],
  ["Drafts must be saved", "Drafts must be saved and must never leave", true, "must and never, as ever"],
  ["Files must be updated", "Files shall not be created", false, "one forbids something else than the other demands"],
  ["Files must be created", "Files shall be updated without being created", false, "what is lacking is not demanded"],
  ["Hooks shall run", "Hooks shall run with --no-run", false, "no option forbids anything"],
  ["Hooks must run", "Hooks must run never-run", false, "nor does half of a word"],
  ["Enable hooks", "Set disable_hooks", false, "nor does an identifier"],
  ["Users must log in", "Unless they never log in, users must wait", false, "a condition forbids nothing"],
  ["Enable sync", "Warn when sync is disabled", false, "nor does a condition at the end"],
  ["Users must log in", "If they are new, users shall not log in", true, "what follows a condition does"],
  ["Reviews are not required", "Reviews are required", true, "a plain not turns a word round"],
];
for (const [one, two, isOpposite, why] of cases)
  test(`${JSON.stringify(one)} ${isOpposite ? "opposes" : "does not oppose"} ${JSON.stringify(two)}: ${why}`, () => {
    assert.equal(areOpposite(one, two), isOpposite);
    assert.equal(areOpposite(two, one), isOpposite);
  });

test("the time that a text takes grows with its length, not with the square of it", () => {
  const begun = process.cpuUsage();
  sidesOf("no one must ".repeat(150_000));
  assert.ok(process.cpuUsage(begun).user < 5_000_000);
});

test("no text opposes itself", () => {
  const word = fc.constantFrom("must", "never", "not", "no", "allow", "deny", "don't", ", ", "be", "always", "key");
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  fc.assert(fc.property(fc.oneof(text, fc.string()), (said) => assert.equal(areOpposite(said, said), false)));
});
