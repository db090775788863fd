/**
 * Runs every command that the documents show and compares what it prints: `npm run docs:run`.
 *
 * `--write` puts what was printed into the documents. Names of documents after it limit the run to them.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Play, Played } from "./documents/play.ts";
import { type Step, stepsIn, withOutputs } from "./documents/steps.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PLAYER = fileURLToPath(new URL("./documents/play.ts", import.meta.url));

/** The documents whose commands are run: the README and the guides. */
async function documentNames(): Promise<string[]> {
  const guides = (await readdir(join(ROOT, "docs")))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
  return ["README.md", "SECURITY.md", ...guides.sort()];
}

/** Where the documents of a run keep the built model: each home would build one of its own, which takes longer than most commands. */
const makeModelsFolder = (): string => mkdtempSync(join(tmpdir(), "stele-documents-models-"));

/** Runs the commands of a document in a folder of their own. */
async function playDocument(name: string, models: string): Promise<{ document: string; played: Played[] }> {
  const document = await readFile(join(ROOT, name), "utf8");
  const steps = stepsIn(document);
  if (steps.length === 0) return { document, played: [] };
  const folder = mkdtempSync(join(tmpdir(), "stele-documents-"));
  try {
    // The player needs no compiler for what was compiled before.
    const env = {
      ...quietEnvironment(folder),
      STELE_MODELS: models,
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    };
    const child = spawn(process.execPath, [PLAYER], { cwd: folder, env });
    const play: Play = { steps, folder, isOfExamples: name === "docs/operations.md" };
    child.stdin.end(JSON.stringify(play));
    const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    if (printed === "") throw new Error(`${name} could not be run: ${errors}`);
    return { document, played: JSON.parse(printed) as Played[] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where npm keeps packages and finds the registry, which it would look for in the home and the prefix of a run. */
function askNpm(): Record<string, string> {
  const names = ["cache", "userconfig", "globalconfig"];
  const { stdout } = spawnSync("npm", ["config", "get", ...names], { encoding: "utf8", cwd: ROOT });
  return Object.fromEntries(
    stdout
      .match(/^(?:cache|userconfig|globalconfig)=.+$/gm)!
      .map((line) => [`npm_config_${line.slice(0, line.indexOf("="))}`, line.slice(line.indexOf("=") + 1)]),
  );
}

/** The same for all documents, and npm takes half a second to answer. */
let npmSettings: Record<string, string> | undefined;

/** A person's terminal, with no setting of whoever runs this, and time enough on a machine that is busy. */
const quietEnvironment = (folder: string): Record<string, string> => ({
  ...(npmSettings ??= askNpm()),
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  TMPDIR: tmpdir(),
  NO_COLOR: "1",
  TZ: "UTC",
  STELE_RECALL_MODEL_WAIT_MS: "60000",
  STELE_INDEX_WAIT_MS: "60000",
  STELE_REMEMBER_COMPARE_MS: "60000",
});

/** What a step of a document is called where something is said about it. */
const nameOf = (step: Step): string => ("command" in step ? step.command : "script" in step ? step.script : step.kind);
const differenceLine = ({ step, output, difference }: Played): string =>
  `line ${step.startLine}: ${nameOf(step)}: ${difference}\n${output}`;
const standInLine = ({ step, standIn }: Played): string =>
  `  a packaged Postgres stood in, line ${step.startLine + 1}: ${standIn}`;
const notRunLine = ({ step, notRun }: Played): string =>
  `  not run, line ${step.startLine + 1}: ${nameOf(step).split("\n")[0]}: ${notRun}`;

/** Most of the time of one goes by waiting for its processes. */
const AT_ONCE = 2;

async function main(): Promise<void> {
  const [options, named] = [process.argv.slice(2), process.argv.slice(2).filter((word) => !word.startsWith("-"))];
  const models = makeModelsFolder();
  process.once("exit", () => rmSync(models, { recursive: true, force: true }));
  const waiting = named.length > 0 ? named : await documentNames();
  let differing = 0;
  const playWaiting = async (): Promise<void> => {
    for (let name = waiting.shift(); name; name = waiting.shift())
      differing += await report(name, { models, isWritten: options.includes("--write") });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playWaiting));
  process.exitCode = differing > 0 ? 1 : 0;
}

/** Prints what became of the steps of a document; how many printed something else. */
async function report(name: string, { models, isWritten }: { models: string; isWritten: boolean }): Promise<number> {
  const { document, played } = await playDocument(name, models);
  const different = played.filter(({ difference }) => difference !== null);
  const notRun = played.filter((one) => one.notRun !== undefined);
  const lines = [
    `${name}: ${played.length - notRun.length} steps, ${different.length} differ`,
    ...notRun.map(notRunLine),
    ...played.filter(({ standIn }) => standIn !== undefined).map(standInLine),
    ...different.map((one) => `  ${differenceLine(one).replaceAll("\n", "\n    ")}`),
  ];
  console.log(lines.join("\n"));
  if (isWritten) await writeFile(join(ROOT, name), withOutputs(document, different));
  return different.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
