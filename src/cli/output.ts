/**
 * Standard output, straight to the descriptor: setting up a stream takes as long as a small command.
 *
 * A reader that closes early is not an error. A slow reader gets the rest through a stream.
 */
import { fstatSync, statSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";
import { isatty, type WriteStream } from "node:tty";
import type { Io } from "./terminal.ts";

/** `stream` is called only when the descriptor cannot accept everything at once. */
export function directOutput(descriptor: number, stream: () => Writable): Io["stdout"] {
  let listen: (error: NodeJS.ErrnoException) => void = () => undefined;
  /** Only of a terminal, so a pipe needs no stream. */
  const screen = (): WriteStream => stream() as WriteStream;
  const output = {
    get isTTY(): boolean {
      return isTerminal(descriptor);
    },
    get columns(): number {
      return screen().columns;
    },
    getColorDepth: (): number => screen().getColorDepth(),
    on(event: string, listener: (error: NodeJS.ErrnoException) => void) {
      if (event === "error") listen = listener;
      return output;
    },
    write(text: string, done: () => void): boolean {
      let rest = Buffer.from(text);
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
      } catch (thrown) {
        const error = thrown as NodeJS.ErrnoException;
        if (error.code === "EAGAIN") return stream().on("error", listen).write(rest, done);
        listen(error);
      }
      done();
      return true;
    },
  };
  return output as unknown as Io["stdout"];
}

const NULL_DEVICE = "/dev/null";

/** A file, a pipe and the null device are recognised without `node:tty`, which takes a tenth of a small command to load. */
function isTerminal(descriptor: number): boolean {
  const device = deviceOf(descriptor);
  if (device === null || device === statSync(NULL_DEVICE, { throwIfNoEntry: false })?.rdev) return false;
  return isatty(descriptor);
}

/** Null if it is none, or closed. */
function deviceOf(descriptor: number): number | null {
  try {
    const found = fstatSync(descriptor);
    return found.isCharacterDevice() ? found.rdev : null;
  } catch {
    return null;
  }
}
