/** Runs one command: of Stele in this process, at a terminal whose person types what they are told; others in a shell. */
import { PassThrough, Writable } from "node:stream";
import { main } from "../../src/main.ts";
import { isServer } from "../../src/server-commands.ts";
import type { Shell } from "./shell.ts";
import { plainWords } from "./steps.ts";

const QUESTION = /(?:\[[^\]\n]*\]|Number or name|:) ?$/;

export interface Ended {
  code: number;
  /** Both outputs as a terminal shows them, without what only a screen sees. */
  output: string;
}

/** What the person types after a question; undefined if they leave. */
export type Answer = (question: string) => string | undefined;

/** Servers are programs of their own, so they run in a shell too. */
export async function runCommand(command: string, answer: Answer, shell: Shell): Promise<Ended> {
  const words = plainWords(command);
  if (words !== null && !isServer(words[0]!)) return typeCommand(words, answer);
  const { code, output } = await shell.run({ script: command, isInClone: false, typed: [] });
  return { code, output: output.replace(/\n$/, "") };
}

async function typeCommand(words: readonly string[], answerTo: Answer): Promise<Ended> {
  let shown = "";
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const printer = (isTTY: boolean) =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          const printed = chunk.toString();
          // A progress bar draws over itself.
          if (!/[\r\x1b]/.test(printed)) shown += printed;
          if (isTTY && QUESTION.test(printed)) {
            const answer = answerTo(printed);
            shown += answer === undefined ? "" : `${answer}\n`;
            if (answer === undefined) stdin.end();
            else stdin.write(`${answer}\n`);
          }
          done();
        },
      }),
      { isTTY, getColorDepth: () => 1 },
    );
  const code = await main(words, { stdin, stdout: printer(false), stderr: printer(true) });
  return { code, output: shown.replace(/\n$/, "") };
}
