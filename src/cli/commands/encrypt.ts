/** `stele encrypt`, `decrypt`, `rekey` and `unlock`, with the data folder they change. */
import { openEncryption } from "../../app/compose-encryption.ts";
import { readSurroundings } from "../../app/environment.ts";
import { runEncryption, runUnlock } from "../encryption.ts";
import type { Io } from "../terminal.ts";

const optionsOf = (io: Io) => ({ io, attended: readSurroundings().attended, open: openEncryption });

export const encrypt = (argv: readonly string[], io: Io): Promise<number> =>
  runEncryption("encrypt", argv, optionsOf(io));
export const decrypt = (argv: readonly string[], io: Io): Promise<number> =>
  runEncryption("decrypt", argv, optionsOf(io));
export const rekey = (argv: readonly string[], io: Io): Promise<number> => runEncryption("rekey", argv, optionsOf(io));

export const unlock = (argv: readonly string[], io: Io): Promise<number> =>
  runUnlock(argv, { ...optionsOf(io), stopped: untilSignal });

/** A timer keeps the process alive: serving the key does not. */
function untilSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const alive = setInterval(() => undefined, 3_600_000);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  return promise.finally(() => clearInterval(alive));
}
