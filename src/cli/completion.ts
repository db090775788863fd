/**
 * `stele completion`: prints the script of a shell, and answers that script's requests.
 *
 * An answer never fails: a shell would show the error in the middle of a person's command.
 */
import { READING } from "../catalog/dispatch.ts";
import type { AnyOperation, Catalog } from "../catalog/operation.ts";
import { Failure } from "../errors.ts";
import type { Completion, KnownWord } from "../recall/known-words.ts";
import { PROCESS_COMMANDS } from "./commands.ts";
import { type Field, fieldsOf, globalFlagsOf, kebab } from "./fields.ts";
import type { CliOptions } from "./run.ts";
import { type Io, terminal } from "./terminal.ts";

// Completes a command line: verbs, flags, fixed values, and words that the stores know.
//
// The last word is the one being typed. Whatever cannot be completed yields nothing, and the shell tries files.

/** Words of a kind that begin like that. */
type LookUp = (kind: KnownWord, beginning: string, project: string | undefined) => Promise<Completion[]>;

export async function complete(words: readonly string[], catalog: Catalog, lookUp: LookUp): Promise<Completion[]> {
  const typed = words.at(-1) ?? "";
  const [verb, ...before] = words.slice(0, -1);
  if (verb === undefined) return beginningWith(typed, commandNames(catalog));
  const command = PROCESS_COMMANDS.find(({ name }) => name === verb);
  if (command !== undefined)
    return beginningWith(
      typed,
      command.flags.flatMap(([flag]) => flagWords(flag)),
    );
  if (verb === "help" && before.length === 0) return beginningWith(typed, commandNames(catalog));
  const name = (catalog.aliases[verb]?.[0] ?? verb).replaceAll("-", "_");
  return catalog.names.includes(name) ? completeField(await catalog.load(name), before, typed, lookUp) : [];
}

const commandNames = ({ names, aliases }: Catalog): string[] => [
  ...names.map(kebab),
  ...Object.keys(aliases),
  ...PROCESS_COMMANDS.map(({ name }) => name),
  "help",
];

/** Flags, and words to choose from, out of the first column of a command's help; placeholders are neither. */
const flagWords = (flag: string): string[] =>
  flag.split(/[\s|]+/).filter((word) => word.startsWith("--") || /^[a-z][\w-]*$/.test(word));

async function completeField(
  op: AnyOperation,
  before: readonly string[],
  typed: string,
  lookUp: LookUp,
): Promise<Completion[]> {
  const fields = fieldsOf(op);
  const { open, project, positionals } = readSoFar(fields, before);
  if (open === PROJECT) return [];
  if (open === undefined && typed.startsWith("-")) return beginningWith(typed, flagsOf(op, fields), aboutFlag(fields));
  const field = open ?? positionalAt(op, fields, positionals);
  if (field === undefined) return [];
  // In a list with commas only the last entry is being typed.
  const done = field.separated ? typed.slice(0, typed.lastIndexOf(",") + 1) : "";
  const beginning = typed.slice(done.length);
  const kind = (op.cli.completes as Record<string, KnownWord> | undefined)?.[field.name];
  const found =
    field.values.length > 0
      ? beginningWith(beginning, field.values)
      : kind === undefined
        ? []
        : await lookUp(kind, beginning, project);
  return found.map(({ word, about }) => ({ word: done + word, about }));
}

const PROJECT = "project";

interface SoFar {
  /** The flag that waits for its value. */
  open: Field | typeof PROJECT | undefined;
  project: string | undefined;
  positionals: number;
}

function readSoFar(fields: readonly Field[], before: readonly string[]): SoFar {
  const soFar: SoFar = { open: undefined, project: undefined, positionals: 0 };
  for (const word of before) {
    const { open } = soFar;
    soFar.open = undefined;
    if (open === PROJECT) soFar.project = word;
    if (open !== undefined) continue;
    if (!word.startsWith("--")) soFar.positionals += 1;
    else if (word === `--${PROJECT}`) soFar.open = PROJECT;
    else soFar.open = fields.find((field) => isFlagOf(field, word.slice(2)) && field.kind !== "switch");
  }
  return soFar;
}

const isFlagOf = ({ flag, kind }: Field, word: string): boolean =>
  flag === word || (kind === "texts" && (flag === `${word}s` || `${flag}s` === word));

function positionalAt(op: AnyOperation, fields: readonly Field[], place: number): Field | undefined {
  const names = op.cli.positional ?? [];
  const find = (name: string | undefined) => fields.find((field) => field.name === name);
  const last = find(names.at(-1));
  return find(names[place]) ?? (last?.kind === "texts" ? last : undefined);
}

const flagsOf = (op: AnyOperation, fields: readonly Field[]): string[] => [
  ...fields
    .filter(({ advertised, name }) => advertised && !op.cli.positional?.includes(name))
    .map(({ flag }) => `--${flag}`),
  ...globalFlagsOf(op).map((flag) => `--${flag}`),
];

const aboutFlag =
  (fields: readonly Field[]) =>
  (word: string): string =>
    fields.find(({ flag }) => `--${flag}` === word)?.description ?? "";

function beginningWith(
  typed: string,
  words: readonly string[],
  about: (word: string) => string = () => "",
): Completion[] {
  return words.filter((word) => word.startsWith(typed)).map((word) => ({ word, about: about(word) }));
}

/**
 * The scripts that teach a shell to complete commands.
 *
 * They know nothing about verbs: at every request they ask the program. Words from the stores are inserted quoted and
 * never evaluated. Without an answer the shell completes names of files.
 */
const BASH = `# Completion of stele for bash: eval "$(stele completion bash)"
_stele() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <(stele completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _stele stele`;

const ZSH = `#compdef stele
# Completion of stele for zsh: eval "$(stele completion zsh)" after compinit, or as a file _stele in a folder of $fpath
_stele() {
  local line
  local -a found shown
  for line in "\${(@f)$(stele completion words -- "\${(Q@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    found+=("\${line%%$'\\t'*}")
    shown+=("\${line//$'\\t'/  }")
  done
  if (( $#found )); then compadd -U -l -d shown -a found; else _files; fi
}
if [[ $funcstack[1] == _stele ]]; then _stele "$@"; else compdef _stele stele; fi`;

const FISH = `# Completion of stele for fish: stele completion fish | source
function __stele_words
    set -l found (stele completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c stele -f -a '(__stele_words)'`;

export const SHELL_SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** What the scripts ask for; the words follow after `--`. */
const REQUEST = "words";
/** A word with one of these would break the answer, or the person's command. */
const UNFIT = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

interface CompletionOptions {
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
    const { knownWords } = await import("../recall/known-words.ts");
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
