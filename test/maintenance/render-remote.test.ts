import assert from "node:assert/strict";
import { test } from "node:test";
import { renderRemote } from "../../src/maintenance/show-inspected.ts";

const spent = (inputTokens: number, cost: number | null) => ({ inputTokens, outputTokens: 20, cost });
const used = { provider: "openai", model: "small", purpose: "extract" } as const;

test("where nothing is sent anywhere, nothing is shown", () => {
  assert.deepEqual(renderRemote({ llm: null, embedder: null, usage: [] }), []);
});

test("a provider is shown before it is used", () => {
  assert.deepEqual(renderRemote({ llm: "gemini x", embedder: "remote:y", usage: [] }).slice(1), [
    "Remote providers  gemini x, remote:y",
    "  nothing was sent yet",
  ]);
});

test("tokens are shown with what they cost, if that is known", () => {
  const usage = [
    { ...used, today: spent(1_500, 0.0123), total: spent(150_000, 12.3) },
    { ...used, model: "old", today: spent(0, null), total: spent(7, null) },
  ];
  assert.deepEqual(renderRemote({ llm: null, embedder: null, usage }).slice(1), [
    "Remote providers  none now",
    "  openai small, to extract: 1,500 + 20 tokens (0.0123) today, 150,000 + 20 tokens (12.30) in total",
    "  openai old, to extract: 0 + 20 tokens today, 7 + 20 tokens in total",
  ]);
});
