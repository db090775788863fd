import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isNewEnough } from "../bin/node-version.js";
import { RECORD, describeSources } from "../bin/program.js";
import { main } from "../src/main.ts";
import { main as serve } from "../src/servers.ts";
import { runStill, startChild } from "./child.ts";
import { streams } from "./hosts/fixtures/streams.ts";

const BIN = fileURLToPath(new URL("../bin/stele.js", import.meta.url));
const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Prints what it was given and by whom it is run; ends as it is told. */
const PROGRAM = `export async function launch(argv) {
  console.log(JSON.stringify({ argv, version: process.version }));
  if (argv[0] === "wait") await new Promise((resolve) => setTimeout(resolve, 600_000));
  if (argv[0] === "kill") process.kill(process.pid, "SIGTERM"), await new Promise((resolve) => setTimeout(resolve, 600_000));
  return Number(argv[0] ?? 0);
}`;

type Entry = "src/launch.ts" | "dist/launch-built.js";

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
  for (const name of ["stele.js", "library.js", "node-version.js", "program.js", "package.json"])
    cpSync(join(BIN, "..", name), join(root, "bin", name));
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

test("help on a narrow terminal breaks rows between words, below their text", () => {
  const { bin, root } = pack();
  const rows =
    "  --project DIR  Work on this project instead of the current directory.\n  get  Read one item in full, short.\n";
  writeFileSync(join(root, "bin/help.txt"), rows);
  const shown = (columns: number) =>
    runStill("script", [
      "--quiet",
      "--command",
      `stty cols ${columns}; "${process.execPath}" "${bin}"`,
      "/dev/null",
    ]).output.replaceAll("\r", "");
  const broken = rows.replace(" directory", `\n${" ".repeat(17)}directory`);
  assert.deepEqual([shown(60), shown(80)], [broken, rows]);
});

test("--version reads the package, whatever the Node", () => {
  const { bin, old } = pack();
  assert.equal(run(["--require", old, bin, "--version"]).stdout, "9.8.7\n");
});

test("without stored help, the program itself shows it", () => {
  const { root, bin } = pack({ entry: "src/launch.ts" });
  rmSync(join(root, "bin/help.txt"));
  assert.match(run([bin, "--help"]).stdout, /"argv":\["--help"\]/);
});

test("a clone runs its build only while it corresponds to the sources", () => {
  const { root, bin } = pack({ entry: "src/launch.ts" });
  const built = "exports.launch = async () => (console.log('built'), 0);";
  mkdirSync(join(root, "dist"));
  writeFileSync(join(root, "dist/package.json"), '{ "type": "commonjs" }');
  writeFileSync(join(root, "dist/launch-built.js"), built);
  const record = () => writeFileSync(join(root, RECORD), describeSources(root));
  const runsBuild = () => run([bin, "0"]).stdout === "built\n";
  assert.equal(runsBuild(), false, "a build without a record may be half a build");
  record();
  assert.equal(runsBuild(), true);
  const changes: Record<string, () => void> = {
    "an edited file": () => writeFileSync(join(root, "src/launch.ts"), `${PROGRAM}\n`),
    "a new file": () => writeFileSync(join(root, "src/more.ts"), ""),
    "a file that has gone": () => rmSync(join(root, "src/more.ts")),
    "other packages": () => writeFileSync(join(root, "package-lock.json"), "{}"),
  };
  for (const [name, change] of Object.entries(changes)) {
    change();
    assert.equal(runsBuild(), false, name);
    record();
    assert.equal(runsBuild(), true, name);
  }
});

for (const entry of ["src/launch.ts", "dist/launch-built.js"] as const)
  test(`${entry} gets the arguments and gives the exit code`, () => {
    const ran = run([pack({ entry }).bin, "7", "--json"]);
    assert.equal(ran.status, 7);
    assert.deepEqual(JSON.parse(ran.stdout), { argv: ["7", "--json"], version: process.version });
    assert.equal(ran.stderr, "");
  });

const versions: [entry: Entry, version: string, runs: boolean][] = [
  ["dist/launch-built.js", "20.20.2", false],
  ["dist/launch-built.js", "22.13.0", false],
  ["dist/launch-built.js", "22.14.0", true],
  ["dist/launch-built.js", "23.5.0", false],
  ["dist/launch-built.js", "23.6.0", true],
  ["src/launch.ts", "22.17.1", false],
  ["src/launch.ts", "22.18.0", true],
  ["src/launch.ts", "23.5.0", false],
  ["src/launch.ts", "23.6.0", true],
  ["src/launch.ts", "24.0.0", true],
];
test("which Node runs what", () => {
  for (const [entry, version, runs] of versions)
    assert.equal(isNewEnough(version, { fromSource: entry === "src/launch.ts" }), runs, `${version} ${entry}`);
});

// Where the version is read and what it leads to.
for (const [entry, version, runs] of versions.filter(([, version]) => /^22\.1[47]/.test(version)))
  test(`Node ${version} ${runs ? "runs" : "does not run"} ${entry}`, () => {
    const { bin, old } = pack({ entry });
    const ran = run(["--require", old, bin, "0"], { PRETEND: version });
    assert.equal(ran.status, runs ? 0 : 1);
    if (!runs) assert.match(ran.stderr, new RegExp(`^stele: this is Node ${version}, [^\\n]*\\n$`));
  });

for (const under of ["pkg", "node_modules/stele"])
  test(`an old Node hands over to the one installed with us (${under})`, () => {
    const { root, bin, old } = pack({ entry: "dist/launch-built.js", node: process.execPath, under });
    const ran = run(["--require", old, bin, "3", "two words"]);
    assert.equal(ran.status, 3);
    assert.deepEqual(JSON.parse(ran.stdout).argv, ["3", "two words"]);
    assert.ok(root.endsWith(under));
  });

test("a Node beside us, in the folder of the project that depends on us, is found", () => {
  const { root, bin, old } = pack({ entry: "dist/launch-built.js", under: "node_modules/stele" });
  mkdirSync(join(root, "../node/bin"), { recursive: true });
  symlinkSync(process.execPath, join(root, "../node/bin/node"));
  assert.equal(run(["--require", old, bin, "5"]).status, 5);
});

test("a signal that ends the program ends us the same way", () => {
  const { bin, old } = pack({ entry: "dist/launch-built.js", node: process.execPath });
  const ran = run(["--require", old, bin, "kill"]);
  assert.deepEqual([ran.status, ran.signal], [null, "SIGTERM"]);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  test(`${signal} is passed on, and nothing is left running`, async () => {
    const { bin, old } = pack({ entry: "dist/launch-built.js", node: process.execPath });
    await using child = startChild(null, ["--require", old, bin, "wait"]);
    await child.spoke();
    child.kill(signal);
    // It ends only when the program, which shares the pipe, has gone too.
    const ended = await child.ended;
    assert.deepEqual([ended.code, ended.signal], [null, signal]);
  });

test("a Node beside us that is too old itself is tried once", () => {
  const { bin, old } = pack({ entry: "dist/launch-built.js", node: process.execPath });
  const ran = run([bin, "0"], { NODE_OPTIONS: `--require=${JSON.stringify(old)}` });
  assert.equal(ran.status, 1);
  assert.match(ran.stderr, SENTENCE);
});

test("an empty node package, as an install without scripts leaves it, gives the sentence", () => {
  const { bin, old } = pack({ entry: "src/launch.ts", node: "empty" });
  const ran = run(["--require", old, bin, "0"]);
  assert.equal(ran.status, 1);
  assert.match(ran.stderr, SENTENCE);
});

test("a file that cannot be run gives the sentence too", () => {
  const { root, bin, old } = pack({ entry: "dist/launch-built.js", node: "empty" });
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
  [["demo", "--help"], 0, /^Usage: stele demo \[--page /, /^$/],
  [["mcp", "--tools", "some"], 2, /^$/, /^stele: --tools must be one of default, full\.\n/],
  [["mcp", "--nonsense"], 2, /^$/, /--nonsense.*\nSee `stele mcp --help`\.\n$/],
  [["no-such-verb", "--json"], 2, /^\{"error":\{"code":"invalid_input",.*\}\}\n$/, /^$/],
];
for (const [argv, status, stdout, stderr] of mains)
  test(`the program: ${argv.join(" ")}`, async () => {
    const { io, out, err } = streams();
    assert.equal(await (argv[0] === "mcp" ? serve : main)(argv, io), status);
    assert.match(out(), stdout);
    assert.match(err(), stderr);
  });

test("the real program: a verb that is none", () => {
  const { status, stdout, stderr } = run([BIN, "no-such-verb"], { STELE_HOME: pack().root });
  assert.deepEqual([status, stdout], [2, ""]);
  assert.match(stderr, /^stele: There is no verb "no-such-verb"\.\n/);
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

const planted: [string, (compiled: string) => void][] = [
  ["that others can write to", (compiled) => (mkdirSync(compiled), chmodSync(compiled, 0o777))],
  ["that others can read", (compiled) => (mkdirSync(compiled), chmodSync(compiled, 0o755))],
  [
    "that is a link",
    (compiled) => (mkdirSync(`${compiled}-elsewhere`), symlinkSync(`${compiled}-elsewhere`, compiled)),
  ],
  ["that is a file", (compiled) => writeFileSync(compiled, "")],
];
for (const [name, plant] of planted)
  test(`compiled code is neither kept in nor taken from a folder ${name}`, () => {
    const { root } = pack();
    const [home, temporary] = ["home", "tmp"].map((folder) => join(root, folder)) as [string, string];
    for (const folder of [home, temporary]) mkdirSync(folder);
    plant(join(home, "compiled"));
    const found = listed(root);
    const ran = run([BIN, "demo", "--help"], { STELE_HOME: home, TMPDIR: temporary, NODE_COMPILE_CACHE: "" });
    assert.deepEqual([ran.status, ran.stderr], [0, ""]);
    assert.deepEqual(listed(root), found);
  });

test("the demo tells until when something held as the person's day", () => {
  const { status, stdout } = run([BIN, "demo"], { TZ: "Pacific/Kiritimati" });
  assert.equal(status, 0);
  assert.match(stdout, /^ +history: .* held until \d{4}-\d\d-\d\d$/m);
});

const LAUNCHERS: Record<string, readonly string[]> = {
  "bin/stele.js": [BIN],
  "src/launch.ts": [
    ...["--input-type=module", "--eval"],
    `import { launch } from ${JSON.stringify(new URL("../src/launch.ts", import.meta.url).href)};
      process.exit(await launch(process.argv.slice(1)));`,
  ],
};
for (const [name, launcher] of Object.entries(LAUNCHERS))
  test(`compiled code of ${name} is kept in a private folder of the data folder, never in the shared temporary one`, () => {
    const { root } = pack();
    const [home, temporary] = ["home", "tmp"].map((folder) => join(root, folder)) as [string, string];
    for (const folder of [home, temporary]) mkdirSync(folder);
    const env = { STELE_HOME: home, TMPDIR: temporary, NODE_COMPILE_CACHE: "" };
    assert.equal(run([...launcher, "list", "--project", root], env).status, 0);
    const compiled = join(home, "compiled");
    const found = ["", ...listed(compiled)];
    assert.ok(found.length > 1);
    for (const path of found) assert.equal(statSync(join(compiled, path)).mode & 0o077, 0, path);
    assert.deepEqual(readdirSync(temporary), []);
  });

const listed = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

/** What a program that imports the package prints: what `open` fails with. */
function opened(root: string, options: string[] = [], version = "24.0.0"): string {
  const program = `import { Failure, open } from ${JSON.stringify(pathToFileURL(join(root, "bin/library.js")).href)};
    await open().catch((thrown) => console.log(thrown instanceof Failure, thrown.message));`;
  const ran = run([...options, "--input-type=module", "--eval", program], { PRETEND: version });
  return ran.stdout + ran.stderr;
}

for (const [version, needed] of [
  ["20.20.2", "22.14"],
  ["23.5.0", "22.14"],
])
  test(`the library refuses Node ${version} in a sentence, before anything native is loaded`, () => {
    const { root, old } = pack();
    mkdirSync(join(root, "dist"));
    writeFileSync(join(root, "dist/program.js"), "process.abort();");
    assert.equal(
      opened(root, ["--require", old], version),
      `true Stele cannot run: this is Node ${version}, and Stele needs ${needed} or newer (not 23.0 to 23.5). Install it from https://nodejs.org.\n`,
    );
  });

test("the sources themselves refuse an old Node too", () => {
  const { old } = pack();
  const sources = join(BIN, "../..");
  assert.match(
    opened(sources, ["--require", old], "20.20.2"),
    /^true Stele cannot run: this is Node 20\.20\.2, [^\n]*\n$/,
  );
});

test("a clone whose packages are not installed says what to run when it is used as a library", () => {
  const { root } = pack();
  cpSync(join(BIN, "../../src"), join(root, "src"), { recursive: true });
  assert.equal(opened(root), "true Packages that Stele needs are not installed.\n");
});

test("a clone that was copied below node_modules needs a build, and uses it where there is one", () => {
  const { root } = pack({ under: "node_modules/stele" });
  cpSync(join(BIN, "../../src"), join(root, "src"), { recursive: true });
  assert.equal(opened(root), "true This clone of Stele is not built. Run `npm ci && npm run build` in its folder.\n");
  mkdirSync(join(root, "dist"));
  writeFileSync(join(root, "dist/package.json"), '{ "type": "commonjs" }');
  writeFileSync(
    join(root, "dist/program.js"),
    "exports.Failure = Error; exports.open = async () => { throw new Error('built'); };",
  );
  assert.equal(opened(root), "true built\n");
});
