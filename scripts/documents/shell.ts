/**
 * Runs the scripts of a document in bash, as a person would who follows it.
 *
 * They have a home, a folder for global packages and a port of their own, and images and volumes of other names, so that
 * nothing of the person who runs this is touched. Packages come from npm's cache where it has them.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { freePort } from "../../test/http/free-port.ts";
import type { Ended } from "./run-command.ts";
import { type StandIn, standInServer } from "./stand-in-server.ts";
import type { Script } from "./steps.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const STRICT = "set -euo pipefail\n";
/** A command that goes on, and that somebody ends at last. */
const GOES_ON = /# .*until Ctrl-C$/;
/** What is said of servers in the documents. */
const SERVER = "127.0.0.1:7835";
const DATABASE = "127.0.0.1:54321";
const NOT_COPIED = [".git", "node_modules", "dist"];
const STARTED_MS = 60_000;
/** A script that waits for somebody who never comes is ended. */
const SCRIPT_MS = 10 * 60_000;
const LOOKED_AGAIN_MS = 50;
const REASON_CHARACTERS = 120;

/** Why a script is not run, or null; and whether those after it depend on it. There are no other reasons. */
export function reasonNotToRun(script: string): { reason: string; isForRest: boolean } | null {
  if (script === "npm ci && npm test")
    return { reason: "it would run all tests within a test; `.ci/run` runs both commands", isForRest: false };
  const fault = /^docker (?!compose )/m.test(script) ? engineFault(ownImage()) : null;
  return fault === null ? null : { reason: fault, isForRest: true };
}

/** Why another server stands in for the one that a script starts; null if it starts none, or can. */
export const reasonForStandIn = (script: string): string | null =>
  /^docker compose up /m.test(script) ? engineFault(/^ *image: (\S+)/m.exec(script)?.[1] ?? ownImage()) : null;

export interface Shell {
  /** What a script exports, later ones have, too. */
  run(step: Pick<Script, "script" | "isInClone" | "typed">): Promise<Ended>;
  /** Ends what still runs, as Ctrl-C does; what did not end well. */
  end(): Promise<string[]>;
}

interface Running {
  line: string;
  child: ChildProcess;
  printed: () => string;
  ended: Promise<unknown[]>;
}

/** A home is the person's; all else that scripts need is made in the folder. */
export async function openShell(folder: string, home: string): Promise<Shell> {
  const [tools, packages, clone] = ["tools", "packages", "stele"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const [port, databasePort, exported] = [await freePort(), await freePort(), join(folder, "exported")];
  let standIn: StandIn | null = null;
  const env = {
    ...process.env,
    HOME: home,
    PATH: [join(packages, "bin"), tools, process.env["PATH"]].join(":"),
    // Some programs leave things there.
    TMPDIR: join(folder, "temporary"),
    // An editor that is done at once.
    EDITOR: "sed -i s/VPN/tunnel/",
    npm_config_prefix: packages,
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
  };
  makeTools(tools);
  mkdirSync(env.TMPDIR);
  const running: Running[] = [];
  let isCloned = false;
  const placeOf = ({ isInClone }: Pick<Script, "isInClone">): string => {
    if (!isInClone) return process.cwd();
    if (!isCloned) cpSync(ROOT, clone, { recursive: true, filter: (path) => !NOT_COPIED.includes(basename(path)) });
    isCloned = true;
    return clone;
  };
  return {
    async run(step) {
      const cwd = placeOf(step);
      if (reasonForStandIn(step.script) !== null) {
        await standIn?.end();
        standIn = await standInServer();
        makeTool(tools, "docker", standIn.command);
      }
      const database = `127.0.0.1:${standIn?.port ?? databasePort}`;
      const asShown = ({ code, output }: Ended): Ended => ({ code, output: output.replaceAll(database, DATABASE) });
      let output = "";
      for (const part of partsOf(inThisRun(step.script, port).replaceAll(DATABASE, database))) {
        if (GOES_ON.test(part)) {
          running.push(await startBeside(part, { cwd, env }));
          continue;
        }
        const ended = await runPart(part, step.typed, { cwd, env, exported });
        output += ended.output;
        if (ended.code !== 0)
          return asShown({ code: ended.code, output: output + running.map(({ printed }) => printed()) });
      }
      return asShown({ code: 0, output });
    },
    async end() {
      const faults = await Promise.all(running.map(endOne));
      await standIn?.end();
      if (isCloned) spawnSync("docker", ["image", "rm", "--force", OWN_NAME], { env, stdio: "ignore" });
      if (isCloned) spawnSync("docker", ["volume", "rm", "--force", OWN_NAME], { env, stdio: "ignore" });
      return faults.filter((fault) => fault !== null);
    },
  };
}

interface Where {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** The parts of a script before, after and between commands that go on running. */
function partsOf(script: string): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  for (const line of script.split("\n")) {
    if (!GOES_ON.test(line)) part.push(line);
    else {
      parts.push(part.join("\n"), line);
      part = [];
    }
  }
  return [...parts, part.join("\n")].filter((one) => one.trim() !== "");
}

async function runPart(
  script: string,
  typed: readonly string[],
  { cwd, env, exported }: Where & { exported: string },
): Promise<Ended> {
  const file = quoted([exported]);
  const whole = `${STRICT}if [ -f ${file} ]; then . ${file}; fi\n${script}\nexport -p > ${file}`;
  // Without somebody who types there is no terminal either.
  const shell = ["bash", "-c", whole];
  const [command, ...args] = typed.length === 0 ? shell : ["script", "--quiet", "--return", "--command", quoted(shell)];
  const child = spawn(command!, typed.length === 0 ? args : [...args, "/dev/null"], { cwd, env, detached: true });
  const limit = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), SCRIPT_MS);
  child.stdin.on("error", () => undefined);
  child.stdin.end(typed.map((line) => `${line}\n`).join(""));
  const [[code], output, errors] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  clearTimeout(limit);
  return { code: (code as number | null) ?? 1, output: output + errors };
}

const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");

/** Starts a command that goes on, and waits until it says that it is there. */
async function startBeside(line: string, { cwd, env }: Where): Promise<Running> {
  const child = spawn("bash", ["-c", `exec ${line}`], { cwd, env, detached: true });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, "close");
  for (let waited = 0; printed === "" && child.exitCode === null; waited += LOOKED_AGAIN_MS) {
    if (waited > STARTED_MS) throw new Error(`${line} printed nothing`);
    await new Promise((done) => setTimeout(done, LOOKED_AGAIN_MS));
  }
  return { line, child, printed: () => printed, ended };
}

async function endOne({ line, child, printed, ended }: Running): Promise<string | null> {
  if (child.exitCode === null) process.kill(-child.pid!, "SIGINT");
  await ended;
  return child.exitCode === 0 ? null : `${line} ended with ${child.exitCode ?? child.signalCode}: ${printed()}`;
}

const OWN_NAME = `stele-documents-${process.pid}`;

/** The script with a port and names of this run in place of those that a person would use. */
function inThisRun(script: string, port: number): string {
  const commands = script.replaceAll(SERVER, `127.0.0.1:${port}`).split(/(?<!\\)\n/);
  return commands
    .map((command) => {
      if (/^docker (?!compose )/.test(command)) {
        const named = command.replace(/(?<=\s)stele(?=\s|:|$)/g, OWN_NAME);
        return named.replace(/(?<=:)7835\b/g, String(port)).replace(/ serve\b/, ` serve --port ${port}`);
      }
      return command.replace(/^stele serve(?= .*until Ctrl-C$)/, `stele serve --port ${port}`);
    })
    .join("\n");
}

/** `stele` as it would be after it was installed, and `docker` where another engine understands the same words. */
function makeTools(folder: string): void {
  mkdirSync(folder, { recursive: true });
  makeTool(folder, "stele", [process.execPath, join(ROOT, "bin/stele.js")]);
  if (engine() === "podman") makeTool(folder, "docker", ["podman"]);
}

function makeTool(folder: string, name: string, command: readonly string[]): void {
  writeFileSync(join(folder, name), `#!/bin/sh\nexec ${quoted(command)} "$@"\n`);
  chmodSync(join(folder, name), 0o755);
}

const engine = (): string | undefined =>
  ["docker", "podman"].find((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0);

/** The image that ours is built on. */
const ownImage = (): string => /^FROM (\S+)/m.exec(readFileSync(join(ROOT, "Dockerfile"), "utf8"))![1]!;

/** Tests download nothing, so an image must be here already. */
function engineFault(image: string): string | null {
  const known = knownFaults.get(image);
  if (known !== undefined) return known;
  const fault = faultOfEngine(image);
  knownFaults.set(image, fault);
  return fault;
}
const knownFaults = new Map<string, string | null>();

function faultOfEngine(image: string): string | null {
  const found = engine();
  if (found === undefined) return "there is neither docker nor podman here";
  const { status, stderr } = spawnSync(found, ["run", "--rm", "--pull=never", image, "true"], { encoding: "utf8" });
  return status === 0
    ? null
    : `${found} cannot run ${image} here: ${stderr.trim().split("\n").at(-1)!.slice(0, REASON_CHARACTERS)}`;
}
