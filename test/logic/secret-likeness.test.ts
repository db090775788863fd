/** What names promise and values look like: the judgement behind redaction's less certain rules. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isRandom, shannonEntropy } from "../../src/logic/entropy.ts";
import { isAssignedSecret, isPassword, nameKind, readsLikeWords } from "../../src/logic/secret-likeness.ts";

test("names promise a kind of secret", () => {
  const kinds: [string, ReturnType<typeof nameKind>][] = [
    ["dbPassword", "password"],
    ["PGPASSWORD", "password"],
    ["password_prod2", "password"],
    ["aws_secret_access_key", "secret"],
    ["APIKey", "secret"],
    ["authToken", "token"],
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
  assert.ok(isAssignedSecret("password", typed, true) && isAssignedSecret("DB_PASSWORD", typed, false));
  assert.ok(!isAssignedSecret("password", typed, false) && !isAssignedSecret("token", typed, true));
});

test("a password that repeats its user protects nothing", () => {
  assert.ok(isPassword("tr0ub" + "adour", "app") && !isPassword("postgres", "postgres"));
});
