#!/usr/bin/env node
/**
 * Entry point of `stele`: plain JavaScript that any Node can read.
 *
 * Help and version are answered without loading the program. A Node that is too old is replaced by the one installed
 * beside us, if any; it never reaches native code.
 */
"use strict";

const { existsSync, readFileSync, writeSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");
const { isNewEnough, tooOld } = require("./node-version.js");

const MARKER = "STELE_RERUN";
const UNAVAILABLE = 5;
const root = dirname(__dirname);
const argv = process.argv.slice(2);
// Digesting what hooks recorded needs the stores, so it is left to the program.
const isHook = argv[0] === "hook" && argv[1] !== "digest" && !argv.includes("--help") && !argv.includes("-h");
const only = argv.length <= 1 ? (argv[0] ?? "--help") : "";

if (["--help", "-h", "help"].includes(only) && existsSync(join(root, "bin", "help.txt"))) {
  print(fitted(readFileSync(join(root, "bin", "help.txt"), "utf8")));
} else if (["--version", "-v"].includes(only)) {
  print(`${JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version}\n`);
} else {
  // Only a clone has sources; a package need not even load the check of its build.
  const fromSource = existsSync(join(root, "src")) && require("./program.js").runsFromSource(root);
  if (isNewEnough(process.versions.node, { fromSource })) void (isHook ? hook(fromSource) : start(fromSource));
  else rerun(fromSource);
}

/** Sources are ES modules; the build is CommonJS, which starts faster. */
async function launcher(fromSource) {
  if (!fromSource) return require(join(root, "dist", "launch-built.js"));
  return import(require("node:url").pathToFileURL(join(root, "src", "launch.ts")).href);
}

async function start(fromSource) {
  let launch;
  try {
    ({ launch } = await launcher(fromSource));
  } catch (error) {
    return unready(error);
  }
  process.exit(await launch(argv).catch(unready));
}

/** A hook never fails: its host would show that to the agent. */
async function hook(fromSource) {
  try {
    const { launchHook } = await launcher(fromSource);
    await launchHook(argv);
  } finally {
    process.exit(0);
  }
}

/** A clone without its packages, or copied without a build, reports what to run. */
function unready(error) {
  const codes = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING"];
  if (!codes.includes(error.code)) throw error;
  process.stderr.write(`stele: not ready to run; run \`npm ci && npm run build\` in ${root}.\n`);
  return (process.exitCode = 1);
}

function rerun(fromSource) {
  const { spawn, spawnSync } = require("node:child_process");
  const isUsable = (path) => {
    const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
    return isNewEnough((stdout ?? "").trim().slice(1), { fromSource });
  };
  const node = process.env[MARKER] ? undefined : nodesBesideUs().find(isUsable);
  const refuse = () => {
    const sentence = `${tooOld({ fromSource })}; install it from https://nodejs.org and run stele again.`;
    process.stderr.write(`stele: ${sentence}\n`);
    process.exitCode = isHook ? 0 : 1;
  };
  if (node === undefined) return refuse();
  const child = spawn(node, [__filename, ...argv], {
    stdio: "inherit",
    env: { ...process.env, [MARKER]: "1" },
  });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) {
    process.on(signal, () => {
      // Ctrl-C at a terminal already reaches the whole group; a second signal would interrupt an orderly shutdown.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once("error", refuse);
  child.once("exit", (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = isHook ? 0 : (code ?? 1);
  });
}

/**
 * The `node` package installed with us, or with the project that depends on us; without install scripts it is empty.
 */
function nodesBesideUs() {
  const folders = [join(root, "node_modules")];
  if (basename(dirname(root)) === "node_modules") folders.push(dirname(root));
  const name = process.platform === "win32" ? "node.exe" : "node";
  return folders.map((folder) => join(folder, "node", "bin", name)).filter((path) => existsSync(path));
}

/** Help as wide as a narrow terminal: words that do not fit go below the text of their row. */
function fitted(text) {
  const width = require("node:tty").isatty(1) ? process.stdout.columns : undefined;
  if (!(width >= 40 && width < 80)) return text;
  const wrapped = (line) => {
    const indent = " ".repeat(/^ *(?:\S+(?: \S+)* {2,})?/.exec(line)[0].length);
    const rows = [line];
    for (let row = line; row.length > width; row = rows.at(-1)) {
      const end = row.lastIndexOf(" ", width);
      if (end <= indent.length) break;
      rows.splice(-1, 1, row.slice(0, end), indent + row.slice(end + 1));
    }
    return rows.join("\n");
  };
  return text.split("\n").map(wrapped).join("\n");
}

/** Written straight to the descriptor: setting up the stream would take longer than everything else here. */
function print(text) {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    // A reader that closes early (`stele --help | head -1`) is not an error; a slow one gets the rest later.
    if (error.code === "EAGAIN") process.stdout.write(rest);
    else if (error.code !== "EPIPE") {
      process.stderr.write(`stele: the output cannot be written (${error.code}).\n`);
      process.exitCode = UNAVAILABLE;
    }
  }
}
