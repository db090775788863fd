/**
 * Reads a line that nobody should see: a passphrase at a terminal, without an echo.
 *
 * Ctrl-C and Ctrl-D cancel. The terminal is put back as it was in any case.
 */
import { StringDecoder } from "node:string_decoder";
import type { Io } from "../terminal.ts";

const [CANCEL, END, ENTER, LINE_FEED, DELETE, BACKSPACE] = ["\u0003", "\u0004", "\r", "\n", "\u007f", "\b"];
const LONGEST_CHARACTERS = 1_024;

/** Whether a line can be read without showing it. */
export const canHide = ({ stdin, stderr }: Io): boolean =>
  stdin.isTTY === true && stderr.isTTY === true && stdin.setRawMode !== undefined;

/** Asks for the passphrase of an encrypted memory; undefined if nobody is there. */
export const passphraseAt = (io: Io, attended: boolean): ((prompt?: string) => Promise<string | null>) | undefined =>
  attended && canHide(io) ? (prompt = "Passphrase: ") => hiddenLine(io, prompt) : undefined;

/** Null if it was cancelled. */
export async function hiddenLine({ stdin, stderr }: Io, prompt: string): Promise<string | null> {
  const decoder = new StringDecoder("utf8");
  const { promise, resolve } = Promise.withResolvers<string | null>();
  let typed: string[] = [];
  const take = (chunk: Buffer) => {
    for (const letter of decoder.write(chunk)) {
      if (letter === CANCEL || (letter === END && typed.length === 0)) return resolve(null);
      if (letter === ENTER || letter === LINE_FEED || letter === END) return resolve(typed.join(""));
      if (letter === DELETE || letter === BACKSPACE) typed = typed.slice(0, -1);
      else if (letter >= " " && typed.length < LONGEST_CHARACTERS) typed.push(letter);
    }
  };
  const wasRaw = stdin.isRaw === true;
  // Before the prompt: whoever answers at once must not see it echoed.
  stdin.setRawMode!(true);
  stderr.write(prompt);
  stdin.on("data", take).once("end", () => resolve(null));
  stdin.resume();
  try {
    return await promise;
  } finally {
    stdin.off("data", take);
    stdin.pause();
    stdin.setRawMode!(wasRaw);
    stderr.write("\n");
  }
}
