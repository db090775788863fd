/**
 * Completes a command line: verbs, flags, fixed values, and words that the stores know.
 *
 * The last word is the one being typed. Whatever cannot be completed yields nothing, and the shell tries files.
 */
import type { Completion, KnownWord } from "../../../model/memory/known-word.ts";
import type { AnyOperation, Catalog } from "../../../operations/operation.ts";
import { PROCESS_COMMANDS } from "../commands.ts";
import { type Field, fieldsOf, globalFlagsOf, kebab } from "../fields.ts";

/** Words of a kind that begin like that. */
export type LookUp = (kind: KnownWord, beginning: string, project: string | undefined) => Promise<Completion[]>;

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
