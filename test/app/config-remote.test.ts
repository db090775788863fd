/** Remote providers are named in the person's own file, or not at all. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Config, loadConfig } from "../../src/app/config.ts";
import { keyIn } from "../../src/app/environment.ts";
import { Failure } from "../../src/errors.ts";

const KEYS = { GEMINI_API_KEY: "g", OPENAI_API_KEY: "o", ANTHROPIC_API_KEY: "a" };
const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function homeWith(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "stele-remote-"));
  folders.push(folder);
  writeFileSync(join(folder, "config.json"), JSON.stringify(content));
  return folder;
}

const load = (content: unknown, env = {}): Config => loadConfig({ home: homeWith(content), env: { ...KEYS, ...env } });

function refusal(content: unknown, env = {}): string {
  try {
    load(content, env);
  } catch (thrown) {
    assert.ok(thrown instanceof Failure);
    return thrown.message;
  }
  return assert.fail("it was accepted");
}

test("keys in the environment choose no provider", () => {
  const { llm, embedder } = load({});
  assert.deepEqual([llm.provider, embedder.provider], ["none", "minilm"]);
});

test("no variable chooses a provider", () => {
  assert.equal(load({}, { STELE_LLM_PROVIDER: "openai", STELE_LLM: "openai" }).llm.provider, "none");
  for (const provider of ["gemini", "openai", "ollama"])
    assert.match(refusal({}, { STELE_EMBEDDER: provider }), /cannot choose a remote provider/);
  const named = { embedder: { provider: "gemini", model: "m" } };
  assert.equal(load(named, { STELE_EMBEDDER: "minilm" }).embedder.provider, "minilm", "but one turns it off");
});

test("a provider is named with its model", () => {
  assert.equal(load({ llm: { provider: "gemini", model: "gemini-3.6-flash" } }).llm.model, "gemini-3.6-flash");
  for (const provider of ["gemini", "openai", "anthropic"])
    assert.match(refusal({ llm: { provider } }), /^llm\.model in .* needs it/);
  assert.match(refusal({ embedder: { provider: "gemini" } }), /^embedder\.model/);
  assert.match(refusal({ embedder: { provider: "ollama", model: "m" } }), /^embedder\.dimensions/);
  const { embedder } = load({ embedder: { provider: "ollama", model: "nomic-embed-text:v1.5", dimensions: 768 } });
  assert.equal(embedder.dimensions, 768);
});

const openai = (set: object) => ({ llm: { provider: "openai", model: "m", ...set } });

for (const baseUrl of [
  "https://example.org/v1",
  "http://127.0.0.1:1234/v1",
  "http://localhost:11434/v1",
  "http://[::1]/",
])
  test(`an address may be ${baseUrl}`, () => assert.equal(load(openai({ baseUrl })).llm.baseUrl, baseUrl));

const addresses: [string, RegExp][] = [
  ["http://example.org/v1", /https/],
  ["http://10.0.0.1/", /https/],
  ["file:///etc/passwd", /https/],
  ["https://me:canary@example.org/", /password/],
  ["https://example.org/?key=canary", /path/],
  ["canary", /URL/],
];
for (const [baseUrl, message] of addresses)
  test(`an address may not be ${baseUrl}`, () => {
    assert.match(refusal(openai({ baseUrl })), message);
    assert.doesNotMatch(refusal(openai({ baseUrl })), /canary/);
  });

for (const keyVariable of ["sk-canary", "AIzaCanary0", "sk_canary", "", "lower_case"])
  test(`a key in place of its variable is refused and not repeated: ${keyVariable}`, () => {
    const message = refusal(openai({ keyVariable }));
    assert.match(message, /name of a variable/);
    assert.doesNotMatch(message, /canary/i);
  });

test("the named variable holds the key", () => {
  assert.equal(keyIn("MY_KEY", { MY_KEY: " secret\n" }), "secret");
  assert.equal(keyIn("MY_KEY", { MY_KEY: " " }), null);
  assert.equal(keyIn("MY_KEY", {}), null);
});
