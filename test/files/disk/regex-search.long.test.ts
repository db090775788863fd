import assert from "node:assert/strict";
import { test } from "node:test";
import { createPatternSearch } from "../../../src/files/disk/regex-search.ts";

const { search } = createPatternSearch();
const LIMITS = { limit: 100, limitMs: 10_000 };

async function* batches(...given: Record<string, string>[]) {
  for (const batch of given) yield Object.entries(batch).map(([id, text]) => ({ id, text }));
}

test("lines are found with their numbers, text after text", async () => {
  const texts = batches({ a: "one\ntwo\r\nTwo two\n", b: "nothing" }, { c: "two" });
  assert.deepEqual(await search("t[w]o$", texts, LIMITS), {
    lines: [
      { id: "a", line: 2, text: "two" },
      { id: "a", line: 3, text: "Two two" },
      { id: "c", line: 1, text: "two" },
    ],
    ended: null,
  });
});

test("limits hold for all and for each text", async () => {
  const found = await search("^x", batches({ a: "x\nx\nx", b: "x\nx" }), { ...LIMITS, limit: 3, limitPerText: 2 });
  assert.deepEqual(
    found.lines.map(({ id, line }) => `${id}${line}`),
    ["a1", "a2", "b1"],
  );
  assert.equal(found.ended, "limit");
});

test("a long line is shown around what was found", async () => {
  const { lines } = await search("needle", batches({ a: `${"x".repeat(5_000)}needle${"y".repeat(5_000)}` }), LIMITS);
  assert.match(lines[0]?.text ?? "", /^…x{80}needley+…$/);
  assert.ok((lines[0]?.text.length ?? 0) <= 302);
});

test("a pattern that would take years is ended; what was found before is kept", async () => {
  const texts = batches({ a: "aaa!" }, { b: `${"a".repeat(60)}?` }, { c: "a!" });
  const found = await search("^(a+)+!$", texts, { limit: 10, limitMs: 400 });
  assert.deepEqual([found.ended, found.lines.map(({ id }) => id)], ["time", ["a"]]);
});

test("what is no pattern is refused before anything is read", async () => {
  for (const pattern of ["(", "[z-a]", "x".repeat(1_001)]) {
    await assert.rejects(search(pattern, batches(), LIMITS), { code: "invalid_input" });
  }
});

test("a store that fails while it is read fails the search", async () => {
  async function* failing(): AsyncGenerator<{ id: string; text: string }[]> {
    throw new Error("gone");
  }
  await assert.rejects(search("a", failing(), LIMITS), /gone/);
});

test("letters of all languages are letters; what is valid only without them is taken so", async () => {
  const texts = () => batches({ a: "ключ\nx-y\np{L}+" });
  const linesOf = async (pattern: string) => (await search(pattern, texts(), LIMITS)).lines.map(({ line }) => line);
  assert.deepEqual(await linesOf("^\\p{L}+$"), [1]);
  assert.deepEqual(await linesOf("x\\-y"), [2]);
});

test("a thread that cannot start is told as a failure", async () => {
  const lame = createPatternSearch({ thread: new URL("../../providers/files/no-such-thread.ts", import.meta.url) });
  await assert.rejects(lame.search("a", batches({ a: "a" }), LIMITS), { code: "unavailable" });
});
