/**
 * The one way in which tests start processes. None is waited for in vain, and none stays behind.
 *
 * `await using child = startChild(…)` ends a child with the block that started it; whatever is left ends with this
 * process. A child that cannot start, or ends before it was heard of, fails the test that waits for it.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
  errors: string;
}

export interface Child extends AsyncDisposable {
  process: ChildProcessWithoutNullStreams;
  ended: Promise<Ended>;
  /** Waits for the first thing it prints. */
  spoke(): Promise<void>;
  kill(signal?: NodeJS.Signals): void;
}

export interface ChildOptions {
  /** A command that runs the command after it, such as a shell that sets a limit first. */
  wrapper?: readonly string[];
  cwd?: string;
  /** The environment of this process unless told otherwise. */
  env?: Record<string, string | undefined>;
  /** What it reads; nothing unless told otherwise. Null leaves its input open. */
  input?: string | null;
}

const STILL_LIMIT_MS = 240_000;
const running = new Set<Child>();
process.once("exit", () => running.forEach((child) => child.kill()));

/** Runs a script as Node runs this one: a file, or options of Node as the first of the arguments. */
export function startChild(script: URL | null, args: readonly (string | number)[], options: ChildOptions = {}): Child {
  const scripts = script === null ? [] : [fileURLToPath(script)];
  return start([...(options.wrapper ?? []), process.execPath, ...scripts, ...args.map(String)], options);
}

/** Runs any program. */
export function startProgram(command: readonly string[], options: ChildOptions = {}): Child {
  return start(command, options);
}

/** Runs a script to its end. */
export async function runChild(...[script, args, options]: Parameters<typeof startChild>): Promise<Ended> {
  await using child = startChild(script, args, options);
  return await child.ended;
}

function start([command, ...args]: readonly string[], { cwd, env, input = "" }: ChildOptions): Child {
  const child = spawn(command!, args, { stdio: "pipe", ...(cwd && { cwd }), ...(env && { env }) });
  // Who does not read its input may end before it was written.
  child.stdin.on("error", () => undefined);
  if (input !== null) child.stdin.end(input);
  const said = { output: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.errors += text));
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const ended = closed.then(([code, signal]) => ({ code, signal, ...said }));
  const spoke = Promise.race([
    once(child.stdout, "data"),
    ended.then((end) => Promise.reject(new Error(`${command} ended without a word: ${JSON.stringify(end)}`))),
  ]);
  const self: Child = {
    process: child,
    ended,
    spoke: async () => void (await spoke),
    kill: (signal = "SIGKILL") => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      self.kill();
      await ended.catch(() => undefined);
    },
  };
  running.add(self);
  const forget = () => running.delete(self);
  ended.then(forget, forget);
  // Not everybody waits for both.
  for (const promise of [ended, spoke]) promise.catch(() => undefined);
  return self;
}

/** Runs a program while this process stands still. */
export function runStill(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Ended {
  const options = { env, encoding: "utf8", timeout: STILL_LIMIT_MS, killSignal: "SIGKILL" } as const;
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, options);
  if (error) throw error;
  return { code: status, signal, output: stdout, errors: stderr };
}

/** The same where it must end well; its output. */
export function runTool(command: string, ...args: string[]): string {
  const { code, output, errors } = runStill(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${errors}`);
  return output;
}

/** The same for a script. */
export function runScriptStill(script: URL, ...args: string[]): string {
  return runTool(process.execPath, fileURLToPath(script), ...args);
}

/** Whoever opens a pipe to read it waits until somebody writes. */
export function makePipe(path: string): void {
  runTool("mkfifo", path);
}
