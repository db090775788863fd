import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { Failure } from "../../src/errors.ts";
import type { LlmProvider } from "../../src/remote/provider.ts";
import { createRemoteLlm, DIALECTS, NO_LLM } from "../../src/remote/remote-llm.ts";
import { type Answer, providerServer } from "./provider-server.ts";

const KEY = "canary-key-77aa";
const REQUEST = { system: "Choose.", prompt: "What was said.", schema: { type: "object" }, maxTokens: 500 };
const UNCOUNTED = { begin: async () => undefined, costNothing: () => undefined };

interface Case {
  provider: LlmProvider;
  path: string;
  header: string;
  reply: unknown;
  body: unknown;
}

const CASES: Case[] = [
  {
    provider: "gemini",
    path: "/models/some-model:generateContent",
    header: "x-goog-api-key",
    reply: {
      candidates: [
        { content: { parts: [{ text: "hm", thought: true }, { text: "o" }, { text: "k" }] }, finishReason: "STOP" },
      ],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 5, thoughtsTokenCount: 2, totalTokenCount: 18 },
    },
    body: {
      systemInstruction: { parts: [{ text: "Choose." }] },
      contents: [{ role: "user", parts: [{ text: "What was said." }] }],
      generationConfig: {
        maxOutputTokens: 500,
        responseMimeType: "application/json",
        responseJsonSchema: { type: "object" },
      },
    },
  },
  {
    provider: "openai",
    path: "/chat/completions",
    header: "authorization",
    reply: { choices: [{ message: { content: "ok" } }], usage: { prompt_tokens: 11, completion_tokens: 7 } },
    body: {
      model: "some-model",
      messages: [
        { role: "system", content: "Choose." },
        { role: "user", content: "What was said." },
      ],
      response_format: {
        type: "json_schema",
        json_schema: { name: "reply", schema: { type: "object" }, strict: true },
      },
      max_tokens: 500,
    },
  },
  {
    provider: "anthropic",
    path: "/messages",
    header: "x-api-key",
    reply: {
      content: [{ type: "thinking" }, { type: "text", text: "ok" }],
      usage: { input_tokens: 11, output_tokens: 7 },
    },
    body: {
      model: "some-model",
      system: "Choose.",
      max_tokens: 500,
      messages: [{ role: "user", content: "What was said." }],
      output_config: { format: { type: "json_schema", schema: { type: "object" } } },
    },
  },
];

async function modelOf(provider: LlmProvider, answers: readonly Answer[], key: string | null = KEY) {
  const { address, sent } = await providerServer(answers);
  const terms = {
    model: "some-model",
    baseUrl: `${address}/`,
    keyVariable: "SOME_KEY",
    timeoutMs: 60_000,
    backoffMs: 1,
  };
  return { llm: createRemoteLlm({ provider, key, ...terms }), sent };
}

for (const { provider, path, header, reply, body } of CASES)
  describe(provider, () => {
    test("is asked as it documents, with the key in a header only", async () => {
      const { llm, sent } = await modelOf(provider, [{ body: reply }]);
      assert.equal(llm.identity, `${provider} some-model`);
      assert.deepEqual(await llm.complete(REQUEST, UNCOUNTED), { text: "ok", inputTokens: 11, outputTokens: 7 });
      assert.deepEqual(sent[0]?.body, body);
      assert.equal(sent[0]?.path, path);
      assert.equal(sent[0]?.headers[header], header === "authorization" ? `Bearer ${KEY}` : KEY);
      if (provider === "anthropic") assert.equal(sent[0]?.headers["anthropic-version"], "2023-06-01");
    });

    test("that does not tell its tokens has them estimated", async () => {
      const { usage: _, usageMetadata: __, ...untold } = reply as Record<string, unknown>;
      const { llm } = await modelOf(provider, [{ body: untold }]);
      const { inputTokens, outputTokens } = await llm.complete(REQUEST, UNCOUNTED);
      assert.deepEqual([inputTokens, outputTokens], [7, 1]);
    });

    for (const garbage of [{}, [], null, { candidates: [], choices: [], content: "no" }, { error: KEY }])
      test(`that answers with ${JSON.stringify(garbage)} fails without the key`, async () => {
        const { llm } = await modelOf(provider, [{ body: JSON.stringify(garbage) }]);
        const thrown = await llm.complete(REQUEST, UNCOUNTED).catch((reason: unknown) => reason);
        assert.ok(thrown instanceof Failure);
        assert.doesNotMatch(inspect(thrown, { depth: null }), new RegExp(KEY));
      });

    test("is not asked without a key where one is needed", async () => {
      const { llm, sent } = await modelOf(provider, [{ body: reply }], null);
      await assert.rejects(llm.complete(REQUEST, UNCOUNTED), { code: "unavailable", message: /SOME_KEY/ });
      assert.equal(sent.length, 0);
    });
  });

test("each generation of Gemini is told in its own words to think little", () => {
  const configOf = (model: string) =>
    (DIALECTS.gemini.body(model, REQUEST, true) as { generationConfig: Record<string, unknown> }).generationConfig[
      "thinkingConfig"
    ];
  assert.deepEqual(configOf("gemini-2.5-flash"), { thinkingBudget: 0 });
  assert.deepEqual(configOf("gemini-3.6-flash"), { thinkingLevel: "low" });
  assert.equal(configOf("gemini-9"), undefined);
});

test("OpenAI itself is given the newer name of the limit", () => {
  const body = DIALECTS.openai.body("m", REQUEST, true) as Record<string, unknown>;
  assert.deepEqual([body["max_completion_tokens"], body["max_tokens"]], [500, undefined]);
});

test("without a provider nothing can be asked", async () => {
  assert.equal(NO_LLM.identity, null);
  await assert.rejects(NO_LLM.complete(REQUEST, UNCOUNTED), { code: "unavailable" });
});
