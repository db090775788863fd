/** Tokens of unknown services, and what has the same form: each pair differs in one thing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isIssuedToken } from "../../src/redaction/rules/likeness.ts";

const BOTH = "kQ3vZt9LwX2bHf7RmPd4sYc8NgJ6uTe1";
const ONE = "q3vt9lwx2bhz7rmpd4syc8ngj6ute1k5";
const HEX = "9c0e51d7a3f482b6e0d1c94f7ab38256";
const UUID = "0b9e6c1d-4f2a-4c3b-8d7e-1a2b3c4d5e6f";

const cases: [token: string, isToken: boolean, why: string][] = [
  [`zorp_${BOTH}`, true, "long and random says enough"],
  [`zorp_${BOTH.slice(0, 27)}`, false, "ids are that short"],
  [`zorp_sk_${BOTH.slice(0, 22)}`, true, "unless a word tells"],
  [`msg_${BOTH}`, false, "a word may say that it is an id"],
  [`zorp_pk_${BOTH}`, false, "or that anybody may see it"],
  [BOTH, false, "without a prefix it could be anything"],
  [`zorp-${ONE}`, true, "one case is enough"],
  [`zorp-${ONE.slice(0, 26)}`, false, "a ulid is that short"],
  [`zorp_${HEX}${HEX}`, true, "so long a number is rarely a digest after an underscore"],
  [`zorp-${HEX}${HEX}`, false, "but may be one after a hyphen"],
  [`zorp_${HEX}`, false, "and a short one after anything"],
  [`zorp-key-${HEX}`, true, "unless a word tells"],
  [`zorp-api-${HEX}`, false, "and means nothing else"],
  [`zorp-pat-${UUID}`, true, "a UUID counts as such a number"],
  [`zorp-${UUID}`, false, "and is an id otherwise"],
  [`zorp_${HEX}-build-${HEX}`, false, "words in between are not random"],
  [`zorp_v2_${BOTH.slice(0, 15)}-${BOTH.slice(15)}_x`, true, "some alphabets have a hyphen"],
  ["zorp_get_user_by_id_returns_404_when_missing_v2_x64", false, "many short pieces are a name"],
  ["zorp_getUserByIdReturnsNotFoundWhenMissing404", false, "words are not random"],
  [`zorp_${"x".repeat(32)}`, false, "a mask is none"],
];
for (const [token, isToken, why] of cases)
  test(`${token.slice(0, 30)} is ${isToken ? "a token" : "none"}: ${why}`, () =>
    assert.equal(isIssuedToken(token), isToken));
