/**
 * The log of hooks, one line for each fault: a host would show an agent or a person what a hook prints.
 *
 * It begins again when it is full. Only our own sentences and the codes of faults are written, never what a host said.
 */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const LOG = "hook.log";
const LOG_BYTES = 65_536;
const LINE_CHARACTERS = 500;

/** `home` is located here, because a data folder with an impossible name has no log. */
export function logHook(home: () => string, message: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    const file = openSync(join(home(), LOG), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      if (fstatSync(file).size > LOG_BYTES) ftruncateSync(file);
      const line = message.replace(/\s+/g, " ").slice(0, LINE_CHARACTERS);
      writeSync(file, `${new Date().toISOString()} ${line}\n`);
    } finally {
      closeSync(file);
    }
  } catch {
    // A log that cannot be written is no reason to disturb a host either.
    return;
  }
}

/** The last line; null if there is none. */
export function lastHookFault(home: string): string | null {
  try {
    return readFileSync(join(home, LOG), "utf8").trimEnd().split("\n").at(-1)!.replace(/\.$/, "") || null;
  } catch {
    return null;
  }
}

/** A fault without its message, which may quote what could not be read. */
export function faultName(thrown: unknown): string {
  const { code, name, syscall } = (thrown ?? {}) as Partial<NodeJS.ErrnoException>;
  return [code ?? name ?? "a fault", syscall].filter((part) => typeof part === "string").join(" in ");
}
