/**
 * Fields: the input of a verb as a command line sees it.
 *
 * Derived from the input schema, so there is a flag for every field and for nothing else.
 * Refuses nothing itself; values are validated by the schema.
 */
import * as z from "zod";
import type { Naming } from "../catalog/input.ts";
import type { AnyOperation } from "../catalog/operation.ts";
import { isAdvertised } from "../catalog/other-names.ts";

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
  /** A list whose entries may also be separated by commas. */
  readonly separated: boolean;
  /** Shown in help and completed. */
  readonly advertised: boolean;
}

/** Accepted by verbs whose text a person can edit. */
export const EDIT_FLAG = "edit";

/** Accepted by every verb that has a use for them; no input field may have one of these names. */
export const globalFlagsOf = (op: AnyOperation): string[] => [
  ...["project", "json", "help"],
  ...(op.effect === "read" ? [] : ["dry-run"]),
  ...(op.editing === undefined ? [] : [EDIT_FLAG]),
];

export function verbOf(op: AnyOperation): string {
  return kebab(op.name);
}

export function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

/** Verbs and fields as they are typed. */
export const TYPED: Naming = {
  verb: verbOf,
  field: ({ cli }, name) => (cli.positional?.includes(name) ? kebab(name) : `--${kebab(name)}`),
  next: (op, isMissing) => {
    const help = `\`stele ${verbOf(op)} --help\` lists its flags.`;
    const [example] = op.cli.examples;
    return example === undefined || !isMissing ? help : `For example: \`${example}\`; ${help}`;
  },
};

export function fieldsOf(op: AnyOperation): Field[] {
  return Object.entries(op.input.shape).map(([name, schema]) => {
    const own = innermost(schema as z.ZodType);
    const single = own instanceof z.ZodArray ? innermost(own.element as z.ZodType) : own;
    return {
      name,
      flag: kebab(name),
      kind: kindOf(own),
      required: !(schema as z.ZodType).safeParse(undefined).success,
      description: (schema as z.ZodType).description ?? own.description ?? "",
      values: single instanceof z.ZodEnum ? single.options.map(String) : [],
      default: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined,
      separated: own instanceof z.ZodArray && (single instanceof z.ZodEnum || isTransformed(schema as z.ZodType)),
      advertised: isAdvertised(name),
      ...boundsOf(own),
    };
  });
}

/** The schema of the value itself, without defaults, optionality and transformations. */
function innermost(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return innermost(schema.in as z.ZodType);
  const isWrapped = [z.ZodOptional, z.ZodDefault, z.ZodNullable].some((kind) => schema instanceof kind);
  return isWrapped ? innermost((schema as z.ZodOptional<z.ZodType>).unwrap()) : schema;
}

/** A list that the schema itself divides. */
function isTransformed(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodPipe) return true;
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? isTransformed(schema.unwrap() as z.ZodType)
    : false;
}

function kindOf(schema: z.ZodType): Field["kind"] {
  if (schema instanceof z.ZodBoolean) return "switch";
  if (schema instanceof z.ZodNumber) return "number";
  return schema instanceof z.ZodArray ? "texts" : "text";
}

function boundsOf(schema: z.ZodType): Pick<Field, "minimum" | "maximum"> {
  const { minValue, maxValue } = schema instanceof z.ZodNumber ? schema : {};
  return { minimum: bound(minValue), maximum: bound(maxValue) };
}

const bound = (value: number | null | undefined) => (Number.isFinite(value) ? value! : undefined);
