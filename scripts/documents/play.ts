/**
 * Takes the steps of one document, given as JSON on standard input, and prints what came of each as JSON.
 *
 * A program of its own, because a command acts on the folder and the environment of its process. Commands of Stele run
 * here, at a terminal whose person types what the document shows after a question; everything else runs in a shell.
 */
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { loadConfig } from "../../src/app/config.ts";
import { playExamples } from "./examples.ts";
import { asInDocument, differenceOf, guessHandles, type Handles, inThisRun } from "./same-output.ts";
import { type Shell, openShell, reasonForStandIn, reasonNotToRun } from "./shell.ts";
import type { Command, Step } from "./steps.ts";
import { runCommand } from "./run-command.ts";

export interface Played {
  step: Step;
  /** What it printed, with the handles of the document. */
  output: string;
  difference: string | null;
  /** Why it was not run, if it was not. */
  notRun?: string;
  /** Why a packaged server took the place of one that it starts, if so. */
  standIn?: string;
}

export interface Play {
  steps: Step[];
  folder: string;
  /** Scripts are lists of examples, each of which begins in the same place. */
  isOfExamples: boolean;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What a person types after a question: the rest of its line in the document. */
const TYPED = /^(?:.*\[(?:y\/N|Y\/n|[^\]]*)\]:?|Number or name:) (.+)$/gm;

/** One empty project and home, and what happens there. */
interface Scene {
  shell: Shell;
  handles: Handles;
  /** Why no script can be run any more, if so. */
  missing?: string;
}

async function play({ steps, folder, isOfExamples }: Play): Promise<Played[]> {
  const played: Played[] = [];
  const scenes: Scene[] = [];
  for (const step of steps) {
    if (step.isFirst) scenes.push(await beginAfresh(mkdtempSync(join(folder, "run-"))));
    const scene = scenes.at(-1)!;
    if (isOfExamples && step.kind === "script") played.push(...(await playExamples(step, folder, scene.shell)));
    else played.push(await take(step, scene));
    // What follows a script depends on it, and may wait for it in vain.
    if (!isOfExamples && step.kind === "script" && played.at(-1)!.difference !== null) break;
  }
  const faults = await Promise.all(scenes.map(({ shell }) => shell.end()));
  played.push(
    ...faults.flat().map((fault) => ({ step: steps.at(-1)!, output: fault, difference: "did not end well" })),
  );
  return played;
}

async function take(step: Step, scene: Scene): Promise<Played> {
  const { shell, handles } = scene;
  const well = { step, output: "", difference: null };
  switch (step.kind) {
    case "file":
      writeFileSync(madePath(step.path), step.text);
      return well;
    case "database":
      makeDatabase(step);
      return well;
    case "settings":
      return { ...well, difference: settingsFault(step.text) };
    case "script": {
      const { reason = null, isForRest = false } = reasonNotToRun(step.script) ?? {};
      if (isForRest && reason !== null) scene.missing = reason;
      const notRun = scene.missing ?? reason;
      if (notRun !== null) return { ...well, notRun };
      const standIn = reasonForStandIn(step.script);
      const { code, output } = await shell.run({ ...step, script: inThisRun(step.script, handles) });
      const difference = code === 0 ? null : `ended with ${code}`;
      return { ...well, output, difference, ...(standIn !== null && { standIn }) };
    }
    case "command":
      return takeCommand(step, shell, handles);
  }
}

async function takeCommand(step: Command, shell: Shell, handles: Handles): Promise<Played> {
  const answers = [...(step.expected ?? "").matchAll(TYPED)].map(([, typed]) => typed!)[Symbol.iterator]();
  const { code, output: printed } = await runCommand(
    inThisRun(step.command, handles),
    () => answers.next().value,
    shell,
  );
  const output = withPlainPaths(printed);
  if (step.expected === null)
    return { step, output, difference: code === 0 ? null : `ended with ${code}, and the rest depends on it` };
  const difference = differenceOf(step.expected, output, handles);
  if (difference !== null) guessHandles(step.expected, output, handles);
  return { step, output: asInDocument(output, handles), difference };
}

async function beginAfresh(folder: string): Promise<Scene> {
  const project = join(folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(project, "node_modules"));
  symlinkSync(ROOT, join(project, "node_modules", "stele"), "dir");
  process.chdir(project);
  // The data folder is the default one, as in the documents: another would be written into the files of hosts.
  const home = join(folder, "person");
  mkdirSync(home);
  Object.assign(process.env, { HOME: home, USERPROFILE: home, LOCALAPPDATA: join(home, "AppData", "Local") });
  return { shell: await openShell(folder, home), handles: new Map() };
}

/** A path of the project or, with `~/`, of the person's home; its folder is made. */
function madePath(path: string): string {
  const whole = path.startsWith("~/") ? join(process.env["HOME"]!, path.slice(2)) : resolve(path);
  mkdirSync(dirname(whole), { recursive: true });
  return whole;
}

function makeDatabase({ path, source }: { path: string; source: string }): void {
  const db = new Sqlite(madePath(path));
  db.exec(readFileSync(join(ROOT, source), "utf8"));
  db.close();
}

/** Each line is a settings file of its own. */
function settingsFault(lines: string): string | null {
  for (const line of lines.split("\n")) {
    const home = mkdtempSync(join(process.env["HOME"]!, "settings-"));
    writeFileSync(join(home, "config.json"), line);
    try {
      loadConfig({ home });
    } catch (thrown) {
      return (thrown as Error).message;
    }
  }
  return null;
}

/** Where things would be if Stele were installed for a person whose folder is /home/you. */
const withPlainPaths = (output: string): string =>
  output
    .replaceAll(process.env["HOME"]!, "/home/you")
    .replaceAll(process.execPath, "/usr/local/bin/node")
    .replaceAll(join(ROOT, "bin/"), "/usr/local/lib/node_modules/stele/bin/");

// It was for loading this program; a person has none.
delete process.env["NODE_COMPILE_CACHE"];
// Every command waits for Ctrl-C once.
process.setMaxListeners(0);
process.stdout.write(JSON.stringify(await play(JSON.parse(await text(process.stdin)) as Play)));
