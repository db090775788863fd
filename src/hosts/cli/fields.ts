/**
 * Fields: the input of a verb as a command line sees it.
 *
 * Derived from the JSON Schema of what a caller may send, so a flag exists for every
 * field and for nothing else. Refuses nothing itself; values are judged by the schema.
 */
import * as z from "zod";
import type { AnyOperation } from "../../operations/operation.ts";

export interface Field {
  readonly name: string;
  readonly flag: string;
  readonly kind: "switch" | "number" | "text" | "texts";
  readonly required: boolean;
  readonly description: string;
  readonly values: readonly string[];
  readonly default: unknown;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

type Schema = z.core.JSONSchema.BaseSchema;

/** Taken on every verb; no input field may share a name with one of them. */
export const GLOBAL_FLAGS = ["project", "json", "dry-run", "help"] as const;

export function verbOf(op: AnyOperation): string {
  return kebab(op.name);
}

export function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

export function fieldsOf(op: AnyOperation): Field[] {
  const schema = z.toJSONSchema(op.input, { io: "input", unrepresentable: "any" });
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const outer = property as Schema;
    const own = withoutNull(outer);
    const judged = own.type === "array" ? ((own.items ?? {}) as Schema) : own;
    return {
      name,
      flag: kebab(name),
      kind: kindOf(own),
      required: required.has(name),
      description: outer.description ?? own.description ?? "",
      values: (judged.enum ?? []).filter((value) => value !== null).map(String),
      default: outer.default ?? defaultOf(op.input.shape[name]),
      minimum: own.minimum,
      maximum: own.maximum,
    };
  });
}

/** JSON Schema leaves a default out where it is given in the form after a transformation. */
function defaultOf(schema: unknown): unknown {
  return schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
}

function withoutNull(schema: Schema): Schema {
  const alternatives = (schema.anyOf ?? []) as Schema[];
  return alternatives.find((alternative) => alternative.type !== "null") ?? schema;
}

function kindOf(schema: Schema): Field["kind"] {
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.includes("boolean")) return "switch";
  if (types.includes("number") || types.includes("integer")) return "number";
  return types.includes("array") ? "texts" : "text";
}
