/** The launcher of the built program: what it keeps, where, and what it refuses to run. A stand-in is what it launches. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bundle } from "../scripts/bundle.ts";
import { runStill } from "./child.ts";

const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Says `word` and ends with 7. Functions that ran are what is kept. */
const program = (word: string) =>
  `function answer() { return "${word}"; }\nexports.main = async (argv) => (console.log(answer(), argv.join(" ")), 7);`;

async function built(build: string, word: string) {
  const top = mkdtempSync(join(tmpdir(), "stele launch ü-"));
  folders.push(top);
  const [dist, home] = ["dist", "home"].map((name) => join(top, name)) as [string, string];
  for (const folder of [dist, home]) mkdirSync(folder);
  const launcher = join(dist, "launch-built.js");
  const write = async (name: string, text: string) => {
    writeFileSync(launcher, (await bundle("launch-built.ts", { BUILD: JSON.stringify(name) })).text);
    writeFileSync(join(dist, "main.js"), program(text));
  };
  await write(build, word);
  const run = (...argv: string[]) => {
    const code = `require(${JSON.stringify(launcher)}).launch(process.argv.slice(1)).then(process.exit)`;
    const env = { ...process.env, STELE_HOME: home, TMPDIR: top };
    const { code: status, output, errors } = runStill(process.execPath, ["-e", code, "--", ...argv], env);
    return { status, said: output + errors };
  };
  const compiled = join(home, "compiled");
  return { run, write, home, compiled, kept: () => readdirSync(compiled).map((name) => join(compiled, name)) };
}

test("a command is run with its arguments, and what was compiled is kept where nobody else can write", async () => {
  const { run, compiled, kept } = await built("b1", "one");
  assert.deepEqual(run("list", "--json"), { status: 7, said: "one list --json\n" });
  assert.equal(statSync(compiled).mode & 0o777, 0o700);
  assert.deepEqual(
    kept().map((file) => statSync(file).mode & 0o777),
    [0o600],
  );
  run("recall");
  assert.equal(kept().length, 2, "another command uses other parts of the program");
});

test("what was kept is run again for the same build, and only for that", async () => {
  const { run, write } = await built("b1", "one");
  run("list");
  // V8 would take a text of the same length for the same, so the old answer shows that what was kept is used.
  await write("b1", "two");
  assert.equal(run("list").said, "one list\n");
  await write("b2", "two");
  assert.equal(run("list").said, "two list\n");
});

const damages: [string, (bytes: Buffer) => Buffer][] = [
  ["cut short", (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ["empty", () => Buffer.alloc(0)],
  ["lost a block", (bytes) => Buffer.from(bytes).fill(0, bytes.length >> 1, (bytes.length >> 1) + 400)],
  ["nothing of ours", () => Buffer.from("rubbish")],
];
for (const [name, damage] of damages)
  test(`a file that is ${name} is not used, and is made anew`, async () => {
    const { run, write, kept } = await built("b1", "one");
    run("list");
    const [file] = kept() as [string];
    const whole = readFileSync(file);
    writeFileSync(file, damage(whole));
    await write("b1", "two");
    assert.equal(run("list").said, "two list\n");
    assert.ok(readFileSync(file).length > whole.length / 2);
  });

test("from a folder that others can write to nothing is taken, and nothing is kept in it", async () => {
  const { run, write, compiled, kept } = await built("b1", "one");
  run("list");
  chmodSync(compiled, 0o777);
  await write("b1", "two");
  const before = kept();
  assert.equal(run("list").said, "two list\n");
  assert.equal(run("recall").said, "two recall\n");
  assert.deepEqual(kept(), before);
});

test("without a data folder the command runs and none is made", async () => {
  const { run, home } = await built("b1", "one");
  rmSync(home, { recursive: true });
  assert.deepEqual(run("list"), { status: 7, said: "one list\n" });
  assert.throws(() => statSync(home), { code: "ENOENT" });
});
