/**
 * Prompt: asks the person at the terminal.
 *
 * Prompts go to standard error, so that answers on standard output stay clean. The
 * terminal keeps its own line editing: Ctrl-C stays a signal and Ctrl-D means "cancel".
 */
import { createInterface } from "node:readline";
import { StringDecoder } from "node:string_decoder";
import type { Ask } from "../catalog/dispatch.ts";
import { questionRows, ROW_COLUMNS } from "../catalog/question-rows.ts";
import type { QuestionField, Reply } from "../catalog/question.ts";
import { visible } from "../text/paragraph.ts";
import type { Io } from "./terminal.ts";

const ATTEMPTS = 3;
const SCREEN_ROWS = 24;
const PROMPT_ROWS = 3;
const CHANGED = "It changed while you were deciding, so your answer was not used. This is its current state.\n";

type ReadLine = (prompt: string) => Promise<string | null>;

/** Nobody is asked through a pipe, or at a terminal driven by a program. */
export function promptAt(io: Io, { attended }: { attended: boolean }): Ask | undefined {
  if (!attended || !io.stdin.isTTY || !io.stderr.isTTY) return undefined;
  return async (question, isAgain) => {
    const lines = createInterface({ input: io.stdin, terminal: false, crlfDelay: Infinity });
    const iterator = lines[Symbol.asyncIterator]();
    const read: ReadLine = async (prompt) => {
      io.stderr.write(visible(prompt));
      const { done, value } = await iterator.next();
      // Ctrl-D leaves the cursor on the prompt's line; the next output must start on a new one.
      if (done) io.stderr.write("\n");
      return done ? null : value.trim();
    };
    try {
      if (isAgain) io.stderr.write(CHANGED);
      io.stderr.write(`${messageAt(io, question.message).join("\n")}\n(Ctrl-D cancels.)\n`);
      return await fill(question.fields, read);
    } finally {
      lines.close();
    }
  };
}

/** As wide as the screen, whose own wrapping would drop the marks. What scrolled out of view is asked once more. */
function messageAt({ stderr }: Io, message: string): string[] {
  // A terminal that does not know its size says 0.
  const [width, height] = [Math.min(ROW_COLUMNS, (stderr.columns || Infinity) - 1), stderr.rows || SCREEN_ROWS];
  const rows = questionRows(message, width);
  const [asked = ""] = message.split("\n");
  return rows.length + PROMPT_ROWS <= height ? rows : [...rows, ...questionRows(asked, width)];
}

async function fill(fields: Record<string, QuestionField>, read: ReadLine): Promise<Reply> {
  const values: Record<string, string | boolean> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = await answer(field, read);
    if (value === null) return { action: "cancel" };
    values[name] = value;
  }
  return { action: "accept", values };
}

async function answer(field: QuestionField, read: ReadLine): Promise<string | boolean | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const line = await read(promptFor(field));
    if (line === null) return null;
    const value = parsed(field, line);
    if (value !== undefined) return value;
  }
  return null;
}

function promptFor(field: QuestionField): string {
  if (field.kind === "confirm") return `${field.label} [y/N] `;
  if (field.kind === "text") return field.default ? `${field.label} [${field.default}]: ` : `${field.label}: `;
  const options = field.options.map((option, index) => `  ${index + 1}. ${option}\n`).join("");
  return `${field.label}\n${options}Number or name: `;
}

function parsed(field: QuestionField, line: string): string | boolean | undefined {
  if (field.kind === "text") return line === "" ? (field.default ?? "") : line;
  if (field.kind === "choice")
    return field.options.find((option) => option === line) ?? field.options[Number(line) - 1];
  if (/^y(es)?$/i.test(line)) return true;
  return /^(no?)?$/i.test(line) ? false : undefined;
}

/**
 * Reads a line that nobody should see: a passphrase at a terminal, without an echo.
 *
 * Ctrl-C and Ctrl-D cancel. The terminal is put back as it was in any case.
 */
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
