/**
 * Invalid input, reported so that the caller can correct it.
 *
 * One sentence names the fields and what each must be; the hint names the nearest
 * known field or all of them. Values are never repeated: they may be private.
 */
import type * as z from "zod";
import { Failure, nearest } from "../errors.ts";
import { demandOf } from "../text/text.ts";
import type { AnyOperation } from "./operation.ts";
import { goneField, isAdvertised, meantField, meantValue } from "./other-names.ts";

type Issue = z.core.$ZodIssue;

/** How a host names verbs and fields to its callers. */
export interface Naming {
  verb(op: AnyOperation): string;
  field(op: AnyOperation, name: string): string;
  /** The fields its callers are told of; all of them when omitted. */
  fields?(op: AnyOperation): readonly string[];
  /** The next step when fields are missing or wrong; a list of all fields when omitted. */
  next?(op: AnyOperation, isMissing: boolean): string;
}

export const AS_DECLARED: Naming = { verb: ({ name }) => name, field: (_, name) => name };

const SHOWN_ISSUES = 3;

export function unknownField(op: AnyOperation, field: string, naming = AS_DECLARED): Failure {
  const instead = goneField(op, field);
  if (instead !== null)
    return new Failure("invalid_input", `${naming.verb(op)} has no field \`${field}\` any more.`, instead);
  const fields = Object.keys(op.input.shape);
  const close = meantField(field, fields) ?? nearest(field, fields);
  const hint = close === null ? takes(op, naming) : `Did you mean \`${naming.field(op, close)}\`?`;
  return new Failure("invalid_input", `${naming.verb(op)} has no field \`${field}\`.`, hint);
}

export function invalidInput(
  op: AnyOperation,
  issues: readonly Issue[],
  raw: Record<string, unknown>,
  naming = AS_DECLARED,
): Failure {
  // One issue per field: the first is the most telling, the others often follow from it.
  const fields = Map.groupBy(issues, ({ path }) => String(path[0] ?? ""));
  const sentences = [...fields.values()]
    .slice(0, SHOWN_ISSUES)
    .map(([issue]) => sentence(issue!, raw, (name) => naming.field(op, name)));
  return new Failure("invalid_input", `${sentences.join("; ")}.`, hintFor(op, issues, raw, naming));
}

function hintFor(op: AnyOperation, issues: readonly Issue[], raw: Record<string, unknown>, naming: Naming): string {
  const [issue] = issues;
  const given = issue === undefined ? undefined : valueAt(issue, raw);
  if (issue?.code === "invalid_value" && typeof given === "string") {
    const values = issue.values.map(String);
    const close = meantValue(given, values) ?? nearest(given, values);
    return close ? `Did you mean \`${close}\`?` : "Give one of these values.";
  }
  return takes(op, naming, issue !== undefined && given === undefined);
}

function takes(op: AnyOperation, naming: Naming, isMissing = false): string {
  if (naming.next) return naming.next(op, isMissing);
  const shown = naming.fields?.(op) ?? Object.keys(op.input.shape).filter(isAdvertised);
  const fields = shown.map((name) => naming.field(op, name));
  const verb = `\`${naming.verb(op)}\``;
  return fields.length === 0 ? `${verb} takes no fields.` : `${verb} takes: ${fields.join(", ")}.`;
}

type NameOf = (field: string) => string;

function sentence(issue: Issue, raw: Record<string, unknown>, nameOf: NameOf): string {
  const what = valueAt(issue, raw) === undefined && issue.code !== "custom" ? "is required" : demandOf(issue);
  return `${subjectOf(issue, nameOf)} ${what}`;
}

/** Inputs are flat: after the first step a path holds only a list index. */
function subjectOf({ path: [field, index] }: Issue, nameOf: NameOf): string {
  if (field === undefined) return "The input";
  const name = nameOf(String(field));
  return index === undefined ? name : `an entry of ${name}`;
}

function valueAt(issue: Issue, raw: Record<string, unknown>): unknown {
  let value: unknown = raw;
  for (const step of issue.path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step];
  return value;
}

/**
 * Input as it was meant: values of another type that can be read only one way.
 *
 * Models write "5" for 5, "api" for a list of one, and null for nothing. Strict parsing comes first and says what does
 * not fit; only those values are read again.
 */
export function asMeant(fields: Readonly<Record<string, unknown>>, issues: readonly Issue[]): Record<string, unknown> {
  const meant = { ...fields };
  for (const issue of issues) {
    if (issue.code !== "invalid_type") continue;
    const [field, index] = issue.path;
    if (field === undefined) continue;
    const name = String(field);
    const value = meant[name];
    if (index === undefined) meant[name] = reread(value, issue.expected);
    else if (Array.isArray(value))
      meant[name] = value.with(Number(index), reread(value[Number(index)], issue.expected));
  }
  return Object.fromEntries(Object.entries(meant).filter(([, value]) => value !== null));
}

function reread(value: unknown, expected: string): unknown {
  switch (expected) {
    case "number":
    case "int":
      return typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : value;
    case "boolean":
      return BOOLEANS.get(typeof value === "string" ? value.trim().toLowerCase() : value) ?? value;
    case "array":
      return typeof value === "string" || typeof value === "number" ? listIn(String(value)) : value;
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    default:
      return value;
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const BOOLEANS = new Map<unknown, boolean>([
  ["true", true],
  ["false", false],
]);
/** Words with commas between them; in anything longer a comma belongs to the text. */
const WORDS = /^[\w.-]+(?:\s*,\s*[\w.-]+)+$/;

function listIn(text: string): unknown[] {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  if (trimmed.startsWith("[")) {
    const list = parsed(trimmed);
    if (Array.isArray(list)) return list;
  }
  return WORDS.test(trimmed) ? trimmed.split(/\s*,\s*/) : [text];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
