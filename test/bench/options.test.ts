/** The quality bench as it is called: options, sets that are missing, and what is shown while it works. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSets } from "../../bench/quality/data.ts";
import { ASKED } from "../../bench/quality/measure-set.ts";
import { SETS, readOptions } from "../../bench/quality/options.ts";
import { createProgress } from "../../bench/quality/progress.ts";
import { loadConfig } from "../../src/app/config.ts";

test("as much is asked for as recall answers by default", () => {
  assert.equal(loadConfig({ home: import.meta.dirname, env: {} }).recall.limit, ASKED);
});

test("all sets when none is named, each named one once", () => {
  assert.deepEqual(readOptions([]).sets, Object.entries(SETS));
  assert.deepEqual(readOptions(["scifact", "scifact", "--json"]).sets, [["scifact", "prose"]]);
});

const refused: [why: string, () => unknown, RegExp][] = [
  ["an unknown set", () => readOptions(["constructor"]), /^There is no set "constructor"\.$/],
  ["an unknown option", () => readOptions(["--depth", "3"]), /^Unknown option '--depth'\.$/],
  ["a missing value", () => readOptions(["--home"]), /^Option '--home <value>' argument missing\.$/],
  ["a missing folder", () => checkSets(["scifact"], "/does/not/exist"), /^There is no \/does\/not\/exist\.$/],
  ["a missing set", () => checkSets(["scifact"], import.meta.dirname), /^There is no .*scifact.corpus\.jsonl\.$/],
];
for (const [why, call, message] of refused)
  test(`${why} is refused in one sentence`, () => {
    assert.throws(call, { code: "invalid_input", message });
  });

function shown(screen: { isTTY: boolean; columns?: number }) {
  const written: string[] = [];
  const time = { now: 0 };
  const progress = createProgress({ ...screen, write: (text) => written.push(text) }, () => time.now);
  for (const [done, at] of [0, 50, 200, 4_000, 6_000].entries()) {
    time.now = at;
    progress.report(done, 5, "asking");
  }
  progress.clear();
  return written;
}

test("a terminal's line is rewritten, fits, and goes in the end", () => {
  const erase = "\r\x1b[K";
  const lines = [0, 2, 3, 4].map((done) => `${erase}asking: ${done}`);
  assert.deepEqual(shown({ isTTY: true, columns: 10 }), [...lines, erase]);
});

test("elsewhere a new line is written every few seconds", () => {
  assert.deepEqual(shown({ isTTY: false }), ["asking: 0 of 5\n", "asking: 4 of 5\n"]);
});
