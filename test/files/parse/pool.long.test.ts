import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createParser, type ParserOptions } from "../../../src/files/parse/pool.ts";
import type { Parser } from "../../../src/ports.ts";

const source = (text: string, path = "a.zig") => ({ path, text, shelf: "code" as const });

/** Does what its texts say; the title is the number of the thread. */
const PUPPET = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from "node:worker_threads";
    parentPort.on("message", ({ text }) => {
      if (text === "hang") {
        new BroadcastChannel("hanging").postMessage(threadId);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      }
      if (text === "die") process.exit(1);
      if (text === "throw") throw new Error("a fault of its own");
      const file = { title: String(threadId), language: null, passages: [], symbols: [], references: [], tags: [], fault: null };
      parentPort.postMessage({ file, isBroken: text === "break" });
    });`)}`,
);

async function withParser(options: ParserOptions, work: (parser: Parser) => Promise<void>): Promise<void> {
  const parser = createParser(options);
  try {
    await work(parser);
  } finally {
    await parser.close();
  }
}

test("files are parsed in threads, each answer to its own question", async () => {
  await withParser({}, async (parser) => {
    const names = Array.from({ length: 20 }, (_, index) => `section${index}`);
    const files = await Promise.all(names.map((name) => parser.parse(source(`[${name}]\nkey = 1\n`, `${name}.ini`))));
    assert.deepEqual(
      files.map(({ symbols }) => symbols[0]?.name),
      names,
    );
  });
});

test("one file needs one thread; many share two", async () => {
  await withParser({ worker: PUPPET }, async (parser) => {
    const { title } = await parser.parse(source("x"));
    assert.equal((await parser.parse(source("x"))).title, title);
    const files = await Promise.all(Array.from({ length: 50 }, () => parser.parse(source("x"))));
    assert.ok(new Set(files.map((file) => file.title)).size <= 2);
  });
});

for (const [text, fault] of [
  ["die", /stopped/],
  ["throw", /a fault of its own/],
  ["hang", /longer than/],
] as const) {
  test(`a thread that is made to ${text} is replaced; its file is plain text, the others are parsed`, async (context) => {
    // Time passes when a thread hangs, and not while it takes its time to start.
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const hanging = new BroadcastChannel("hanging");
    hanging.onmessage = () => context.mock.timers.tick(1_500);
    context.after(() => hanging.close());
    await withParser({ worker: PUPPET, threads: 1, patienceMs: 1_500 }, async (parser) => {
      const before = await parser.parse(source("x"));
      const [bad, ...after] = await Promise.all([text, "x", "x", "x"].map((each) => parser.parse(source(each))));
      assert.match(bad?.fault ?? "", fault);
      assert.equal(bad?.passages[0]?.text, text);
      assert.deepEqual(
        [before, ...after].map((file) => file?.fault),
        [null, null, null, null],
      );
      assert.notEqual(before?.title, after[0]?.title);
    });
  });
}

test("a thread that says it is broken has answered, and gets no more", async () => {
  await withParser({ worker: PUPPET, threads: 1 }, async (parser) => {
    const [first, second] = await Promise.all([parser.parse(source("break")), parser.parse(source("x"))]);
    assert.equal(first.fault, null);
    assert.notEqual(first.title, second.title);
  });
});

test("a thread that cannot start leaves plain text", async () => {
  await withParser({ worker: new URL("file:///nowhere/worker.js") }, async (parser) => {
    const file = await parser.parse(source("some text"));
    assert.match(file.fault ?? "", /stopped/);
    assert.equal(file.passages[0]?.text, "some text");
  });
});

test("an idle thread ends; the next file starts another", async () => {
  await withParser({ worker: PUPPET, idleMs: 1 }, async (parser) => {
    const { title } = await parser.parse(source("x"));
    await sleep(20);
    assert.notEqual((await parser.parse(source("x"))).title, title);
  });
});

test("closing rejects what is owed, and what is asked afterwards", async () => {
  const parser = createParser({ worker: PUPPET });
  const owed = assert.rejects(parser.parse(source("hang")), { code: "unavailable" });
  await parser.close();
  await owed;
  await assert.rejects(parser.parse(source("x")), { code: "unavailable" });
  await parser.close();
});
