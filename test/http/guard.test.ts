import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkBearer,
  checkSender,
  CODE_LIFE_MS,
  createRate,
  createTokens,
  type Knock,
  PERSON_IDLE_MS,
} from "../../src/http/guard.ts";

const ORIGINS = ["http://127.0.0.1:7835", "http://localhost:7835", "http://[::1]:7835", "https://stele.example"];
const SAYS_NOTHING = { origin: undefined, fetchSite: undefined, fetchDest: undefined, authorization: undefined };
const OWN: Knock = { host: "127.0.0.1:7835", ...SAYS_NOTHING };
const FIXED = { token: "secret", ownerKey: "key" };
const LINK: Partial<Knock> = { fetchSite: "cross-site", fetchDest: "document" };

const senders: [Partial<Knock>, "ok" | "refused", string][] = [
  [{}, "ok", "a program says nothing of pages"],
  [{ host: "LOCALHOST:7835" }, "ok", "names have no case"],
  [{ host: "[::1]:7835" }, "ok", "also by IPv6"],
  [{ host: undefined }, "refused", "no name at all"],
  [{ host: "evil.example:7835" }, "refused", "a name that was bound to this machine by somebody's DNS"],
  [{ host: "127.0.0.1" }, "refused", "another port"],
  [{ host: "127.0.0.1:7835.evil.example" }, "refused", "a name that begins like ours"],
  [{ origin: "http://127.0.0.1:7835" }, "ok", "our own page"],
  [{ origin: "http://localhost:7835" }, "ok", "our own page by its other name"],
  [{ origin: "https://127.0.0.1:7835" }, "refused", "another scheme"],
  [{ origin: "http://127.0.0.1:3000" }, "refused", "another server on this machine"],
  [{ origin: "https://evil.example" }, "refused", "another site"],
  [{ origin: "null" }, "refused", "a page without an origin"],
  [{ host: "stele.example", origin: "https://stele.example" }, "ok", "through a proxy that encrypts"],
  [{ host: "stele.example:443" }, "refused", "browsers leave the usual port out"],
  [{ host: "evil//127.0.0.1:7835" }, "refused", "a name that ends like ours"],
  [{ host: "1:7835" }, "refused", "the end of a name"],
  [{ host: "" }, "refused", "an empty name"],
  [{ host: "localhost.:7835" }, "refused", "a name with a dot behind it"],
  [{ host: "user@127.0.0.1:7835" }, "refused", "a name with a user before it"],
  [{ host: "[0:0:0:0:0:0:0:1]:7835" }, "refused", "IPv6 written out"],
  [{ origin: "http://stele.example" }, "refused", "our name without encryption"],
  [{ fetchSite: "cross-site" }, "refused", "a browser that hides the origin"],
  [{ fetchSite: "same-site" }, "refused", "another port of this machine"],
  [{ fetchSite: "same-origin" }, "ok", "our own page"],
  [{ fetchSite: "none" }, "ok", "typed by a person"],
  [LINK, "ok", "a person follows a link of another site"],
  [{ ...LINK, fetchDest: "iframe" }, "refused", "another site frames it"],
  [{ ...LINK, fetchDest: "script" }, "refused", "another site loads it"],
  [{ ...LINK, origin: "https://evil.example" }, "refused", "another site's form"],
  [{ ...LINK, origin: "null" }, "refused", "a form that hides where it stands"],
  [{ ...LINK, authorization: "Bearer secret" }, "refused", "a link carries no token"],
];
for (const [knock, expected, why] of senders)
  test(`${JSON.stringify(knock)} is ${expected}: ${why}`, () => {
    const check = (): void => checkSender({ ...OWN, ...knock }, { origins: ORIGINS });
    if (expected === "ok") check();
    else assert.throws(check, { code: "refused" });
  });

const bearers: [string | undefined, "agent" | "owner" | null][] = [
  ["Bearer key", "owner"],
  ["Bearer secret", "agent"],
  ["bearer secret", "agent"],
  [undefined, null],
  ["", null],
  ["Bearer", null],
  ["Bearer wrong", null],
  ["Bearer secret ", null],
  ["Basic secret", null],
  [`Bearer ${"a".repeat(600)}`, null],
];
for (const [authorization, expected] of bearers)
  test(`${JSON.stringify(authorization?.slice(0, 20))} belongs to ${expected}`, () => {
    const tokens = createTokens(FIXED, { now: () => 0 });
    const check = () => checkBearer({ ...OWN, authorization }, tokens, ["agent", "owner"]);
    if (expected === null) assert.throws(check, { code: "unauthorized" });
    else assert.equal(check(), expected);
  });

test("a token opens only what its holder may do", () => {
  const tokens = createTokens(FIXED, { now: () => 0 });
  const check = (authorization: string) => checkBearer({ ...OWN, authorization }, tokens, ["person"]);
  assert.throws(() => check("Bearer secret"), { code: "refused" });
  assert.throws(() => check("Bearer key"), { code: "refused" });
  assert.equal(check(`Bearer ${tokens.redeem(tokens.issueCode())}`), "person");
});

test("a code is good once, and for a minute", () => {
  let now = 0;
  const tokens = createTokens(FIXED, { now: () => now });
  const code = tokens.issueCode();
  const token = tokens.redeem(code);
  assert.equal(tokens.bearerOf(token), "person");
  assert.throws(() => tokens.redeem(code), { code: "unauthorized" });
  const late = tokens.issueCode();
  now = CODE_LIFE_MS + 1;
  assert.throws(() => tokens.redeem(late), { code: "unauthorized" });
  assert.throws(() => tokens.redeem("never issued"), { code: "unauthorized" });
});

test("a person's token ends when nobody has used it for long, and begins anew with each use", () => {
  let now = 0;
  const tokens = createTokens(FIXED, { now: () => now });
  const token = tokens.redeem(tokens.issueCode());
  now = PERSON_IDLE_MS;
  assert.equal(tokens.bearerOf(token), "person");
  now = 2 * PERSON_IDLE_MS;
  assert.equal(tokens.bearerOf(token), "person");
  now += PERSON_IDLE_MS + 1;
  assert.equal(tokens.bearerOf(token), null);
});

test("codes that nobody redeems do not pile up", () => {
  const tokens = createTokens(FIXED, { now: () => 0 });
  const first = tokens.issueCode();
  for (let count = 0; count < 100; count++) tokens.issueCode();
  assert.throws(() => tokens.redeem(first), { code: "unauthorized" });
});

test("a burst passes, a loop without end does not, and others are not held up by it", () => {
  let now = 0;
  const rate = createRate({ burst: 3, perSecond: 2 }, { now: () => now });
  for (let count = 0; count < 3; count++) rate("agent");
  assert.throws(() => rate("agent"), { code: "too_many" });
  rate("person");
  now = 500;
  rate("agent");
  assert.throws(() => rate("agent"), { code: "too_many" });
  now = -1_000;
  assert.throws(() => rate("agent"), { code: "too_many" }, "a clock that was set back gives nothing");
});
