import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { names, replacesMeaning, sayDifferentThings } from "../../src/memory/meaning.ts";
import { runs } from "../lane.ts";

const cases: [string, string, boolean, string][] = [
  ["Tests run with pnpm", "Tests run with pnpm", false, "the same"],
  ["Tests run with pnpm", "  Tests run with pnpm\n", false, "white space at the ends"],
  ["Tests run with pnpm", "The tests are run with pnpm.", false, "a better wording"],
  ["Tests run with pnpm", "tests RUN with PNPM", false, "another case"],
  ["Tests run with pnpm and node", "Tests run with pnpm and node, always", false, "one word more"],
  ["Deploys need two approvals", "The cache lives in Redis", true, "other words"],
  ["Tests run with pnpm", "Tests run with yarn or with npm", true, "mostly other words"],
  ["The port of the server is 8080", "The port of the server is 9090", true, "a changed number"],
  ["Retry 3 times after 5 seconds", "Retry after 5 seconds, 3 times", false, "the same numbers in another order"],
  ["Node 22.13 is required by the build", "Node 22.14 is required by the build", true, "a changed version"],
  ["The nightly build starts at 02:30", "The nightly build starts at 02:45", true, "a changed time"],
  ["The ratio is 4:3 on screen 2", "The ratio is 4:2 on screen 3", true, "a number goes with its neighbour"],
  ["The server listens on a port", "The server listens on port 80", true, "a new number"],
  ["Secrets are logged by the proxy", "Secrets are not logged by the proxy", true, "a new negation"],
  ["Secrets are never logged by the proxy", "Secrets are logged by the proxy", true, "a lost negation"],
  ["The proxy does not log secrets", "The proxy doesn't log secrets", false, "a contracted negation"],
  ["The proxy doesn’t log secrets", "The proxy doesn't log secrets", false, "another apostrophe"],
  ["The proxy logs secrets", "The proxy can't log secrets", true, "a contracted negation is one"],
  ["The session store of the shop is Redis", "The session store of the shop is Kafka", true, "another name"],
  ["Ask the owner of billing, Alice, first", "Ask the owner of billing, Robert, first", true, "another person"],
  [
    "Call readConfig before the server of the shop opens sockets and timers",
    "Call loadConfig before the server of the shop opens sockets and timers",
    true,
    "another identifier",
  ],
  ["The session store of the shop is redis", "The session store of the shop is Redis", false, "a name written right"],
  ["The session store is Redis", "The session store of the shop is Redis", false, "the same name"],
  ["The store of the shop uses redis", "The store of the shop in Berlin uses redis", false, "a name more"],
  ["Deploys to the shop happen on fridays", "Releases to the shop happen on fridays", false, "a sentence's first word"],
  ["修复内存泄漏", "修复内存泄漏。", false, "punctuation without spaces"],
];
for (const [before, after, replaces, why] of cases)
  test(`${JSON.stringify(before)} → ${JSON.stringify(after)} ${replaces ? "replaces" : "revises"}: ${why}`, () => {
    assert.equal(replacesMeaning(before, after), replaces);
  });

test("no text replaces itself, and a replacement is one in both directions", () => {
  const word = fc.constantFrom("the", "cache", "Redis", "Kafka", "not", "don't", "8080", "22.13", "expires", ".");
  const text = fc.oneof(
    fc.array(word, { maxLength: 8 }).map((words) => words.join(" ")),
    fc.string(),
  );
  fc.assert(
    fc.property(text, text, (left, right) => {
      assert.equal(replacesMeaning(left, left), false);
      assert.equal(replacesMeaning(left, right), replacesMeaning(right, left));
    }),
  );
});

/** What a name is, in one pattern; too slow for long words, which is why it stands only here. */
const NAME = /(?<=[^\s.!?:]\s+["'(`]?)\p{Lu}[\p{L}\p{N}]*|\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu;

test("names are what one pattern would find, whatever stands around them", () => {
  const piece = fc.constantFrom("ab", "A", "aB", "1", "2x", " ", "  ", ". ", '"', "(", "é", "Éa", "-", "\n", "字");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
      const text = pieces.join("");
      assert.deepEqual(names(text), text.match(NAME) ?? []);
    }),
    { numRuns: runs(2_000) },
  );
});

test("a hostile word comes back", () => {
  const word = "a".repeat(2_000_000);
  assert.equal(replacesMeaning(word, `${word}b`), true);
  assert.equal(replacesMeaning(`${word} Redis`, `${word} Kafka`), true);
});

const pairs: [one: string, other: string, isDifferent: boolean][] = [
  ["Telemetry in the beta is opt-in", "Telemetry in the beta is opt-out", true],
  ["The nightly job is read-only by default", "The nightly job is read-write by default", true],
  ["Telemetry in the beta is opt-in", "In the beta all telemetry is opt-in", false],
  ["Send an e-mail to the whole team", "Send an email to the whole team", false],
];
for (const [one, other, isDifferent] of pairs)
  test(`${isDifferent ? "two things" : "one thing"}: ${one} / ${other}`, () => {
    const said = (content: string) => ({ title: null, content });
    assert.equal(sayDifferentThings(said(one), said(other)), isDifferent);
    assert.equal(sayDifferentThings(said(other), said(one)), isDifferent);
  });
