import assert from "node:assert/strict";
import { test } from "node:test";
import { afterKey } from "../../src/cli/picker.ts";
import { type CliOptions, runCli } from "../../src/cli/run.ts";
import { catalogOf } from "../catalog-of.ts";
import { catalog } from "../hosts/fixtures/catalog.ts";
import { type StreamOptions, streams } from "../hosts/fixtures/streams.ts";
import { fakeWorld } from "../hosts/fixtures/world.ts";

const ALIASES: Record<string, [string, ...string[]]> = { rewrite: ["keep_note", "--edit"], look: ["find_notes"] };

async function run(argv: string[], options: Partial<CliOptions> & StreamOptions = {}) {
  const { io, out, err } = streams({ tty: true, ...options });
  const { world } = fakeWorld();
  const code = await runCli(argv, {
    catalog: { ...catalogOf(catalog), aliases: ALIASES },
    io,
    attended: true,
    open: async () => ({
      world: { ...world, clock: { now: () => 7 }, zone: { name: "UTC", offsetMs: () => 0 } },
      close: async () => undefined,
    }),
    ...options,
  });
  return { code, out: out(), err: err() };
}

const UP = "\u001b[A";
const DOWN = "\u001b[B";
const picks: [keys: string[], code: number, out: string, why: string][] = [
  [["l", "s", "\r", "q"], 4, "", "a line that was pasted removes nothing"],
  [[DOWN, "\r"], 0, "Dropped n1.\n", "an arrow key"],
  [[DOWN, DOWN, UP, "\r"], 0, "Dropped n1.\n", "and back"],
  [[UP, "\r"], 0, "Dropped n3.\n", "from the first to the last"],
  [["j", "j", "k", "\r"], 0, "Dropped n1.\n", "letters"],
  [["3"], 0, "Dropped n3.\n", "a number"],
  [["9", DOWN, "x", "\r"], 0, "Dropped n1.\n", "what means nothing changes nothing"],
  [["\u001b"], 4, "", "Esc"],
  [["q"], 4, "", "q"],
  [["\u0004"], 4, "", "Ctrl-D"],
  [["\0"], 4, "", "Ctrl-D before the menu was there"],
  [["\u0003"], 130, "", "Ctrl-C"],
];
for (const [keys, code, out, why] of picks)
  test(`pressing ${JSON.stringify(keys)} exits with ${code}: ${why}`, async () => {
    const ran = await run(["drop-notes", "many"], { keys });
    assert.deepEqual([ran.code, ran.out], [code, out]);
    assert.match(ran.err, /Which note\?.*  1  n1  Note n1\[2J  \(fact, project\)/s, "stored text moves no cursor");
    assert.ok(ran.err.includes("\u001b[J\u001b[?25h"), "the list is removed and the cursor is back");
  });

test("every row of the picker fits the terminal", async () => {
  const { err } = await run(["drop-notes", "many"], { keys: ["1"], columns: 20 });
  const rows = err.replaceAll(/\u001b\[\??\d*[A-Za-z]/g, "").split(/[\r\n]+/);
  assert.ok(rows.some((row) => row.endsWith("…")));
  for (const row of rows.filter((one) => !one.startsWith("stele"))) assert.ok(row.length <= 19, row);
});

const numbered: [name: string, options: StreamOptions & Partial<CliOptions>][] = [
  ["no raw mode", {}],
  ["a dumb terminal", { keys: [], terminal: { isDumb: true, isColourForced: false } }],
  ["too few rows", { keys: [], rows: 5 }],
  ["a terminal that does not know its width", { columns: 0 }],
  ["a terminal of few columns", { columns: 7 }],
];
for (const [name, options] of numbered)
  test(`${name}: a numbered list instead`, async () => {
    const { code, out, err } = await run(["drop-notes", "many"], { ...options, stdin: "2\n" });
    assert.deepEqual([code, out], [0, "Dropped n2.\n"]);
    assert.match(err, /1\. n1 {2}Note n1/);
  });

test("a terminal that does not know its size shows whole lines to choose from", async () => {
  const { code, out, err } = await run(["drop-notes", "many"], { keys: [DOWN, DOWN, "\r"], columns: 0, rows: 0 });
  assert.deepEqual([code, out], [0, "Dropped n2.\n"]);
  assert.match(err, /> 2 {2}n2 {2}Note n2/);
});

const unasked: [name: string, argv: string[], options: StreamOptions & Partial<CliOptions>, out: string][] = [
  ["a pipe", ["many"], { tty: false, keys: ["2"] }, "Dropped many.\n"],
  ["JSON", ["many", "--json"], { keys: ["2"] }, '{"dropped":["many"]}\n'],
  ["an agent's terminal", ["many"], { keys: ["2"], attended: false }, "Dropped many.\n"],
  ["one item", ["n7"], { keys: ["2"] }, "Dropped n7.\n"],
];
for (const [name, argv, options, out] of unasked)
  test(`nobody chooses: ${name}`, async () => {
    const ran = await run(["drop-notes", ...argv], options);
    assert.deepEqual([ran.code, ran.out, ran.err], [0, out, ""]);
  });

test("where nothing is lost, Enter takes the first", () => {
  assert.equal(afterKey("\r", { name: "return" }, 0, 3), 0);
});

for (const stdin of ["", "x"])
  test(`an input that ends before anything was chosen chooses nothing: ${JSON.stringify(stdin)}`, async () => {
    const { code, out } = await run(["drop-notes", "many"], { keys: [], stdin });
    assert.deepEqual([code, out], [4, ""]);
  });

test("a key outside the list leaves the place as it is", () => {
  assert.deepEqual(afterKey("5", { name: "5" }, 1, 3), { at: 1 });
  assert.deepEqual(afterKey("0", { name: "0" }, 1, 3), { at: 1 });
  assert.deepEqual(afterKey(undefined, { name: "left" }, 1, 3), { at: 1 });
});

const edits: [name: string, edit: (text: string) => string, out: string][] = [
  ["a new text", (text) => `${text}, edited`, "applied: stored text, edited\n"],
  ["the same text", (text) => text, "Nothing changed.\n"],
  ["no text", () => " \n", "Nothing changed.\n"],
];
for (const [name, edit, out] of edits)
  for (const argv of [["keep-note", "--edit"], ["rewrite"]])
    test(`${argv.join(" ")} with ${name}`, async () => {
      const ran = await run(argv, { edit: async (text) => edit(text) });
      assert.deepEqual([ran.code, ran.out], [0, out]);
    });

const uneditable: [name: string, argv: string[], options: StreamOptions & Partial<CliOptions>, message: RegExp][] = [
  ["a pipe", ["--edit"], { tty: false }, /needs a person at a terminal/],
  ["JSON", ["--edit", "--json"], {}, /needs a person at a terminal/],
  ["an agent's terminal", ["--edit"], { attended: false }, /needs a person at a terminal/],
];
for (const [name, argv, options, message] of uneditable)
  test(`nothing is edited: ${name}`, async () => {
    const edit = () => Promise.reject(new Error("must not be called"));
    const { code, out, err } = await run(["keep-note", ...argv], { ...options, edit });
    assert.ok(code === 4 || code === 2);
    assert.match(out + err, message);
  });

test("a text that is given needs no editor, even where nobody could use one", async () => {
  const edit = () => Promise.reject(new Error("must not be called"));
  assert.equal((await run(["rewrite", "new"], { edit })).out, "applied: new\n");
  assert.equal((await run(["keep-note", "new", "--edit"], { edit, tty: false })).out, "applied: new\n");
});

test("an alias is the verb, with the flags it implies; help tells of it", async () => {
  assert.match((await run(["look", "a"], { tty: false })).out, /^Found 10 notes about a/);
  assert.match((await run(["find-notes", "--help"])).out, /Also: `stele look`\./);
  assert.match((await run(["lok", "a"])).err, /Did you mean `stele look`\?/);
});

test("an answer is laid out on a terminal and plain in a pipe", async () => {
  const on = async (options: StreamOptions) => (await run(["find-notes", "deploys"], options)).out;
  assert.equal(await on({ tty: false }), "Found 10 notes about deploys.\n");
  assert.equal(await on({}), "n1  10 notes about deploys\n    deploys at 7\n");
  assert.match(await on({ colours: true }), /^\u001b\[33mn1\u001b\[39m {2}10 notes about \u001b\[1mdeploys/);
  const dumb = await run(["find-notes", "a"], { terminal: { isDumb: true, isColourForced: true } });
  assert.equal(dumb.out, "Found 10 notes about a.\n");
});

test("a failure is wrapped on a terminal and left as it is in a pipe", async () => {
  const argv = ["find-notes", "--nonsense", "a"];
  const hint = "See `stele find-notes --help`; if it is text, write `stele find-notes -- --nonsense`.";
  assert.equal((await run(argv, { tty: false })).err, `stele: find-notes has no flag --nonsense.\n${hint}\n`);
  assert.equal(
    (await run(argv, { columns: 50 })).err,
    "stele: find-notes has no flag --nonsense.\nSee `stele find-notes --help`; if it is text,\nwrite `stele find-notes -- --nonsense`.\n",
  );
});
