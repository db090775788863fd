/** Text that got longer: cleaned from where it ended, it says what it says when it is cleaned whole. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { REACH_CHARACTERS, redactGrown } from "../../src/redaction/grown-text.ts";
import { redact } from "../../src/redaction/rules/redaction.ts";
import { runs } from "../lane.ts";

const whole = (text: string) => redact(text, { keepsLines: true }).text;
const grown = (before: string, more: string) => redactGrown({ before, cleaned: whole(before), after: before + more });

/** Random, the same every time; assembled so that no line of this file looks like a key. */
let seed = 7;
function random(length: number, alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"): string {
  return Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet[Math.floor((seed / 2_147_483_648) * alphabet.length)];
  }).join("");
}
const hex = (length: number) => random(length, "0123456789abcdef");
const keyLines = Array.from({ length: 20 }, () => random(64)).join("\n");
const label = "RSA PRIVATE" + " KEY";
const KEY = `${random(38)}7`;

const SECRETS: Record<string, string> = {
  token: `the token is gh${"p_"}${random(36)} or so\n`,
  key: `-----BEGIN ${label}-----\n${keyLines}\n-----END ${label}-----\n`,
  "odd key": `-----BEGIN ${label}-----\n${"said word by word and\n".repeat(600)}${random(40)}\n-----END ${label}-----\n`,
  netrc: `machine host\n  login me\n  password ${random(12)}7!\n`,
  "key that comes again": `$ curl https://x.test/${KEY}\napi_token: ${KEY}\n{"seen": "${KEY}"}\n`,
  header: `Authorization:\n  Bearer ${random(40)}\n`,
  "key of a service": `sourcegraph:\n\n${hex(40)}\n`,
  password: `DB_PASSWORD="tR7${random(9)}!4q"\n`,
  "web token": `eyJ${random(3_000)}.eyJ${random(7_000)}.${random(1_500)}\n`,
  table: `| Env | User | Password |\n|---|---|---|\n| uat | app | Vk38-dolmen-${random(6)}7 |\n| prod | app | ${random(9)}!4q |\n`,
  "secret of Kubernetes": `apiVersion: v1\ndata:\n  hook: ${btoa(`plum-${random(8)}7`)}\nkind: Secret\nmetadata:\n  name: x\n`,
  "value in pieces": `signing_key = (\n    "${random(40)}7"\n    "${random(40)}7"\n)\n`,
  "wrapped token": `api_key: ${random(70)}7\n${random(38)}7\n`,
  "printed token": `$ gh auth token\n${random(38)}7\n`,
  "announced token": `Here is the API token for staging:\n\n${random(38)}7\n`,
  "list of recovery codes": `Recovery codes:\n\n${hex(5)}1-${hex(5)}2\n${hex(5)}3-${hex(5)}4\n`,
  "key that only its service's name gives away": `${hex(32)}-${hex(8)}-${hex(8)}\n`,
};
/** Where a text ends within a secret. */
const ENDS = 12;
const FILLER = "mailgun sends our letters\n" + "The walrus dives at dawn, and the seal looks on.\n".repeat(900);

test("what was added to a long text is all that is cleaned", () => {
  const more = `more\n${SECRETS["token"]}`;
  const after = FILLER + more;
  assert.equal(grown(FILLER, more), whole(after));
  assert.notEqual(grown(FILLER, more), after);
  const withSecret = SECRETS["password"]! + FILLER;
  assert.equal(grown(withSecret, more), whole(withSecret + more), "also behind a secret");
});

for (const [name, secret] of Object.entries(SECRETS))
  test(`a ${name} is hidden wherever the text ended within it`, () => {
    assert.notEqual(whole(FILLER + secret), FILLER + secret);
    const ends = Array.from({ length: ENDS }, (_, step) => Math.floor((step * secret.length) / ENDS));
    for (const end of ends) {
      const [before, more] = [FILLER + secret.slice(0, end), secret.slice(end) + "and more\n"];
      const answer = grown(before, more) ?? whole(before + more);
      assert.equal(answer, whole(before + more), `${end} of ${secret.length}`);
    }
  });

const refused: [string, string, string, string][] = [
  ["a short text", "walrus\n", "walrus\n", "walrus\nseal\n"],
  ["one long line", "x ".repeat(REACH_CHARACTERS), "x ".repeat(REACH_CHARACTERS), "x ".repeat(REACH_CHARACTERS + 5)],
  ["other lines", FILLER, FILLER.replace("walrus", "wal\nrus"), `${FILLER}more\n`],
  ["what somebody else wrote", FILLER, FILLER.replace("walrus", "manatee"), `${FILLER}more\n`],
];
for (const [why, before, cleaned, after] of refused)
  test(`${why} is cleaned whole`, () => assert.equal(redactGrown({ before, cleaned, after }), null));

test("a text that grows piece by piece says what it says when it is read at once", () => {
  const piece = fc.oneof(
    fc.constantFrom(...Object.values(SECRETS)),
    fc.string({ maxLength: 40 }),
    fc.integer({ min: 1, max: 500 }).map((lines) => FILLER.slice(-49 * lines)),
  );
  const pieces = fc.array(fc.tuple(piece, fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 12 });
  let resumed = 0;
  fc.assert(
    fc.property(pieces, (parts) => {
      let [text, cleaned] = [FILLER, whole(FILLER)];
      // Each piece comes in two halves, so that the text ends in the middle of anything.
      for (const more of parts.flatMap(([one, share]) => {
        const end = Math.floor(one.length * share);
        return [one.slice(0, end), one.slice(end)];
      })) {
        const answer = redactGrown({ before: text, cleaned, after: text + more });
        resumed += answer === null ? 0 : 1;
        text += more;
        cleaned = whole(text);
        assert.equal(answer ?? cleaned, cleaned);
      }
    }),
    { numRuns: runs(6) },
  );
  assert.ok(resumed > 20, `${resumed}`);
});

test("a word that is added makes a secret of what stands far above it", () => {
  const before = `3f9a1c7e2b8d4056a1f3e5c7d9b20846-1a2b3c4d-5e6f7a8b\n${"The quick brown fox jumps.\n".repeat(2_500)}`;
  const cleaned = redact(before, { keepsLines: true }).text;
  const after = `${before}We send with mailgun.\n`;
  assert.ok(redact(after).text.startsWith("[redacted:") && cleaned === before);
  assert.equal(redactGrown({ before, cleaned, after }), null);
});
