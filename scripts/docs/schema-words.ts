/**
 * Describes JSON Schemas in words, and renders tables.
 *
 * Long value lists and shapes shared by several answers are described once under a name; everywhere else only the name
 * appears, with a link.
 */
import * as z from "zod";
import { SOURCES, STATUSES } from "../../src/memory/item-fields.ts";
import { TYPE_SYNONYMS } from "../../src/memory/item.ts";
import { MEMORY_TYPES, SHELVES } from "../../src/memory/shelves.ts";
import { Memory } from "../../src/memory/view.ts";
import { Hit, Past } from "../../src/recall/hit.ts";

export type Schema = z.core.JSONSchema.BaseSchema;

export const SHAPES: Record<string, z.ZodObject> = { Hit, Memory, Past };

export const VOCABULARIES: Record<string, readonly string[]> = {
  "memory type": MEMORY_TYPES,
  status: STATUSES,
  source: SOURCES,
  shelf: SHELVES,
};

const INLINE_VALUES = 4;
const PLAIN_TYPES: Record<string, string> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  null: "null",
};

export function inputSchema(type: z.ZodType): Schema {
  return z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as Schema;
}

export function outputSchema(type: z.ZodType): Schema {
  return z.toJSONSchema(type, { io: "output", unrepresentable: "any" }) as Schema;
}

/** The type of a field. `within` is the shape being described, which does not link to itself. */
export function typeOf(schema: Schema, within = ""): string {
  const alternatives = (schema.anyOf ?? []) as Schema[];
  if (alternatives.length > 0) return alternatives.map((part) => typeOf(part, within)).join(" or ");
  if (Array.isArray(schema.type)) {
    return (schema.type as string[]).map((type) => typeOf({ ...schema, type } as Schema, within)).join(" or ");
  }
  if (schema.enum) return valuesOf(schema.enum.map(String));
  if (schema.type === "array") return listOf(schema, within);
  if (schema.type === "object") return objectOf(schema, within);
  return [PLAIN_TYPES[String(schema.type)] ?? "anything", boundsOf(schema)].filter((part) => part !== "").join(", ");
}

function valuesOf(values: readonly string[]): string {
  const synonyms: readonly string[] = Object.keys(TYPE_SYNONYMS);
  const telling = values.filter((value) => !synonyms.includes(value)).join();
  const name = Object.keys(VOCABULARIES).find((key) => VOCABULARIES[key]!.join() === telling);
  if (name !== undefined && values.length > INLINE_VALUES) return link(name);
  return `one of ${values.map((value) => `\`${value}\``).join(", ")}`;
}

function listOf({ items, maxItems }: Schema, within: string): string {
  const [kind, ...bounds] = typeOf((items ?? {}) as Schema, within).split(", at most");
  const most = maxItems === undefined ? "" : `, at most ${maxItems}`;
  return `list: ${kind}${most}${bounds.map((bound) => `, each at most${bound}`).join("")}`;
}

function objectOf(schema: Schema, within: string): string {
  const name = shapeName(schema, within);
  if (name !== undefined) return link(name);
  if (schema.properties) return "object";
  const { type } = (schema.additionalProperties ?? {}) as { type?: string };
  return type === "number" ? "number by name" : "values by name";
}

export function shapeName(schema: Schema, within: string): string | undefined {
  const text = distinguishing(schema);
  return Object.keys(SHAPES).find((name) => name !== within && distinguishing(outputSchema(SHAPES[name]!)) === text);
}

function distinguishing({ properties, required }: Schema): string {
  return JSON.stringify({ properties, required });
}

export function link(name: string): string {
  return `[${name}](#${name.toLowerCase().replaceAll(" ", "-")})`;
}

function boundsOf({ type, minimum, maximum, maxLength }: Schema): string {
  if (String(type) === "null") return "";
  // zod bounds every whole number by what a double can hold; nobody needs to read that.
  const low = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (low !== undefined && high !== undefined) return `${low} to ${high}`;
  if (low !== undefined) return `at least ${low}`;
  if (high !== undefined) return `at most ${high}`;
  return maxLength === undefined ? "" : `at most ${maxLength} characters`;
}

/** The value of an omitted field: determined by parsing, because a schema forgets defaults before a transform. */
export function defaultOf(type: z.ZodType): string {
  const { success, data } = type.safeParse(undefined);
  if (!success) return "required";
  if (data === undefined) return "";
  return Array.isArray(data) && data.length === 0 ? "none" : `\`${String(data)}\``;
}

/** A Markdown table; empty columns are left out. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const kept = head.map((_, column) => rows.some((row) => row[column] !== ""));
  const line = (cells: readonly string[]) =>
    `| ${cells
      .filter((_, column) => kept[column])
      .map((cell) => cell.replaceAll("|", "\\|"))
      .join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
