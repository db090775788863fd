/** Words and names of code against what was drawn at random, and numbers that somebody chose against the rest. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isChosenNumber, isScrambled, READILY, RELUCTANTLY } from "../../src/redaction/rules/likeness.ts";

const ORDINARY = [
  ...["required", "identifier", "WHITESPACE", "Zugangsdaten", "wachtwoord", "przepustka", "contrasenya", "Geheimnis"],
  ...["brzojavni", "zuhanyzik", "userToken", "getAccessTokenFromVault", "clientSecret1", "str2bool"],
  ...["oauthCallback2", "my-app-secret", "orders_db_tls_2024", "dokuwiki.local-tls", "kubernetes", "toolbarItem"],
];
const DRAWN = [
  ...["KQZXWVJTRB", "zdxPAgHchV", "qzkfjwmxpt", "ab12cd34", "k3Jd82LmZx91", "v9Kd2mXq", "9f3a7c1e", "p4Wn-x8Lq2vTz"],
];
/** Neither words nor drawn. */
const TYPED = ["YYYYMMDD", "sooooooo", "abc123def456", "a1b2c3d4e5", "AbCeFG123", "v20241103", "id48213977", "48213px"];
const TOO_SHORT = ["kQ3vZt9", "zdxPAgH", "aB3-xY_9"];

test("words of several languages, and names of code, are not taken for random", () => {
  for (const word of ORDINARY) assert.equal(isScrambled(word, READILY), false, word);
});

test("what was drawn is, and a sign between two parts hides neither", () => {
  for (const value of DRAWN) assert.equal(isScrambled(value, READILY), true, value);
});

test("what somebody typed to fill a place is not, nor what is too short to tell", () => {
  for (const value of [...TYPED, ...TOO_SHORT]) assert.equal(isScrambled(value, READILY), false, value);
});

test("less is taken for random reluctantly than readily", () => {
  assert.ok(isScrambled("bexuhdopwa", READILY) && !isScrambled("bexuhdopwa", RELUCTANTLY));
  assert.ok(isScrambled("qzkfjwmxpt", RELUCTANTLY));
});

test("a number is chosen unless it is a row, a repetition, a date or round", () => {
  for (const number of ["482139", "48213977", "90210384", "112358", "20241350"])
    assert.equal(isChosenNumber(number), true, number);
  for (const number of [
    ...["48213", "123456", "12345678", "1234567890", "87654321", "112233", "111222", "123123", "00000000", "12121212"],
    ...["20241103", "202411", "200000", "4821a9", ""],
  ])
    assert.equal(isChosenNumber(number), false, number);
});
