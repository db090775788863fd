/** Places to run hosts in: each a user of its own, so that nothing of this machine's configuration is read or written. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const STELE = join(ROOT, "bin", "stele.js");
const ATTEMPTS = 75;
const LIMIT_MS = 180_000;

export interface Place {
  home: string;
  project: string;
  /** The data folder that the person's shell names, and hosts are started without. */
  data: string;
  /** First on the path. */
  bin: string;
  /** As a host is started. */
  run(command: string, ...args: string[]): Promise<string>;
  /** As the person runs it. */
  stele(...args: string[]): Promise<string>;
  /** What a hook says to this input. */
  hook(input: string): Promise<string>;
}

/** `lab`: the folder of all places; `hosts`: where hosts are installed. */
export function newPlace(
  name: string,
  { lab, hosts }: { lab: string; hosts: string },
  variables: Record<string, string> = {},
): Place {
  const home = join(lab, name);
  const [project, bin, data] = [join(home, "project"), join(home, "bin"), join(home, "own memory")];
  for (const folder of [project, bin]) mkdirSync(folder, { recursive: true });
  const path = [bin, join(hosts, "node_modules", ".bin"), process.env["PATH"] ?? ""].join(delimiter);
  // A busy machine takes its time, and this is no test of speed.
  const env = {
    PATH: path,
    HOME: home,
    PWD: project,
    STELE_CONTEXT_START_MS: "9000",
    STELE_CONTEXT_PROMPT_MS: "9000",
    ...variables,
  };
  const own = { ...env, STELE_HOME: data };
  return {
    home,
    project,
    bin,
    data,
    run: (command, ...args) => spawned(command, args, { env, cwd: project }),
    stele: (...args) => spawned(process.execPath, [STELE, ...args], { env: own, cwd: project }),
    hook: (input) => spawned(process.execPath, [STELE, "hook"], { env: own, cwd: project }, input),
  };
}

export async function spawned(
  command: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd: string },
  input = "",
): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "pipe"], timeout: LIMIT_MS });
  child.stdin.end(input);
  const [output, errors, code] = await Promise.all([
    ...[child.stdout, child.stderr].map((stream) => text(stream)),
    new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve)),
  ]);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}\n${errors}`);
  return `${output}${errors}`;
}

export async function retried(work: () => Promise<unknown>): Promise<void> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return void (await work());
    } catch (thrown) {
      if (left === 0) throw thrown;
      await setTimeout(1_000);
    }
  }
}
