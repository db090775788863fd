/** Unified diffs: what they say, applied to the old text, gives the new one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { unifiedDiff } from "../../src/agents/plan-agent.ts";

test("an entry in the middle is shown with three lines around it", () => {
  const before = ["a", "b", "c", "d", "e", "f", "g", "h", ""].join("\n");
  const after = before.replace("e\n", "e\nnew\n");
  assert.equal(
    unifiedDiff("/x", before, after),
    ["--- /x", "+++ /x", "@@ -3,6 +3,7 @@", " c", " d", " e", "+new", " f", " g", " h"].join("\n"),
  );
  assert.equal(unifiedDiff("/x", null, "a\n"), "--- /dev/null\n+++ /x\n@@ -0,0 +1,1 @@\n+a");
  assert.equal(unifiedDiff("/x", "a", "a\n"), "--- /x\n+++ /x\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a");
});

test("applied, it gives the new text, and it is as short as can be", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const [before, after] = [old, now].map((all) => all.map((line) => `${line}\n`).join(""));
      const diff = unifiedDiff("/x", before!, after!);
      assert.deepEqual(applied(old, diff), now);
      const changed = diff
        .split("\n")
        .slice(2)
        .filter((line) => /^[+-]/.test(line)).length;
      assert.equal(changed, old.length + now.length - 2 * commonLength(old, now));
    }),
  );
});

test("texts that differ everywhere are shown as replaced", () => {
  const [before, after] = ["old", "new"].map((word) =>
    Array.from({ length: 400 }, (_, at) => `${word} ${at}\n`).join(""),
  );
  const lines = unifiedDiff("/x", before!, after!).split("\n");
  assert.equal(lines.length, 2 + 1 + 800);
});

function applied(old: readonly string[], diff: string): string[] {
  const result: string[] = [];
  let at = 0;
  for (const line of diff.split("\n").slice(2)) {
    const hunk = /^@@ -(\d+),(\d+)/.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
      while (at < start) result.push(old[at++]!);
    } else if (line[0] === "+") result.push(line.slice(1));
    else {
      assert.equal(old[at], line.slice(1));
      if (line[0] === " ") result.push(old[at]!);
      at += 1;
    }
  }
  return [...result, ...old.slice(at)];
}

/** The length of the longest common subsequence. */
function commonLength(old: readonly string[], now: readonly string[]): number {
  let row = new Array<number>(now.length + 1).fill(0);
  for (const line of old) {
    const next = [0];
    for (const [at, other] of now.entries())
      next.push(line === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
    row = next;
  }
  return row.at(-1)!;
}
