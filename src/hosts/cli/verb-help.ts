/** Help for one verb or process command: usage, summary, flags, examples. */
import type { AnyOperation } from "../../operations/operation.ts";
import { columns } from "./columns.ts";
import type { ProcessCommand } from "./commands.ts";
import { EDIT_FLAG, fieldsOf, verbOf, type Field } from "./fields.ts";

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
