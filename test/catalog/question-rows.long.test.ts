/** Questions to a person: no stored text can look like one of our own lines, or push them out of view. */
import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import { type Ask, dispatch } from "../../src/catalog/dispatch.ts";
import type { AnyOperation } from "../../src/catalog/operation.ts";
import { questionRows, shownQuestion } from "../../src/catalog/question-rows.ts";
import { promptAt } from "../../src/cli/prompt.ts";
import { decide, stage } from "../decisions/decision-steps.ts";
import { keep, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

const WIDTH = 76;

test("a megabyte without a line break is wrapped, and every row is marked", () => {
  for (const word of ["word ", "A", "文", "😀"]) {
    const rows = questionRows(`> ${word.repeat(1_000_000 / word.length)}`);
    assert.ok(rows.length > 10_000);
    assert.ok(rows.every((row) => row.startsWith("> ") && row.length <= WIDTH));
  }
});

test("wrapping loses no word and breaks no row that fits", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,40}$/), { minLength: 1 }), (words) => {
      const text = `> ${words.join(" ")}`;
      const rows = questionRows(text);
      const read = rows.map((row) => row.slice(2)).join(" ").split(/\s+/); // prettier-ignore
      assert.deepEqual(read, words);
      if (text.length <= WIDTH) assert.deepEqual(rows, [text]);
    }),
  );
});

/** The most columns that any terminal gives a text. */
const widest = (row: string): number => [...row].reduce((sum, letter) => sum + (letter <= "\u007e" ? 1 : 2), 0);

const FORGED = "Erase nothing? Yes, merge safely. Merge [y/N] y";
const HOSTILE: readonly [what: string, text: string][] = [
  ["wide characters", `${"文".repeat(38)}${FORGED}`],
  ["fullwidth letters", `${"Ｗ".repeat(39)}${FORGED}`],
  ["emoji", `${"😀".repeat(40)}${FORGED}`],
  ["joined emoji", `${"👩‍👩‍👧".repeat(30)}${FORGED}`],
  ["letters that fill a row", `${"x".repeat(74)}${FORGED}`],
  ["letters that fill a narrow row", `${"x".repeat(37)}${FORGED}`],
  ["spaces that fill a row", `a${" ".repeat(73)}${FORGED}`],
  ["wide spaces", `a${"\u3000".repeat(37)}${FORGED}`],
  ["tabs", `a${"\t".repeat(9)}${FORGED}`],
  ["bidirectional controls", `\u202e${FORGED}\u2066\u2069`],
  ["line separators", `a\u2028${FORGED}\u2029${FORGED}\u0085${FORGED}\v${FORGED}`],
  ["line breaks", `a\n${FORGED}\r\n${FORGED}\r${FORGED}`],
  ["terminal sequences", `a\u001b[2J\u001b[H${FORGED}`],
  ["nothing one sees", `${"\u200b\u2060\ufeff\u{e0041}".repeat(500)}${FORGED}`],
  ["marks that pile up", `${"e\u0301\u0302\u0303\u0304\u0305".repeat(200)}${FORGED}`],
  ["many lines", `${"line\n".repeat(2_000)}${FORGED}`],
  ["a very long line", `${"long ".repeat(20_000)}${FORGED}`],
];

/** Runs the verb at a terminal of this width; the person says no. What they were shown, row by row. */
async function shownAt(columns: number, run: (ask: Ask) => Promise<unknown>): Promise<string[]> {
  let shown = "";
  const stderr = new Writable({ write: (chunk, _, done) => ((shown += String(chunk)), done()) });
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end("n\n");
  const io = { stdin, stdout: new PassThrough(), stderr: Object.assign(stderr, { isTTY: true, columns, rows: 24 }) };
  await assert.rejects(run(promptAt(io, { attended: true })!), { code: "refused" });
  return shown.split("\n");
}

/** Stored text is marked, continues an indented row, or is within quotation marks. */
function assertUnforged(rows: readonly string[], columns: number): void {
  for (const row of rows) {
    assert.ok(widest(row) < columns, `a row is as wide as the screen: ${row}`);
    assert.doesNotMatch(row, /[\p{Bidi_Control}\u001b\p{Default_Ignorable_Code_Point}]/u);
    assert.doesNotMatch(row, /\p{M}{3}/u);
    if (row.includes("Erase nothing?") || row.includes("safely")) assert.match(row, /^(> |    |.*“)/, row);
  }
}

for (const [what, text] of HOSTILE) {
  test(`no question is forged by ${what}`, async () => {
    const world = await testWorld();
    const run = (verb: keyof typeof operations, input: object) => (ask: Ask) =>
      dispatch(operations[verb] as unknown as AnyOperation, input, world, { ask });
    const [one, two] = [await keep(world, `First ${text}`), await keep(world, `Second ${text}`)];
    const decision = await decide(world, `Decide ${text}`);
    const proposal = await stage(world, `Use it ${text}`);
    for (const columns of [40, 80, 200]) {
      const merging = await shownAt(columns, run("merge", { first: one.id, second: two.id }));
      assertUnforged(merging, columns);
      // Our own lines are all there, and the first is asked once more if it has left the screen.
      const said = merging.join(" ").replace(/\s+/g, " ");
      for (const own of [/^Merge [0-9a-f]+ and/, /It keeps the text of/, /`stele rollback` restores them\./])
        assert.match(said, own);
      assert.match(merging.slice(-24).join("\n"), /^Merge [0-9a-f]{8} and/m);
      assertUnforged(await shownAt(columns, run("ratify", { id: proposal })), columns);
      assertUnforged(await shownAt(columns, run("forget", { target: decision, purge: true })), columns);
    }
  });
}

test("of a message without end, the beginning and the end are shown", () => {
  const shown = shownQuestion(["Agree?", ...Array(5_000).fill("> text"), "It cannot be undone."].join("\n"));
  assert.ok(shown.length < 21_000);
  assert.match(shown, /^Agree\?\n> text\n/);
  assert.match(shown, /\n\(\d+ more lines are not shown\.\)\n> text\n/);
  assert.match(shown, /\n> text\nIt cannot be undone\.$/);
});
