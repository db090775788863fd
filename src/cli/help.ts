/** Help for one verb or process command: usage, summary, flags, examples. */
import { type AnyOperation, GROUPS } from "../catalog/operation.ts";
import { PROCESS_COMMANDS, type ProcessCommand } from "./commands.ts";
import { EDIT_FLAG, type Field, fieldsOf, verbOf } from "./fields.ts";

/** Two aligned columns for help pages; long text on the right is wrapped within its column. */
const WIDEST_LEFT = 24;
const PAGE_WIDTH = 80;

function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= WIDEST_LEFT));
  const indent = " ".repeat(width + 4);
  return rows
    .map(([left, right]) => {
      const wrapped = wrap(right, PAGE_WIDTH - indent.length).join(`\n${indent}`);
      if (left.length > width) return `  ${left}\n${indent}${wrapped}`;
      return `  ${left.padEnd(width)}  ${wrapped}`.trimEnd();
    })
    .join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function verbHelp(op: AnyOperation, aliases: readonly string[] = []): string {
  const fields = fieldsOf(op).filter(({ advertised }) => advertised);
  const positional = (op.cli.positional ?? []).flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const flags = fields.filter((field) => !positional.includes(field));
  const usage = ["stele", verbOf(op), ...positional.map(placeholder), "[--flags]"].join(" ");
  const everywhere: [string, string][] = [
    ["--project DIR", "Work on this project instead of the current directory."],
    ["--json", "Print exactly one JSON document."],
    ...(op.effect === "read" ? [] : [["--dry-run", "Show what would change without changing it."] as [string, string]]),
    ...(op.editing ? [[`--${EDIT_FLAG}`, `Edit the ${op.editing.field} in your editor.`] as [string, string]] : []),
  ];
  return page([
    `Usage: ${usage}`,
    [op.summary, ...aliases.map((alias) => `Also: \`stele ${alias}\`.`)].join(" "),
    titled(
      "Arguments",
      positional.map((field) => [placeholder(field), explanation(field)]),
    ),
    titled("Flags", [...flags.map((field): [string, string] => [flagShown(field), explanation(field)]), ...everywhere]),
    op.cli.examples.length === 0 ? "" : `Examples\n${op.cli.examples.map((example) => `  ${example}`).join("\n")}`,
  ]);
}

export function commandHelp(command: ProcessCommand): string {
  return page([`Usage: ${command.usage}`, command.summary, titled("Flags", command.flags)]);
}

function page(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

function titled(title: string, rows: readonly (readonly [string, string])[]): string {
  return rows.length === 0 ? "" : `${title}\n${columns(rows)}`;
}

export function placeholder(field: Field): string {
  const name = field.kind === "texts" ? `${field.flag}...` : field.flag;
  return field.required ? `<${name}>` : `[${name}]`;
}

export function flagShown(field: Field): string {
  if (field.kind === "switch") return `--[no-]${field.flag}`;
  if (field.values.length > 0 && field.values.length <= 4) return `--${field.flag} ${field.values.join("|")}`;
  return `--${field.flag} ${field.kind === "number" ? "NUMBER" : "TEXT"}`;
}

export function explanation(field: Field): string {
  const notes = [
    field.required ? "required" : "",
    field.kind === "texts" ? (field.separated ? "may be repeated, or with commas" : "may be repeated") : "",
    field.values.length > 4 ? `one of ${field.values.join(", ")}` : "",
    range(field),
    field.default === undefined || isEmptyList(field.default) ? "" : `default ${String(field.default)}`,
  ].filter((note) => note !== "");
  return [field.description, notes.length === 0 ? "" : `(${notes.join("; ")})`].filter((part) => part !== "").join(" ");
}

function range({ minimum, maximum }: Field): string {
  // zod bounds every integer by the safe range of a double; help need not show that.
  const low = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (low !== undefined && high !== undefined) return `${low} to ${high}`;
  if (low !== undefined) return `at least ${low}`;
  return high === undefined ? "" : `at most ${high}`;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/**
 * Overview: the output of `stele --help`.
 *
 * Pure and uncoloured, because it is also stored as a file, so that help can be printed
 * without loading anything.
 */
export function overview(catalog: readonly AnyOperation[]): string {
  const sections = GROUPS.map((group) => {
    const verbs = catalog.filter((op) => op.group === group);
    return verbs.length === 0
      ? ""
      : section(
          group,
          verbs.map((op) => [verbOf(op), inOneRow(op.summary)]),
        );
  }).filter((text) => text !== "");
  const processes = PROCESS_COMMANDS.map(({ name, summary }) => [name, inOneRow(summary)] as const);
  return [
    "Stele, the memory of AI coding agents: local, private, fast, honest.",
    "Usage: stele <verb> [arguments] [--flags]",
    ...sections,
    section("processes", processes),
    section("flags of every verb", [
      ["--project DIR", "Work on this project instead of the current directory."],
      ["--json", "Print exactly one JSON document."],
      ["--dry-run", "Show what would change without changing it (verbs that write)."],
      ["--help", "Show the verb's arguments, flags and examples."],
    ]),
    "Write `-` in place of a text to read it from standard input.\n`stele <verb> --help` tells more; `stele --version` prints the version.\n",
  ].join("\n\n");
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  return `${title}\n${columns(rows)}`;
}

/** With the name of the longest verb before it, this fits the narrowest usual terminal. */
const ROW_CHARACTERS = 62;
const LEAST_CHARACTERS = 12;

/** The first sentence; of a long one what stands before its details. The help of the verb itself has the rest. */
function inOneRow(text: string): string {
  const sentence = /^.*?\.(?= |$)/s.exec(text)?.[0] ?? text;
  if (sentence.length <= ROW_CHARACTERS) return sentence;
  const ends = [/[:;]|(?= \()/g, /,/g].flatMap((sign) => [...sentence.matchAll(sign)].map(({ index }) => index));
  const end = ends.find((index) => index < ROW_CHARACTERS && index >= LEAST_CHARACTERS);
  return end === undefined ? sentence : `${sentence.slice(0, end)}.`;
}
