/** What names promise and values look like: the judgement behind redaction's less certain rules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isAssignedSecret,
  isCredential,
  isPassword,
  isPlaceholder,
  isRandom,
  isReference,
  readsLikeWords,
  shannonEntropy,
} from "../../src/redaction/rules/likeness.ts";
import { nameKind } from "../../src/redaction/rules/names.ts";

test("names promise a kind of secret", () => {
  const kinds: [string, ReturnType<typeof nameKind>][] = [
    ["dbPassword", "password"],
    ["PGPASSWORD", "password"],
    ["password_prod2", "password"],
    ["aws_secret_access_key", "secret"],
    ["APIKey", "secret"],
    ["authToken", "token"],
    ["token_", "token"],
    ["client_secret", "secret"],
    ["credential", "secret"],
    ["credentials_live", "secret"],
    ["my_api_key", "secret"],
    ["thirdpartyapi_key", "secret"],
    ["key", "key"],
    ["acmeVendorKey", "key"],
    ["duo_skey", "secret"],
    ["AZURE_PAT", "token"],
    ["pat", undefined],
    ["storepass", "password"],
    ["compass", undefined],
    ["client-key-data", "secret"],
    ["API key", "secret"],
    ["cache key", undefined],
    ["s3_object_key", undefined],
    ["pubkey", undefined],
    ["api_monkey", undefined],
    ["live", undefined],
    ["CACHE_PASSWORD", "password"],
    ["csrf_token", undefined],
    ["hashed_password", undefined],
    ["password_file", undefined],
    ["public_key", undefined],
    ["primaryKey", undefined],
    ["monkey", undefined],
    ["tokenizer", undefined],
  ];
  for (const [name, kind] of kinds) assert.equal(nameKind(name), kind, name);
});

test("randomness is measured against the alphabet", () => {
  assert.equal(shannonEntropy("aaaa"), 0);
  assert.equal(shannonEntropy("abcd"), 2);
  assert.equal(shannonEntropy(""), 0);
  assert.ok(isRandom("9c0e51d7a3f482b6e0d1c94f7ab38256".slice(0, 24)) && isRandom("kQ3v" + "Zt9LwX2b" + "Hf7RmPd4"));
  assert.ok(!isRandom("8301749265".repeat(3)) && !isRandom("ab".repeat(16)));
  assert.ok(readsLikeWords("getUserTokenFromSession2") && !readsLikeWords("kQ3v" + "Zt9LwX2b" + "Hf7RmPd4"));
});

test("quotes and shouting make up for a plain look, in passwords only", () => {
  const typed = "sunny" + "day77";
  assert.ok(
    isAssignedSecret("password", typed, { quoted: true }) && isAssignedSecret("DB_PASSWORD", typed, { quoted: false }),
  );
  assert.ok(
    !isAssignedSecret("password", typed, { quoted: false }) && !isAssignedSecret("token", typed, { quoted: true }),
  );
});

test("a password that repeats its user protects nothing", () => {
  assert.ok(isPassword("tr0ub" + "adour", "app") && !isPassword("postgres", "postgres"));
});

const kQ3v = "kQ3v" + "Zt9LwX2b";
const uuid = "0b9e6c1d-" + "4f2a-4c3b-8d7e-1a2b3c4d5e6f";

const judged: [judge: (value: string) => boolean, yes: string[], no: string[]][] = [
  [
    isPlaceholder,
    [
      ...["abcxxxxxdef1", "ab***12", "ab###12", "a1000000000000", "aaaaaaa", "${TOKEN_1}", "<token-1>", "my-example-1"],
      // Sixteen in a row, of digits, small letters and capitals, wherever they stand.
      ...["0123456789abcdef", "0123456789ABCDEF", "x7-abcdefghijklmnop-q", "7klmnopqrstuvwxyz", "7KLMNOPQRSTUVWXYZ"],
    ],
    [
      ...[kQ3v, "abcxxxx1", "ab**12", "a100000000000", "abcdefgh-ijklmnop", "abcdefghabcdefgh"],
      // Fifteen, and what stands beside digits and letters without being any.
      ...["123456789abcdef", "7-abcdefghijklmno", "0123456789:bcdefg", "@ABCDEFGHIJKLMNO", "LMNOPQRSTUVWXYZ["],
    ],
  ],
  [
    readsLikeWords,
    ["getUserTokenFromSession2", "user1token2name", "user12345678901234name", "secret-abc-d", "secret-token-bcd"],
    [
      ...[kQ3v, "token1user2name3", "user123456789012345name", "user1token123456789012345", "the-big-cat-sat-down"],
      ...["12-34", "secret-bcdfgh", "secret-token-bcdf"],
    ],
  ],
  [
    isReference,
    [
      ...["/etc/x1", "~/.ssh/id1", "../a1", "C:\\x1", "https://host/1", "arn:aws:1", "sha256-ab1", "data:1", "urn:1"],
      ...["process.env.A1", "config.key1", "server1.pem", "host1.example.com:443", "me1@example.dev"],
      ...["2024-01-02T10:00:00Z", "10.0.0.1", "jjwt-api-0.11.2"],
    ],
    [kQ3v, "processor.key1", "server1.pemx", "me1@example"],
  ],
  [(value) => isPassword(value), ["123456", "tr0ub" + "adour"], ["12345", "password123", "changeme1", "****"]],
  [
    isCredential,
    [uuid, kQ3v],
    [
      kQ3v.replaceAll(/\d/g, "x"),
      "<token-1>",
      `${kQ3v}xxxxx`,
      "password123",
      "pwd123",
      "/etc/" + kQ3v,
      "getUserToken2",
      "",
    ],
  ],
];
for (const [judge, yes, no] of judged)
  test(`${judge.name || "isPassword"}, both ways`, () => {
    for (const value of yes) assert.equal(judge(value), true, value);
    for (const value of no) assert.equal(judge(value), false, value);
  });

const assigned: [name: string, value: string, quoted: boolean, isOne: boolean, why: string][] = [
  ["password", "either/orelse", true, false, "words with neither digit nor sign"],
  ["password", "12!34!56", true, false, "no letter"],
  ["password", "aB1!", true, true, "a short one that is quoted"],
  ["password", "kQ3v!9x", false, false, "seven that are not quoted"],
  ["password", "kQ3v!9xZ", false, true, "eight"],
  ["PASS", "kQ3v!" + kQ3v, false, false, "a test runner's word"],
  ["pass", "kQ3v!" + kQ3v, false, true, "the same word in a file of settings"],
  ["PASS", "kQ3v!" + kQ3v, true, true, "its word, quoted"],
  ["password", `hash(${kQ3v})`, false, false, "code"],
  ["password", `hash(${kQ3v})`, true, true, "what looks like code, quoted"],
  ["password", `row1.${kQ3v}`, false, false, "a part of something"],
  ["DB_PASSWORD", `row1.${kQ3v}`, false, true, "the same of a name that shouts"],
  ["password", `/etc/${kQ3v}`, true, false, "a path"],
  ["password", "<password-1>", true, false, "a template"],
  ["password", "password123", true, false, "an ordinary one"],
  ["client_secret", uuid, true, true, "a secret that is a UUID"],
  ["token", uuid, true, true, "a token that is a UUID"],
  ["key", uuid, true, false, "a key that is a UUID, and may be one of a map"],
  ["token", kQ3v.slice(0, 7), true, false, "seven, quoted"],
  ["token", kQ3v.slice(0, 8), true, true, "eight, quoted"],
  ["token", kQ3v.slice(0, 7), false, false, "seven"],
  ["token", kQ3v.slice(0, 8), false, true, "eight"],
  ["token", "getUserTokenFromSession2", true, false, "words"],
  ["token", "kQvZtLwXbHfRmPdG", true, true, "letters alone, of both cases"],
  ["token", "kqvztlwxbhfrmpdg", true, true, "letters alone, of one case"],
  ["token", "somewherebeyond", true, false, "letters alone that read like words"],
  ["password", "harvest" + "Moon", true, true, "words of no label"],
  ["password", "harvest" + "Moon", false, false, "the same without quotes"],
  ["password", "confirmPassword", true, false, "a name"],
  ["password", "Passwort", true, false, "a label"],
  ["password", "Sup3r" + "S3cret", false, true, "digits for letters"],
  ["password", "sha256sum", false, false, "a number that belongs to a name"],
  ["acmeVendorKey", kQ3v + "Hf7R", false, true, "a key of something"],
  ["key", kQ3v + "Hf7R", true, false, "a key of anything, of sixteen"],
  ["key", kQ3v + kQ3v, true, true, "a key of anything, of twenty-four"],
  ["key", "9c0e51d7a3f482b6e0d1".repeat(2), true, false, "a digest"],
  ["password", btoa("plum7" + "Orchard"), false, true, "base64 of a password"],
  ["user", kQ3v + "Hf7R", true, false, "a name that promises nothing"],
  ["password", "48213977", false, true, "a number"],
  ["client_secret", "48213977", false, true, "a number that is a secret"],
  ["token", "48213977", true, false, "a number that may be a count"],
  ["account_key", "48213977", true, false, "a number that may be an id"],
  ["passwords", "48213977", true, false, "how many"],
  ["pass", "48213977", false, false, "how many passed"],
  ["pass", "48213977", true, true, "a number in quotes"],
  ["private_key", "Ed25519PrivateKey", false, false, "a type with a number in its name"],
  ["token", "#1f2937ab", true, false, "a colour"],
];
test("after a comparison or a verb, letters alone are a word of code or of the sentence", () => {
  for (const indirect of [false, true])
    assert.equal(isAssignedSecret("TOKEN", "KQZXWVJTRB", { quoted: false, indirect }), !indirect);
  assert.ok(isAssignedSecret("password", "KQZXWVJTRB", { quoted: false, indirect: true }));
  assert.ok(isAssignedSecret("token", "KQZXWVJTRB", { quoted: true, indirect: true }));
  assert.ok(isAssignedSecret("token", kQ3v, { quoted: false, indirect: true }));
});

for (const [name, value, quoted, isOne, why] of assigned)
  test(`${isOne ? "a secret" : "no secret"} in ${name}: ${why}`, () =>
    assert.equal(isAssignedSecret(name, value, { quoted }), isOne));
