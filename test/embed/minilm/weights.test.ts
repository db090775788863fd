import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createInput } from "../../../src/embed/minilm/runtime.ts";
import { createTokenizer, loadVocabulary } from "../../../src/embed/minilm/tokenizer.ts";
import { locateModel, readWeights } from "../../../src/embed/minilm/weights.ts";
import { Failure } from "../../../src/errors.ts";

const root = await mkdtemp(join(tmpdir(), "stele-weights-"));
after(() => rm(root, { recursive: true }));

function isUnavailable(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.code === "unavailable" && thrown.hint !== "";
}

test("the installed weights are the right ones", async () => {
  assert.ok((await readWeights()).length > 45_000_000);
});

test("other weights are refused", async () => {
  const weights = pathToFileURL(join(root, "other.safetensors"));
  await writeFile(weights, "other");
  await assert.rejects(readWeights({ ...locateModel(), weights }), isUnavailable);
});

test("missing weights are refused", async () => {
  const weights = pathToFileURL(join(root, "missing.safetensors"));
  await assert.rejects(readWeights({ ...locateModel(), weights }), isUnavailable);
});

test("the tokenizer gives ids without markers, text by text", async () => {
  const ids = await createTokenizer().encode(["hello world", "", "hello"]);
  assert.deepEqual(ids, [Uint16Array.of(7592, 2088), new Uint16Array(0), Uint16Array.of(7592)]);
});

test("an input is marked at both ends and never longer than the model reads", async () => {
  const toInput = createInput(await loadVocabulary());
  assert.deepEqual(toInput("hello world"), Int32Array.of(101, 7592, 2088, 102));
  assert.deepEqual(toInput(""), Int32Array.of(101, 102));
  for (const text of ["hello ".repeat(254), "hello ".repeat(255), "hello ".repeat(9_000)]) {
    assert.deepEqual(toInput(text), Int32Array.of(101, ...Array<number>(254).fill(7592), 102));
  }
});
