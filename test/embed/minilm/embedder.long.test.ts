/** The real model: what its vectors mean, and what becomes of requests when things go wrong. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setImmediate as immediate } from "node:timers/promises";
import { createMinilm, type MinilmOptions } from "../../../src/embed/minilm/embedder.ts";
import { cachedGraph } from "../../../src/embed/minilm/graph-cache.ts";
import { GRAPH_KEY } from "../../../src/embed/minilm/identity.ts";
import { createTokenizer } from "../../../src/embed/minilm/tokenizer.ts";
import { readSafetensors, readWeights } from "../../../src/embed/minilm/weights.ts";
import { Failure } from "../../../src/errors.ts";
import type { Embedder } from "../../../src/ports.ts";
import { runChild, startChild } from "../../child.ts";
import { until } from "../../until.ts";
import { testEmbedder } from "../embedder-suite.ts";
import { modelFolder } from "./model-folder.ts";
import { embedByReference } from "./reference.ts";

testEmbedder("minilm", () => createMinilm({ cacheFolder: modelFolder }), { able: true });

/** Where a stand-in for the runtime finds a graph, of which it makes nothing: the real one takes long to read. */
const standInFolder = await mkdtemp(join(tmpdir(), "stele-minilm-"));
await cachedGraph(standInFolder, GRAPH_KEY, async () => Buffer.from("no graph"));
const opened: Embedder[] = [];
after(async () => {
  await Promise.all(opened.map((embedder) => embedder.close()));
  await rm(standInFolder, { recursive: true });
});

function open(options: Partial<MinilmOptions> = {}): Embedder {
  const cacheFolder = options.runtime === undefined ? modelFolder : standInFolder;
  const embedder = createMinilm({ cacheFolder, ...options });
  opened.push(embedder);
  return embedder;
}

/** A stand-in for the native runtime whose runs do what `body` says with the `length` of their input. */
function runtimeThat(body: string): string {
  const source = `
    export class Tensor { constructor(type, data) { this.data = data; } }
    const answer = () => ({ embedding: { data: new Float32Array(384).fill(384 ** -0.5) } });
    const run = async ({ input_ids: { data: { length } } }) => { ${body}; return answer(); };
    export const InferenceSession = { create: async () => ({ run }) };`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

function isUnavailable(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.code === "unavailable" && thrown.hint !== "";
}

function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  return Array.from(left).reduce((sum, value, i) => sum + value * right[i]!, 0);
}

const minilm = open();

test("near in meaning is near in direction", async () => {
  const texts = ["user prefers dark mode", "dark theme", "The cat sat on the mat.", "connection pool exhausted"];
  const [asked, same, ...unrelated] = await minilm.embed(texts);
  for (const other of unrelated) assert.ok(cosine(asked!, same!) > cosine(asked!, other) + 0.3);
});

test("agrees with plain float arithmetic on the same weights", async () => {
  const text = "We decided to use SQLite because two processes write at once.";
  const [ids] = await createTokenizer().encode([text]);
  const expected = embedByReference([101, ...ids!, 102], readSafetensors(await readWeights()));
  const [vector] = await minilm.embed([text]);
  assert.ok(cosine(vector!, expected) > 0.98, String(cosine(vector!, expected)));
});

test("two threads give the vectors of one", async () => {
  const texts = ["two threads", "The store must survive a crash. ".repeat(20)];
  assert.deepEqual(await open({ threads: 2 }).embed(texts), await minilm.embed(texts));
});

test("what the model cannot read does not count", async () => {
  const [full, longer] = await minilm.embed(["night ".repeat(254), "night ".repeat(400) + "unrelated words"]);
  assert.deepEqual(longer, full);
});

test("without the native runtime it is absent, for good, and says what to install", async () => {
  const embedder = open({ runtime: "onnxruntime-not-installed" });
  assert.equal(embedder.state(), "cold");
  await assert.rejects(embedder.load(), (thrown) => isUnavailable(thrown) && /Install/.test((thrown as Failure).hint));
  assert.equal(embedder.state(), "absent");
  await assert.rejects(embedder.embed(["text"]), isUnavailable);
});

for (const [how, body] of [
  ["exits", "if (length > 5) process.exit(1)"],
  [
    "throws where nobody catches",
    "if (length > 5) { setImmediate(() => { throw new Error('lost') }); await new Promise(() => {}) }",
  ],
] as const)
  test(`a worker that ${how} rejects what it owes; the next request starts another`, async () => {
    const embedder = open({ runtime: runtimeThat(body) });
    await embedder.embed(["short"]);
    const owed = [embedder.embed(["long enough to fail in the worker"]), embedder.embed(["short"])];
    for (const promise of owed) await assert.rejects(promise, isUnavailable);
    assert.equal(embedder.state(), "cold");
    assert.equal((await embedder.embed(["short"])).length, 1);
    assert.equal(embedder.state(), "ready");
  });

test("a run that fails rejects its request only", async () => {
  const embedder = open({ runtime: runtimeThat("if (length > 5) throw new Error('no memory')") });
  const [failed, fine] = [embedder.embed(["long enough to fail in the run"]), embedder.embed(["short"])];
  await assert.rejects(failed, isUnavailable);
  assert.equal((await fine).length, 1);
  assert.equal(embedder.state(), "ready");
});

test("a question overtakes a bulk job that was sent before it", async () => {
  const gate = join(standInFolder, "gate");
  const embedder = open({
    runtime: runtimeThat(`
      const { existsSync } = await import("node:fs");
      while (!existsSync(${JSON.stringify(gate)})) await new Promise((resolve) => setTimeout(resolve, 1));`),
  });
  await embedder.load();
  const order: string[] = [];
  const bulk = embedder.embed(Array<string>(100).fill("bulk")).then(() => order.push("bulk"));
  const question = embedder.embed(["question"]).then(() => order.push("question"));
  // The first of the bulk waits until the question has been sent as well.
  await immediate();
  await writeFile(gate, "");
  await Promise.all([bulk, question]);
  assert.deepEqual(order, ["question", "bulk"]);
});

test("closing rejects what is owed, while loading and while working", async () => {
  const hanging = { runtime: runtimeThat("await new Promise(() => {})") };
  const [working, loading] = [open(hanging), open(hanging)];
  await working.load();
  const owed = [working.embed(["text"]), loading.load(), loading.embed(["text"])];
  const rejections = owed.map((promise) => assert.rejects(promise, isUnavailable));
  await Promise.all([loading.close(), working.close(), ...rejections]);
  assert.equal(working.state(), "absent");
});

/** A program that has an `embedder` and does `what` with it. */
function programThat(what: string, options: MinilmOptions): string {
  const url = new URL("../../../src/embed/minilm/embedder.ts", import.meta.url);
  return `
    const { createMinilm } = await import(${JSON.stringify(url.href)});
    const embedder = createMinilm(${JSON.stringify(options)});
    ${what}`;
}

function ownerScript(options: MinilmOptions): string {
  return programThat(
    `const [vector] = await embedder.embed(["text"]); process.stdout.write(String(vector.length));`,
    options,
  );
}

for (const [when, what] of [
  ["while it loads", `const owed = embedder.load();`],
  ["while it works", `await embedder.load(); const owed = embedder.embed(["text"]);`],
  ["when nothing is owed", `await embedder.load(); const owed = Promise.reject();`],
] as const)
  test(`closing ends before the process does: ${when}`, async () => {
    const options = { cacheFolder: standInFolder, runtime: runtimeThat("await new Promise(() => {})") };
    const closing = `owed.catch(() => undefined); await embedder.close(); process.stdout.write("closed");`;
    const { output, errors } = await runChild(null, ["--eval", programThat(what + closing, options)]);
    assert.deepEqual({ output, errors }, { output: "closed", errors: "" });
  });

test("a process waits for its answer, and ends without closing the embedder", async () => {
  const { output, errors } = await runChild(null, ["--eval", ownerScript({ cacheFolder: modelFolder })]);
  assert.deepEqual({ output, errors }, { output: "384", errors: "" });
});

test("a worker ends with its owner, even with one that was killed", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  // The worker holds a connection to this test for as long as it lives, and never answers.
  const body = `(await import("node:net")).connect(${port}, "127.0.0.1"); await new Promise(() => {})`;
  const script = ownerScript({ cacheFolder: standInFolder, runtime: runtimeThat(body) });
  await using owner = startChild(null, ["--eval", script]);
  const [socket] = (await once(server, "connection")) as [Socket];
  const gone = once(socket.on("error", () => undefined).resume(), "close");
  owner.kill();
  await gone;
  server.close();
});

test("a worker that nobody asks ends, and the next request starts another", async () => {
  const embedder = open({ runtime: runtimeThat(""), idleMs: 20 });
  const rested = () => until(() => embedder.state() === "cold");
  await embedder.load();
  await rested();
  const [first] = await embedder.embed(["text"]);
  await rested();
  const [second] = await embedder.embed(["text"]);
  assert.deepEqual(second, first);
});
