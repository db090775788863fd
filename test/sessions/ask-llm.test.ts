/** The ledger of a language model: it has at least what may be charged for, so that no cap is exceeded. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createRemoteLlm } from "../../src/remote/remote-llm.ts";
import { askLlm, extractionQuestion } from "../../src/sessions/llm-extract.ts";
import { estimatedTokens } from "../../src/text/tokens.ts";
import { freePort } from "../http/free-port.ts";
import { type Answer, providerServer, type Sent } from "../remote/provider-server.ts";
import { usedTokens } from "../store/suite/ledger.ts";
import { testWorld, type TestWorldOptions } from "../test-world.ts";

const QUESTION = extractionQuestion(["Please fix the login."]);
const INPUT = estimatedTokens(QUESTION.system, QUESTION.prompt, JSON.stringify(QUESTION.schema));
const OUTPUT = QUESTION.maxTokens;
const TOLD: Answer = {
  body: { choices: [{ message: { content: "{}" } }], usage: { prompt_tokens: 900, completion_tokens: 90 } },
};

interface Model {
  caps?: TestWorldOptions["caps"];
  key?: string | null;
  timeoutMs?: number;
  /** Asks where nobody listens. */
  isGone?: boolean;
}

async function asking(answers: readonly Answer[] | ((sent: Sent) => Answer), model: Model = {}) {
  const { caps, key = "a key", timeoutMs = 60_000 } = model;
  const { address, sent } = await providerServer(answers);
  // Looked up only now: a server that starts meanwhile may get the same port.
  const baseUrl = model.isGone ? `http://127.0.0.1:${await freePort()}` : address;
  const terms = { provider: "openai", model: "small", baseUrl, key, keyVariable: "A_KEY" } as const;
  const llm = createRemoteLlm({ ...terms, timeoutMs, backoffMs: 1 });
  const world = await testWorld({ llm, caps: { provider: "openai", model: "small", ...caps } });
  const ask = () => askLlm(QUESTION, { purpose: "extract", session: "s" }, world);
  return { world, sent, ask, used: () => usedTokens(world.global) };
}

describe("the ledger has", () => {
  const cases: [string, Answer[], Model, number][] = [
    ["what the provider tells", [TOLD], {}, 990],
    ["the largest size of what was not answered in time", [null], { timeoutMs: 50 }, INPUT + OUTPUT],
    ["the largest size of what cannot be read", [{ body: "<html>" }], {}, INPUT + OUTPUT],
    ["every prompt before an answer", [{ status: 504 }, { status: 504 }, TOLD], {}, 2 * INPUT + 990],
    ["every prompt that failed", [{ status: 500 }], {}, 3 * INPUT + OUTPUT],
    ["nothing of what was refused", [{ status: 401 }], {}, 0],
    ["what failed before it was refused", [{ status: 503 }, { status: 400 }], {}, INPUT + OUTPUT],
    ["nothing of what came too soon", [{ status: 429, headers: { "retry-after": "0" } }, TOLD], {}, 990],
    ["nothing where nobody listens", [], { isGone: true }, 0],
    ["nothing where no request can be made", [], { key: "a\nkey" }, 0],
    ["nothing where there is no key", [], { key: null }, 0],
  ];
  for (const [what, answers, model, expected] of cases)
    test(what, async () => {
      const { ask, used } = await asking(answers, model);
      await ask();
      assert.equal(await used(), expected);
    });
});

test("requests that time out reach the cap like answered ones", async () => {
  const sessionTokens = 2 * (INPUT + OUTPUT);
  const { ask, used, world } = await asking([null], { timeoutMs: 50, caps: { sessionTokens } });
  for (let count = 0; count < 3; count += 1) assert.equal(await ask(), null);
  assert.equal(await used(), sessionTokens);
  assert.match(world.warnings.at(-1)!, /the session's tokens are used up/);
});

test("a failed request is not repeated beyond the cap", async () => {
  const { ask, sent, used } = await asking([{ status: 500 }], { caps: { sessionTokens: 2 * INPUT + OUTPUT } });
  assert.equal(await ask(), null);
  assert.deepEqual([sent.length, await used()], [2, 2 * INPUT + OUTPUT]);
});

test("a reply is kept although the ledger can no longer be written", async () => {
  const { ask, world } = await asking(() => (void world.global.close(), TOLD));
  assert.equal(await ask(), "{}");
  assert.equal(world.warnings.length, 1);
  assert.match(world.warnings[0]!, /could not be noted/);
});
