/** Without a provider in the person's settings no connection is opened, whatever keys lie about. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, test } from "node:test";
import { type Stele, openLibrary } from "../../src/library.ts";
import { FIXED_LOGIN, claudeLines, writeTranscript } from "../engine/capture/transcript.ts";

const KEYS = ["GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"];
const folder = mkdtempSync(join(tmpdir(), "stele-alone-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const { fetch } = globalThis;
const { connect } = Socket.prototype;
let attempts: string[] = [];

beforeEach(() => {
  attempts = [];
  for (const name of KEYS) process.env[name] = "a key";
  const refuse = (what: string) => {
    attempts.push(what);
    throw new Error("a connection was opened");
  };
  globalThis.fetch = () => refuse("fetch");
  Socket.prototype.connect = () => refuse("connect");
});
afterEach(() => {
  globalThis.fetch = fetch;
  Socket.prototype.connect = connect;
  for (const name of KEYS) delete process.env[name];
});

async function steleWith(name: string, settings: object): Promise<Stele> {
  const [home, project] = [join(folder, name), join(folder, `${name} project`)];
  for (const path of [home, project]) mkdirSync(path);
  writeFileSync(join(home, "config.json"), JSON.stringify({ embedder: { provider: "hash" }, ...settings }));
  return openLibrary({ home, project });
}

async function work(stele: Stele): Promise<void> {
  const path = join(folder, "s1.jsonl");
  writeTranscript(path, claudeLines(FIXED_LOGIN));
  await stele.remember({ content: "The login token expires at midnight UTC." });
  await stele.remember({ content: "The login token expires at midnight UTC, in every region." });
  await stele.recall({ query: "When does the token expire?" });
  assert.equal((await stele.extract({ path, end: true })).error, null);
  await stele.maintain({});
  await stele.backfill({});
  await stele.inspect({});
  await stele.close();
}

test("nothing connects to anything by default", async () => {
  await work(await steleWith("default", {}));
  assert.deepEqual(attempts, []);
});

test("a model without its provider is nothing either", async () => {
  await work(await steleWith("model", { llm: { model: "m", baseUrl: "http://127.0.0.1:1/v1" } }));
  assert.deepEqual(attempts, []);
});
