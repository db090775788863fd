/** Without a provider in the person's settings no connection is opened, whatever keys lie about. */
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openLibrary, type Stele } from "../../src/library.ts";
import { claudeLines, FIXED_LOGIN, writeTranscript } from "../sessions/transcript.ts";

const KEYS = ["GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"];
const folder = mkdtempSync(join(tmpdir(), "stele-alone-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Attempts made by the test that runs now; other files share the process and may connect. */
const watched = new AsyncLocalStorage<string[]>();
const { fetch } = globalThis;
const { connect } = Socket.prototype;

function refuse(what: string): void {
  watched.getStore()?.push(what);
  if (watched.getStore()) throw new Error("a connection was opened");
}

before(() => {
  for (const name of KEYS) process.env[name] = "a key";
  globalThis.fetch = (...given) => {
    refuse("fetch");
    return fetch(...given);
  };
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    refuse("connect");
    return Reflect.apply(connect, this, given) as Socket;
  };
});
after(() => {
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
  const attempts: string[] = [];
  await watched.run(attempts, async () => work(await steleWith("default", {})));
  assert.deepEqual(attempts, []);
});

test("it would be noticed", async () => {
  const llm = { provider: "openai", model: "m", baseUrl: "http://127.0.0.1:1/v1" };
  const path = join(folder, "s2.jsonl");
  writeTranscript(path, claudeLines(FIXED_LOGIN, "s2"));
  const attempts: string[] = [];
  const { evidence } = await watched.run(attempts, async () => {
    const stele = await steleWith("named", { llm, log: { level: "silent" } });
    return stele.extract({ path, end: true }).finally(() => stele.close());
  });
  assert.ok(attempts.includes("fetch"));
  assert.ok(evidence > 0, "and what cannot be asked is done without");
});
