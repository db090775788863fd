/**
 * Standard output, straight to the descriptor: setting up a stream takes as long as a small command.
 *
 * A reader who leaves early is no fault. One who is slow gets the rest through a stream after all.
 */
import { writeSync } from "node:fs";
import type { Writable } from "node:stream";
import type { Io } from "./terminal.ts";

/** `stream` is asked for only when the descriptor takes no more at once. */
export function directOutput(descriptor: number, stream: () => Writable): Io["stdout"] {
  let listen: (error: NodeJS.ErrnoException) => void = () => undefined;
  const output = {
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
