/** Runs a fixture in a process of its own, as Node runs this one. */
import { type ChildProcess, spawn } from "node:child_process";
import { text } from "node:stream/consumers";

export interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

export interface Child {
  process: ChildProcess;
  ended: Promise<Ended>;
}

/** `wrapper` is a command that runs the command after it, such as a shell that sets a limit first. */
export function startChild(script: URL, args: readonly (string | number)[], wrapper: readonly string[] = []): Child {
  const command = [...wrapper, process.execPath, script.pathname, ...args.map(String)];
  const child = spawn(command[0]!, command.slice(1), { stdio: ["ignore", "pipe", "pipe"] });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([code, output, errors]) => ({
    code,
    output,
    errors,
  }));
  return { process: child, ended };
}
