/**
 * Prompt: asks the person at the terminal.
 *
 * Prompts go to standard error, so that answers on standard output stay clean. The
 * terminal keeps its own line editing: Ctrl-C stays a signal and Ctrl-D means "cancel".
 */
import { createInterface } from "node:readline";
import type { QuestionField, Reply } from "../../model/decisions/question.ts";
import type { Ask } from "../dispatch.ts";
import { ROW_COLUMNS, questionRows } from "../question-rows.ts";
import { visible } from "../visible.ts";
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
