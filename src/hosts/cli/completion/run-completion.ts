/**
 * `stele completion`: prints the script of a shell, and answers that script's requests.
 *
 * An answer never fails: a shell would show the error in the middle of a person's command.
 */
import { Failure } from "../../../errors.ts";
import type { Completion } from "../../../model/memory/known-word.ts";
import type { Catalog } from "../../../operations/operation.ts";
import { READING } from "../../dispatch.ts";
import type { CliOptions } from "../run.ts";
import { type Io, terminal } from "../terminal.ts";
import { type LookUp, complete } from "./complete.ts";
import { SHELL_SCRIPTS } from "./scripts.ts";

/** What the scripts ask for; the words follow after `--`. */
const REQUEST = "words";
/** A word with one of these would break the answer, or the person's command. */
const UNFIT = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

export interface CompletionOptions {
  io: Io;
  catalog: Catalog;
  open: CliOptions["open"];
}

export async function runCompletion(argv: readonly string[], options: CompletionOptions): Promise<number> {
  const screen = terminal(options.io, { json: false });
  const [what = "", separator, ...words] = argv;
  if (what === REQUEST && separator === "--") {
    const found = await completions(words, options);
    if (found.length > 0) await screen.text(found.map(({ word, about }) => `${word}\t${about}`).join("\n"));
    return 0;
  }
  const script = Object.hasOwn(SHELL_SCRIPTS, what) ? SHELL_SCRIPTS[what] : undefined;
  if (script !== undefined && argv.length === 1) {
    await screen.text(script);
    return 0;
  }
  const shells = Object.keys(SHELL_SCRIPTS);
  const message = what === "" ? "Which shell?" : `There is no completion for ${JSON.stringify(argv.join(" "))}.`;
  throw new Failure("invalid_input", message, `Write \`stele completion ${shells.join("|")}\`.`);
}

async function completions(words: readonly string[], { catalog, open }: CompletionOptions): Promise<Completion[]> {
  const lookUp: LookUp = async (kind, beginning, project) => {
    const { knownWords } = await import("../../../operations/known-words.ts");
    const { world, close } = await open({
      ...READING,
      progress: { report: () => undefined },
      ...(project && { project }),
    });
    try {
      return await knownWords(kind, beginning, world);
    } finally {
      await close();
    }
  };
  try {
    const found = await complete(words, catalog, lookUp);
    return found
      .filter(({ word }) => word !== "" && !UNFIT.test(word))
      .map(({ word, about }) => ({ word, about: about.replace(/\s+/g, " ") }));
  } catch {
    // No store, no permission, half a command: there is nothing to complete.
    return [];
  }
}
