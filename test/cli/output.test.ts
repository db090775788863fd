/** Standard output without a stream: whole, through a full pipe, to a reader who left, and to a full disk. */
import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { directOutput } from "../../src/cli/output.ts";
import { temporaryFolder } from "../test-world.ts";

const none = () => assert.fail("no stream is needed");

test("text goes straight to the descriptor, and no stream is asked for", () => {
  const file = join(temporaryFolder(), "out");
  const descriptor = openSync(file, "w");
  let done = 0;
  directOutput(descriptor, none).write("é 中\n".repeat(50_000), () => (done += 1));
  closeSync(descriptor);
  assert.equal(readFileSync(file, "utf8"), "é 中\n".repeat(50_000));
  assert.equal(done, 1);
});

test("what goes wrong is told to the listener, and the writer is not kept waiting", () => {
  const codes: string[] = [];
  let done = 0;
  const output = directOutput(-1, none).on("error", (error: NodeJS.ErrnoException) => codes.push(error.code ?? ""));
  output.write("text", () => (done += 1));
  assert.deepEqual([codes.length, done], [1, 1]);
});

test("a listener that throws stops the writer", () => {
  const output = directOutput(-1, none).on("error", (error) => {
    throw error;
  });
  assert.throws(() => output.write("text", () => undefined));
});

test("nothing to write is written at once", () => {
  let done = 0;
  directOutput(-1, () => new PassThrough()).write("", () => (done += 1));
  assert.equal(done, 1);
});

test("a file, the null device and a closed descriptor are no terminal", () => {
  const paths = [join(temporaryFolder(), "out"), "/dev/null"];
  const descriptors = paths.map((path) => openSync(path, "w"));
  for (const descriptor of descriptors) assert.equal(directOutput(descriptor, none).isTTY, false);
  for (const descriptor of descriptors) closeSync(descriptor);
  assert.equal(directOutput(-1, none).isTTY, false);
});
