/** The launcher of the built program: what it keeps, where, and what it refuses to run. A stand-in is what it launches. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bundle } from "../scripts/bundle.ts";
import { runChild } from "./child.ts";

const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Says `word`; ends with 7 where that is asked for. Functions that ran are what is kept. */
const program = (word: string) =>
  `function answer() { return "${word}"; }
exports.main = async (argv) => {
  console.log(answer(), argv.join(" "));
  if (argv[0] === "mcp") require("node:v8").setFlagsFromString("--semi-space-growth-factor=2");
  return argv.includes("--bad") ? 7 : 0;
};`;

async function built(build: string, word: string) {
  const top = mkdtempSync(join(tmpdir(), "stele launch ü-"));
  folders.push(top);
  const [dist, home] = ["dist", "home"].map((name) => join(top, name)) as [string, string];
  for (const folder of [dist, home]) mkdirSync(folder);
  const launcher = join(dist, "launch-built.js");
  const write = async (name: string, text: string) => {
    writeFileSync(launcher, (await bundle("launch-built.ts", { BUILD: JSON.stringify(name) })).text);
    for (const file of ["program.js", "servers.js", "hook.js"]) writeFileSync(join(dist, file), program(text));
  };
  await write(build, word);
  const run = async (...argv: string[]) => {
    const entry = argv[0] === "hook" ? "launchHook" : "launch";
    const code = `require(${JSON.stringify(launcher)}).${entry}(process.argv.slice(1)).then(process.exit)`;
    const env = { ...process.env, STELE_HOME: home, TMPDIR: top };
    const ended = await runChild(null, ["-e", code, "--", ...argv], { env });
    return { status: ended.code, said: ended.output + ended.errors };
  };
  const compiled = join(home, "compiled");
  return { run, write, home, compiled, kept: () => readdirSync(compiled).map((name) => join(compiled, name)) };
}

test("a command is run with its arguments, and what was compiled is kept where nobody else can write", async () => {
  const { run, compiled, kept } = await built("b1", "one");
  assert.deepEqual(await run("list", "--json"), { status: 0, said: "one list --json\n" });
  assert.equal(statSync(compiled).mode & 0o777, 0o700);
  assert.deepEqual(
    kept().map((file) => statSync(file).mode & 0o777),
    [0o600],
  );
  await run("recall");
  assert.equal(kept().length, 2, "another command uses other parts of the program");
});

test("no command takes the place of what another one kept", async () => {
  const { run, kept } = await built("b1", "one");
  for (const command of ["remember", "time", "decrypt"]) await run(command);
  assert.equal(kept().length, 3);
});

test("what was kept is run again for the same build, and only for that", async () => {
  const { run, write } = await built("b1", "one");
  await run("list");
  // V8 would take a text of the same length for the same, so the old answer shows that what was kept is used.
  await write("b1", "two");
  assert.equal((await run("list")).said, "one list\n");
  await write("b2", "two");
  assert.equal((await run("list")).said, "two list\n");
});

test("code is gathered from the first four runs of a command, not from later ones", async () => {
  const { run, kept } = await built("b1", "one");
  const written = async () => {
    await run("list");
    return statSync(kept()[0]!).ino;
  };
  const files: number[] = [];
  for (let count = 0; count < 6; count++) files.push(await written());
  assert.equal(readFileSync(kept()[0]!).at(-5), 4);
  assert.equal(new Set(files.slice(3)).size, 1, "the file is left alone from the fourth run on");
});

test("a mistake or a look at the help is not what a command is remembered by", async () => {
  const { run, kept } = await built("b1", "one");
  assert.deepEqual(await run("list", "--bad"), { status: 7, said: "one list --bad\n" });
  await run("list", "--help");
  assert.deepEqual(kept(), []);
});

test("a server starts with what it kept, though it changes the flags that it was compiled under", async () => {
  const { run, write } = await built("b1", "one");
  await run("mcp");
  await write("b1", "two");
  assert.equal((await run("mcp")).said, "one mcp\n");
});

test("a hook starts with what it kept, in the data folder that its host names", async () => {
  const { run, write, home, kept } = await built("b1", "one");
  await run("hook");
  await write("b1", "two");
  assert.equal((await run("hook")).said, "one hook\n");
  const other = join(home, "other");
  mkdirSync(other);
  assert.equal((await run("hook", "--home", other)).said, `two hook --home ${other}\n`);
  assert.equal(readdirSync(join(other, "compiled")).length, 1);
  assert.equal(kept().length, 1);
});

const damages: [string, (bytes: Buffer) => Buffer][] = [
  ["cut short", (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ["empty", () => Buffer.alloc(0)],
  ["lost a block", (bytes) => Buffer.from(bytes).fill(0, bytes.length >> 2, (bytes.length >> 2) + 1_100)],
  ["nothing of ours", () => Buffer.from("rubbish")],
];
for (const [name, damage] of damages)
  test(`a file that is ${name} is not used, and is made anew`, async () => {
    const { run, write, kept } = await built("b1", "one");
    await run("list");
    const [file] = kept() as [string];
    const whole = readFileSync(file);
    writeFileSync(file, damage(whole));
    await write("b1", "two");
    assert.equal((await run("list")).said, "two list\n");
    assert.ok(readFileSync(file).length > whole.length / 2);
  });

test("from a folder that others can write to nothing is taken, and nothing is kept in it", async () => {
  const { run, write, compiled, kept } = await built("b1", "one");
  await run("list");
  chmodSync(compiled, 0o777);
  await write("b1", "two");
  const before = kept();
  assert.equal((await run("list")).said, "two list\n");
  assert.equal((await run("recall")).said, "two recall\n");
  assert.deepEqual(kept(), before);
});

test("without a data folder the command runs and none is made", async () => {
  const { run, home } = await built("b1", "one");
  rmSync(home, { recursive: true });
  assert.deepEqual(await run("list"), { status: 0, said: "one list\n" });
  assert.throws(() => statSync(home), { code: "ENOENT" });
});
