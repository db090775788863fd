/** Verb reference: input, answer, usage and exposure of each verb, generated from the catalog. */
import type * as z from "zod";
import { catalog, DEFAULT_TOOLS } from "../../src/catalog/catalog.ts";
import { type AnyOperation, type Effect, GROUPS } from "../../src/catalog/operation.ts";
import { isAdvertised } from "../../src/catalog/other-names.ts";
import { PROCESS_COMMANDS } from "../../src/cli/commands.ts";
import { kebab, verbOf } from "../../src/cli/fields.ts";
import { type FailureCode, FAILURES } from "../../src/errors.ts";
import { TYPE_SYNONYMS } from "../../src/memory/item.ts";
import {
  defaultOf,
  inputSchema,
  link,
  outputSchema,
  type Schema,
  shapeName,
  SHAPES,
  table,
  typeOf,
  VOCABULARIES,
} from "./schema-words.ts";

const EFFECTS: Record<Effect, string> = {
  read: "Reads. Access is recorded, and a search may first bring the index, notes and vectors up to date.",
  write: "Adds or changes.",
  destroy: "Removes or replaces data.",
};

const MEANINGS: Record<FailureCode, string> = {
  invalid_input: "The request is wrong; the hint says how to fix it.",
  not_found: "There is no such id, handle, file or folder.",
  conflict: "Something else changed or is in the way; check and try again.",
  refused: "A person is needed, or said no.",
  unauthorized: "Over HTTP: the token is missing or not known.",
  too_large: "Over HTTP: the body is too long.",
  too_many: "Over HTTP: too many requests or projects at once.",
  locked: "The memory is encrypted, and its key is missing or wrong.",
  unavailable: "The disk, the model or a lock is at fault, not the request.",
  internal: "A defect in Stele.",
};

export function operationsPage(operations: readonly AnyOperation[]): string {
  return [
    "# Operations",
    "Every verb has one name, one input and one answer. The same JSON comes from the command line with `--json`, from `stele mcp --structured` as `structuredContent`, and from the library. On the command line every field is a flag, written with hyphens.",
    table(
      ["verb", "effect", "MCP tool"],
      operations.map((op) => [link(op.name), op.effect, isDefaultTool(op) ? "yes" : "with `--tools full`"]),
    ),
    "Every verb takes `--project DIR`, `--json` and `--help`; verbs that change something also take `--dry-run`. A list is a flag that may be repeated; fixed values, tags and languages may also be separated by commas, and `--tag` and `--tags` mean the same. Write `-` in place of a text to read it from standard input.",
    ...GROUPS.flatMap((group) => groupSection(group, operations)),
    "## Shapes",
    ...Object.entries(SHAPES).flatMap(([name, shape]) => [`### ${name}`, answerTable(shape, name)]),
    "## Names",
    ...Object.entries(VOCABULARIES).flatMap(([name, values]) => [
      `### ${name}`,
      values.map((value) => `\`${value}\``).join(", "),
    ]),
    `As an input type, ${Object.entries(TYPE_SYNONYMS)
      .map(([synonym, type]) => `\`${synonym}\` means \`${type}\``)
      .join(" and ")}.`,
    ...processSection(),
    ...failureSection(),
  ].join("\n\n");
}

/** Only a person at the command line types them. */
const aliasesOf = (op: AnyOperation): string[] => {
  const typed = Object.entries(catalog.aliases).filter(([, [verb]]) => verb === op.name);
  return typed.length === 0 ? [] : [`Also typed ${typed.map(([alias]) => `\`stele ${alias}\``).join(" or ")}.`];
};

function isDefaultTool(op: AnyOperation): boolean {
  return DEFAULT_TOOLS.includes(op.name);
}

function groupSection(group: (typeof GROUPS)[number], operations: readonly AnyOperation[]): string[] {
  const verbs = operations.filter((op) => op.group === group);
  return verbs.length === 0 ? [] : [`## Verbs: ${group}`, ...verbs.flatMap(verbSection)];
}

function verbSection(op: AnyOperation): string[] {
  const shape = op.input.shape as Record<string, z.ZodType>;
  const positional: readonly string[] = op.cli.positional ?? [];
  const places = positional.map((name) => (defaultOf(shape[name]!) === "required" ? `<${name}>` : `[${name}]`));
  const { properties = {} } = inputSchema(op.input);
  const advertised = Object.entries(properties).filter(([name]) => isAdvertised(name));
  const rows = advertised.map(([name, property]) => [
    `\`${name}\``,
    positional.includes(name) ? "" : `\`--${kebab(name)}\``,
    typeOf(property as Schema),
    defaultOf(shape[name]!),
    (property as Schema).description ?? "",
  ]);
  const facts = [
    EFFECTS[op.effect],
    op.repeatable ? "Repeating it is harmless." : "Repeating it has further effects.",
    isDefaultTool(op) ? "A default MCP tool." : "An MCP tool with `--tools full`.",
    op.question ? "May ask a person first." : "",
    ...aliasesOf(op),
  ];
  return [
    `### ${op.name}`,
    op.summary,
    facts.filter((fact) => fact !== "").join(" "),
    `\`\`\`text\n${["stele", verbOf(op), ...places, "[--flags]"].join(" ")}\n\`\`\``,
    `\`\`\`sh\n${op.cli.examples.join("\n")}\n\`\`\``,
    rows.length === 0 ? "Takes no fields." : table(["field", "flag", "type", "default", "meaning"], rows),
    "Answer:",
    answerTable(op.output, ""),
  ];
}

function answerTable(shape: z.ZodObject, name: string): string {
  return table(["field", "type", "meaning"], answerRows(outputSchema(shape), "", name));
}

/** One row per field; fields of a nested object follow with their path, unless its shape has a name of its own. */
function answerRows(schema: Schema, prefix: string, within: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const property = value as Schema;
    const path = prefix + name;
    const isOptional = !schema.required?.includes(name);
    const row = [`\`${path}\``, typeOf(property, within) + (isOptional ? ", may be absent" : ""), meaningOf(property)];
    const isList = property.type === "array";
    const inner = isList ? ((property.items ?? {}) as Schema) : property;
    if (inner.properties === undefined || shapeName(inner, within) !== undefined) return [row];
    return [row, ...answerRows(inner, isList ? `${path}[].` : `${path}.`, within)];
  });
}

function meaningOf(schema: Schema): string {
  return schema.description ?? "";
}

function processSection(): string[] {
  return [
    "## Process commands",
    "Commands that start a process instead of running a verb:",
    ...PROCESS_COMMANDS.flatMap(({ name, usage, summary, flags }) => [
      `### ${name}`,
      summary,
      `\`\`\`text\n${usage}\n\`\`\``,
      flags.map(([flag, meaning]) => `- \`${flag}\`: ${meaning}`).join("\n"),
    ]),
  ];
}

function failureSection(): string[] {
  const rows = Object.entries(FAILURES).map(([code, { exit }]) => [
    `\`${code}\``,
    String(exit),
    MEANINGS[code as FailureCode],
  ]);
  return [
    "## Failures",
    "A failure has a code, a message and a hint, which is the next step. With `--json` it is `{error: {code, message, hint}}` on standard output.",
    table(["code", "exit code", "meaning"], rows),
    "Success is exit code 0. A run ended by Ctrl-C is 130.",
  ];
}
