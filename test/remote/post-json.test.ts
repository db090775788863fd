import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { Failure } from "../../src/errors.ts";
import { postJson, type PostRequest } from "../../src/remote/post-json.ts";
import { type Answer, providerServer } from "./provider-server.ts";

const CANARY = "canary-key-1b7e";
const LONG_MS = 60_000;

async function asking(answers: readonly Answer[], set: Partial<PostRequest> = {}) {
  const { address, sent } = await providerServer(answers);
  const request = { url: `${address}/v1/x`, headers: { authorization: `Bearer ${CANARY}` }, body: { canary: CANARY } };
  const outcome = await postJson({ ...request, timeoutMs: LONG_MS, backoffMs: 1, ...set }).catch(
    (thrown: unknown) => thrown,
  );
  return { outcome, sent };
}

describe("a request", () => {
  test("brings back what the provider says", async () => {
    const { outcome, sent } = await asking([{ body: { fine: true } }]);
    assert.deepEqual(outcome, { fine: true });
    assert.deepEqual(sent[0]?.body, { canary: CANARY });
    assert.equal(sent[0]?.headers.authorization, `Bearer ${CANARY}`);
  });

  for (const status of [429, 500, 503])
    test(`is repeated after status ${status}`, async () => {
      const { outcome, sent } = await asking([{ status }, { status }, { body: { fine: true } }]);
      assert.deepEqual([outcome, sent.length], [{ fine: true }, 3]);
    });

  test("is repeated when the provider says so", async () => {
    const { outcome, sent } = await asking([{ status: 429, headers: { "retry-after": "0" } }, { body: 1 }], {
      backoffMs: LONG_MS,
    });
    assert.deepEqual([outcome, sent.length], [1, 2]);
  });

  const refused: [string, Answer[], Partial<PostRequest>, number, RegExp][] = [
    ["fails three times", [{ status: 500 }], {}, 3, /status 500/],
    ["is told to wait for an hour", [{ status: 429, headers: { "retry-after": "3600" } }], {}, 1, /status 429/],
    ["has a wrong key", [{ status: 401, body: CANARY }], {}, 1, /status 401/],
    ["names no model", [{ status: 404 }], {}, 1, /status 404/],
    ["is sent elsewhere", [{ status: 307, headers: { location: "http://127.0.0.1:9/" } }], {}, 1, /status 307/],
    ["is never answered", [null], { timeoutMs: 50 }, 1, /within 50 ms/],
    ["waits for too long", [{ status: 500 }], { timeoutMs: 50, backoffMs: LONG_MS / 10 }, 1, /within 50 ms/],
    ["gets no JSON", [{ body: `<html>${CANARY}` }], {}, 1, /not JSON/],
    ["gets half of it", [{ body: `{"canary": "${CANARY}` }], {}, 1, /not JSON/],
    ["gets too much", [{ body: CANARY.repeat(1_000) }], { limitBytes: 1_000 }, 1, /too long/],
  ];
  for (const [why, answers, set, requests, message] of refused)
    test(`that ${why} fails without its key or text`, async () => {
      const { outcome, sent } = await asking(answers, set);
      assert.ok(outcome instanceof Failure);
      assert.match(outcome.message, message);
      assert.equal(sent.length, requests);
      assert.doesNotMatch(inspect(outcome, { depth: null, showHidden: true }), new RegExp(CANARY));
    });

  const addresses: [string, RegExp][] = [
    ["http://192.168.1.5/v1", /https/],
    ["http://127.0.0.1.example.org/", /https/],
    ["http://localhost.example.org/", /https/],
    ["ftp://127.0.0.1/", /https/],
    ["https://me:secret@example.org/", /name or password/],
    ["nowhere", /not a URL/],
  ];
  for (const [url, message] of addresses)
    test(`never goes to ${url}`, async () => {
      const refusal = postJson({ url, headers: {}, body: {}, timeoutMs: 100 });
      await assert.rejects(refusal, { code: "invalid_input", message });
    });

  test("with a key that no header can hold fails without it", async () => {
    const { outcome, sent } = await asking([{}], { headers: { "x-api-key": `${CANARY}\nx` } });
    assert.equal(sent.length, 0);
    assert.ok(outcome instanceof Failure);
    assert.doesNotMatch(inspect(outcome, { depth: null, showHidden: true }), new RegExp(CANARY));
  });

  test("to a closed port says so", async () => {
    const refusal = postJson({ url: "http://127.0.0.1:1/", headers: {}, body: {}, timeoutMs: LONG_MS });
    await assert.rejects(refusal, { code: "unavailable", message: /cannot be reached/ });
  });
});
