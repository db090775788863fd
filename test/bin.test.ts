import assert from "node:assert/strict";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runStill, startChild } from "./child.ts";

const BIN = fileURLToPath(new URL("../bin/stele.js", import.meta.url));
const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Prints what it was given and by whom it is run; ends as it is told. */
const PROGRAM = `export async function main(argv) {
  console.log(JSON.stringify({ argv, version: process.version }));
  if (argv[0] === "wait") await new Promise((resolve) => setTimeout(resolve, 600_000));
  if (argv[0] === "kill") process.kill(process.pid, "SIGTERM"), await new Promise((resolve) => setTimeout(resolve, 600_000));
  return Number(argv[0] ?? 0);
}`;

type Entry = "src/main.ts" | "dist/main.js";

/** A package with the real bin; `entry` is a stand-in for the program. */
function pack(files: { entry?: Entry; node?: string | "empty"; under?: string } = {}): {
  root: string;
  bin: string;
  old: string;
} {
  const top = mkdtempSync(join(tmpdir(), "stele-bin-"));
  folders.push(top);
  const root = join(top, files.under ?? "pkg");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write("package.json", JSON.stringify({ type: "module", version: "9.8.7" }));
  write("bin/help.txt", "the stored help\n");
  cpSync(BIN, join(root, "bin/stele.js"));
  if (files.entry) write(files.entry, PROGRAM);
  if (files.node) write("node_modules/node/package.json", "{}");
  if (files.node && files.node !== "empty") {
    mkdirSync(join(root, "node_modules/node/bin"));
    symlinkSync(files.node, join(root, "node_modules/node/bin/node"));
  }
  const old = join(top, "old.cjs");
  writeFileSync(old, 'Object.defineProperty(process.versions, "node", { value: process.env.PRETEND ?? "20.20.2" });');
  return { root, bin: join(root, "bin/stele.js"), old };
}

function run(args: string[], env: Record<string, string> = {}) {
  const { STELE_RERUN: _marker, NODE_OPTIONS: _options, ...own } = process.env;
  const { code, signal, output, errors } = runStill(process.execPath, args, { ...own, ...env });
  return { status: code, signal, stdout: output, stderr: errors };
}

const SENTENCE = /^stele: this is Node 20\.20\.2, and Stele needs 22\.1[48] or newer[^\n]*\n$/;

for (const argument of ["--help", "-h", "help", undefined])
  test(`${argument ?? "no argument"} prints the stored help and loads no program`, () => {
    const { bin } = pack();
    const ran = run([bin, ...(argument ? [argument] : [])]);
    assert.deepEqual(ran, { status: 0, signal: null, stdout: "the stored help\n", stderr: "" });
  });

test("--version reads the package, whatever the Node", () => {
  const { bin, old } = pack();
  assert.equal(run(["--require", old, bin, "--version"]).stdout, "9.8.7\n");
});

test("without stored help, the program itself shows it", () => {
  const { root, bin } = pack({ entry: "src/main.ts" });
  rmSync(join(root, "bin/help.txt"));
  assert.match(run([bin, "--help"]).stdout, /"argv":\["--help"\]/);
});

for (const entry of ["src/main.ts", "dist/main.js"] as const)
  test(`${entry} gets the arguments and gives the exit code`, () => {
    const ran = run([pack({ entry }).bin, "7", "--json"]);
    assert.equal(ran.status, 7);
    assert.deepEqual(JSON.parse(ran.stdout), { argv: ["7", "--json"], version: process.version });
    assert.equal(ran.stderr, "");
  });

const versions: [entry: Entry, version: string, runs: boolean][] = [
  ["dist/main.js", "20.20.2", false],
  ["dist/main.js", "22.13.0", false],
  ["dist/main.js", "22.14.0", true],
  ["dist/main.js", "23.5.0", false],
  ["dist/main.js", "23.6.0", true],
  ["src/main.ts", "22.17.1", false],
  ["src/main.ts", "22.18.0", true],
  ["src/main.ts", "23.5.0", false],
  ["src/main.ts", "23.6.0", true],
  ["src/main.ts", "24.0.0", true],
];
for (const [entry, version, runs] of versions)
  test(`Node ${version} ${runs ? "runs" : "does not run"} ${entry}`, () => {
    const { bin, old } = pack({ entry });
    const ran = run(["--require", old, bin, "0"], { PRETEND: version });
    assert.equal(ran.status, runs ? 0 : 1);
    if (!runs) assert.match(ran.stderr, new RegExp(`^stele: this is Node ${version}, [^\\n]*\\n$`));
  });

for (const under of ["pkg", "node_modules/stele"])
  test(`an old Node hands over to the one installed with us (${under})`, () => {
    const { root, bin, old } = pack({ entry: "dist/main.js", node: process.execPath, under });
    const ran = run(["--require", old, bin, "3", "two words"]);
    assert.equal(ran.status, 3);
    assert.deepEqual(JSON.parse(ran.stdout).argv, ["3", "two words"]);
    assert.ok(root.endsWith(under));
  });

test("a Node beside us, in the folder of the project that depends on us, is found", () => {
  const { root, bin, old } = pack({ entry: "dist/main.js", under: "node_modules/stele" });
  mkdirSync(join(root, "../node/bin"), { recursive: true });
  symlinkSync(process.execPath, join(root, "../node/bin/node"));
  assert.equal(run(["--require", old, bin, "5"]).status, 5);
});

test("a signal that ends the program ends us the same way", () => {
  const { bin, old } = pack({ entry: "dist/main.js", node: process.execPath });
  const ran = run(["--require", old, bin, "kill"]);
  assert.deepEqual([ran.status, ran.signal], [null, "SIGTERM"]);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  test(`${signal} is passed on, and nothing is left running`, async () => {
    const { bin, old } = pack({ entry: "dist/main.js", node: process.execPath });
    await using child = startChild(null, ["--require", old, bin, "wait"]);
    await child.spoke();
    child.kill(signal);
    // It ends only when the program, which shares the pipe, has gone too.
    const ended = await child.ended;
    assert.deepEqual([ended.code, ended.signal], [null, signal]);
  });

test("a Node beside us that is too old itself is tried once", () => {
  const { bin, old } = pack({ entry: "dist/main.js", node: process.execPath });
  const ran = run([bin, "0"], { NODE_OPTIONS: `--require=${old}` });
  assert.equal(ran.status, 1);
  assert.match(ran.stderr, SENTENCE);
});

test("an empty node package, as an install without scripts leaves it, gives the sentence", () => {
  const { bin, old } = pack({ entry: "src/main.ts", node: "empty" });
  const ran = run(["--require", old, bin, "0"]);
  assert.equal(ran.status, 1);
  assert.match(ran.stderr, SENTENCE);
});

test("a file that cannot be run gives the sentence too", () => {
  const { root, bin, old } = pack({ entry: "dist/main.js", node: "empty" });
  const broken = join(root, "node_modules/node/bin/node");
  mkdirSync(dirname(broken));
  writeFileSync(broken, "\u0000\u0001no program");
  chmodSync(broken, 0o755);
  const ran = run(["--require", old, bin, "0"]);
  assert.equal(ran.status, 1);
  assert.match(ran.stderr, SENTENCE);
});

const mains: [argv: string[], status: number, stdout: RegExp, stderr: RegExp][] = [
  [["mcp", "--help"], 0, /^Usage: stele mcp /, /^$/],
  [["demo", "--help"], 0, /^Usage: stele demo\n/, /^$/],
  [["mcp", "--tools", "some"], 2, /^$/, /^stele: --tools: must be one of default, full\n/],
  [["mcp", "--nonsense"], 2, /^$/, /--nonsense.*\nSee `stele mcp --help`\.\n$/],
  [["no-such-verb"], 2, /^$/, /^stele: There is no verb "no-such-verb"\n/],
  [["no-such-verb", "--json"], 2, /^\{"error":\{"code":"invalid_input",.*\}\}\n$/, /^$/],
];
for (const [argv, status, stdout, stderr] of mains)
  test(`the real program: ${argv.join(" ")}`, () => {
    const ran = run([BIN, ...argv], { STELE_HOME: pack().root });
    assert.equal(ran.status, status);
    assert.match(ran.stdout, stdout);
    assert.match(ran.stderr, stderr);
  });

test("the real program: a recall that did not wait for the model ends well", () => {
  const { root } = pack();
  const ran = run([BIN, "recall", "anything", "--json", "--project", root], {
    STELE_HOME: join(root, "home"),
    STELE_EMBEDDER: "minilm",
    STELE_RECALL_MODEL_WAIT_MS: "1",
  });
  assert.deepEqual([ran.status, ran.stderr], [0, ""]);
  assert.deepEqual(JSON.parse(ran.stdout).hits, []);
});
