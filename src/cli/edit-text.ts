/**
 * A text in a person's editor: written to a private file, edited, read back, removed.
 *
 * The editor's command is divided into words here and started without a shell, so nothing in it is interpreted.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../errors.ts";

/**
 * The words of an editor's command, divided as a POSIX shell divides them. Nothing else in it is interpreted.
 *
 * On Windows a backslash separates folders, so it escapes nothing.
 */
const PARTS = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|(\s+)|([^\s'"\\]+|.)/gs;

export function editorWords(command: string, { escapes }: { escapes: boolean }): string[] {
  const words: string[] = [];
  let word: string | null = null;
  for (const [part, single, double, escaped, space, plain] of command.matchAll(PARTS)) {
    if (space !== undefined) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    const quoted = single ?? (escapes ? double?.replace(/\\(["\\$`])/g, "$1") : double);
    word = (word ?? "") + (quoted ?? plain ?? (escapes ? escaped : part));
  }
  return word === null ? words : [...words, word];
}

/** Markdown, so that editors wrap and colour it as prose. */
const FILE = "memory.md";
const SET_EDITOR = "Set EDITOR to the command of your editor, for example `export EDITOR=nano`.";

/** The edited text; the one given if the person changed nothing but blank lines at its end. */
export async function editText(text: string, command: string | null, drafts: string = tmpdir()): Promise<string> {
  // Created with 0700, so the editor's own copies in it are private too.
  const folder = mkdtempSync(join(drafts, "stele-edit-"));
  try {
    const file = join(folder, FILE);
    writeFileSync(file, text.endsWith("\n") ? text : `${text}\n`, { mode: 0o600 });
    await runEditor(editorWords(command ?? usualEditor(), { escapes: process.platform !== "win32" }), file);
    const edited = textIn(file);
    return edited.trimEnd() === text.trimEnd() ? text : edited.trimEnd();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const usualEditor = (): string => (process.platform === "win32" ? "notepad" : "vi");

async function runEditor([program = "", ...words]: readonly string[], file: string): Promise<void> {
  if (program === "") throw new Failure("unavailable", "The command of the editor is empty.", SET_EDITOR);
  const editor = spawn(program, [...words, file], { stdio: "inherit" });
  const ended = await new Promise<number | string | Error>((resolve) => {
    editor.once("error", resolve);
    editor.once("exit", (code, signal) => resolve(code ?? signal ?? 1));
  });
  if (ended === 0) return;
  if (ended instanceof Error)
    throw new Failure("unavailable", `The editor ${program} cannot be started.`, SET_EDITOR, { cause: ended });
  throw new Failure(
    "unavailable",
    `The editor ${program} ended with ${ended}; nothing was changed.`,
    "Run it again, or give the new text as an argument.",
  );
}

function textIn(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    throw new Failure("invalid_input", "The edited file is gone, or not UTF-8 text.", "Save it as plain text.", {
      cause,
    });
  }
}
