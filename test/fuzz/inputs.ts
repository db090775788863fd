/**
 * Inputs for any verb, made from nothing but its schema.
 *
 * A field's JSON Schema says what is allowed, at its edges and beyond; its description says whether an
 * id or a path is meant; the schema itself judges which kinds of text are plausible. No verb and no
 * field is known here, so a new verb is covered the day it joins the catalog.
 */
import fc from "fast-check";
import * as z from "zod";
import type { AnyOperation } from "../../src/catalog/operation.ts";
import type { Known } from "./known.ts";
import { contained, hostileText, hugeText, moment, sentence } from "./strings.ts";

interface FieldSchema {
  type?: string;
  enum?: string[];
  description?: string;
  default?: unknown;
  items?: FieldSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

interface Field {
  name: string;
  required: boolean;
  /** What a verb is mostly called with, though it can do without. */
  usual: boolean;
  plausible: fc.Arbitrary<unknown>;
  /** Allowed or not: edges, other types, hostile text. */
  anything: fc.Arbitrary<unknown>;
}

type Input = Record<string, unknown>;

/** What earlier answers told, as far as it may suit a field. */
interface Told {
  id: fc.Arbitrary<string>;
  path: fc.Arbitrary<string>;
}

const choices = fc.noBias(fc.nat(1_000_000));

/** Every kind of input: good ones, ones with a fault, ones that are nothing but faults. */
export function inputsFor(op: AnyOperation, known: Known): fc.Arbitrary<unknown> {
  const fields = fieldsOf(op, known);
  const good = recordOf(fields, "plausible");
  if (fields.length === 0) return fc.oneof({ weight: 3, arbitrary: good }, withStranger(good, op), noObject);
  const faulty = fc
    .tuple(
      good,
      fc.constantFrom(...fields).chain(({ name, anything }) => fc.tuple(fc.constant(name), anything)),
    )
    .map(([input, [name, value]]) => ({ ...input, [name]: value }));
  const lacking = fc
    .tuple(good, fc.constantFrom(...fields))
    .map(([input, { name }]) => Object.fromEntries(Object.entries(input).filter(([key]) => key !== name)));
  return fc.oneof(
    { weight: 55, arbitrary: good },
    { weight: 25, arbitrary: faulty },
    { weight: 8, arbitrary: recordOf(fields, "anything") },
    { weight: 4, arbitrary: lacking },
    { weight: 5, arbitrary: withStranger(good, op) },
    { weight: 3, arbitrary: noObject },
  );
}

/** Inputs that the schema takes, as far as it can tell. */
export function plausibleInputs(op: AnyOperation, known: Known): fc.Arbitrary<Input> {
  return recordOf(fieldsOf(op, known), "plausible").filter((input) => op.input.safeParse(input).success);
}

function fieldsOf(op: AnyOperation, known: Known): Field[] {
  const schema = z.toJSONSchema(op.input, { io: "input", unrepresentable: "any" });
  const required = new Set(schema.required ?? []);
  return Object.entries((schema.properties ?? {}) as Record<string, FieldSchema>).map(([name, field]) => {
    const told: Told = {
      id: choices.map((choice) => known.id(choice, { verb: op.name, field: name })),
      path: choices.map((choice) => known.path(choice)),
    };
    const accepts = (value: unknown) => (op.input.shape[name] as z.ZodType).safeParse(value).success;
    const free = plausibleValue(field, told, accepts);
    // What a field is by default is what callers mostly send; the other values tend to cost more time.
    const plausible =
      field.default === undefined
        ? free
        : fc.oneof({ weight: 3, arbitrary: fc.constant(field.default) }, { weight: 1, arbitrary: free });
    return {
      name,
      required: required.has(name),
      usual: op.cli.positional?.[0] === name,
      plausible,
      anything: fc.oneof(plausible, edgeValue(field), wrongType),
    };
  });
}

/** Required fields always, the usual one mostly, others now and then; more often where none is required or usual. */
function recordOf(fields: readonly Field[], what: "plausible" | "anything"): fc.Arbitrary<Input> {
  const weight = fields.some(({ required, usual }) => required || usual) ? 3 : 1;
  const parts = fields.map(({ name, required, usual, ...field }) => {
    const given = field[what].map((value): [string, unknown][] => [[name, value]]);
    if (required) return given;
    const [left, taken] = usual ? [1, 3] : [weight, 1];
    return fc.oneof({ weight: left, arbitrary: fc.constant([]) }, { weight: taken, arbitrary: given });
  });
  return fc.tuple(...parts).map((entries) => Object.fromEntries(entries.flat()) as Input);
}

function plausibleValue(schema: FieldSchema, told: Told, accepts: (value: unknown) => boolean): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return plausibleNumber(schema, (range) => fc.integer(range));
    case "number":
      return plausibleNumber(schema, (range) => fc.double({ ...range, noNaN: true }));
    case "array": {
      const items = { description: schema.description, ...schema.items } as FieldSchema;
      const one = plausibleValue(items, told, (value) => accepts([value]));
      return fc.array(one, { maxLength: Math.min(3, schema.maxItems ?? 3) });
    }
    default:
      return plausibleText(schema, told, accepts);
  }
}

/** Mostly near the lower end: the upper ends of limits and pages only cost time. */
function plausibleNumber(
  { minimum = -1_000, maximum = 1_000 }: FieldSchema,
  make: (range: { min: number; max: number }) => fc.Arbitrary<number>,
): fc.Arbitrary<number> {
  const upTo = (max: number) => make({ min: minimum, max: Math.min(maximum, max) });
  return fc.oneof(
    { weight: 6, arbitrary: upTo(minimum + 4) },
    { weight: 3, arbitrary: upTo(minimum + 30) },
    { weight: 1, arbitrary: upTo(maximum) },
  );
}

const SAMPLES = 8;

function plausibleText(
  { description = "" }: FieldSchema,
  { id, path }: Told,
  accepts: (value: unknown) => boolean,
): fc.Arbitrary<string> {
  const kinds: { weight: number; arbitrary: fc.Arbitrary<string> }[] = [
    { weight: /\b(id|handle)s?\b/i.test(description) ? 60 : 1, arbitrary: id },
    { weight: /\b(path|file|folder)s?\b/i.test(description) ? 60 : 1, arbitrary: path },
    { weight: 12, arbitrary: sentence },
    { weight: 2, arbitrary: moment },
    { weight: 3, arbitrary: hostileText },
  ];
  const fitting = kinds.filter(({ arbitrary }) => fc.sample(arbitrary, { seed: 1, numRuns: SAMPLES }).some(accepts));
  return fitting.length > 0 ? fc.oneof(...fitting) : sentence;
}

function edgeValue(schema: FieldSchema): fc.Arbitrary<unknown> {
  switch (schema.enum ? "enum" : schema.type) {
    case "enum":
      return fc.constantFrom(...schema.enum!.flatMap((value) => [value.toUpperCase(), `${value} `, value.slice(1)]));
    case "integer":
    case "number":
      return fc.constantFrom(...edgesOf(schema));
    case "array":
      return edgeList(schema);
    default:
      return edgeText(schema);
  }
}

function edgesOf({ minimum, maximum }: FieldSchema): unknown[] {
  const own = [minimum, maximum].filter((edge) => edge !== undefined).flatMap((edge) => [edge - 1, edge, edge + 1]);
  const numbers = [NaN, Infinity, -Infinity, -0, 0.5, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 53), 1e308, 5e-324];
  return [...own, ...numbers, "3", " 4 ", "0x10", "five", 7n];
}

function edgeText({ minLength = 0, maxLength = 10_000 }: FieldSchema): fc.Arbitrary<string> {
  const longest = Math.min(maxLength, 1_000_000);
  const lengths = [Math.max(0, minLength - 1), minLength, longest, longest + 1];
  const long = fc
    .tuple(fc.constantFrom("a", "é", "a b", "😀"), fc.constantFrom(...lengths))
    .map(([piece, length]) => piece.repeat(length).slice(0, length));
  return fc.oneof(
    { weight: 150, arbitrary: hostileText },
    { weight: longest > 100_000 ? 1 : 40, arbitrary: long },
    { weight: 1, arbitrary: hugeText },
  );
}

function edgeList({ items = {}, maxItems = 50 }: FieldSchema): fc.Arbitrary<unknown> {
  const entry = items.enum ? fc.constantFrom(...items.enum) : fc.constantFrom("a", "b c", "");
  const long = fc
    .tuple(entry, fc.constantFrom(maxItems, maxItems + 1, 3_000))
    .map(([value, length]) => Array.from({ length }, (_, index) => (items.enum ? value : `${value}${index}`)));
  return fc.oneof(
    fc.array(hostileText, { maxLength: 5 }),
    fc.array(fc.oneof(entry, wrongType), { maxLength: 5 }),
    fc.constantFrom("[]", "a,b", [], [[]], [["a"]], ["a", "a"], { 0: "a", length: 1 }),
    long,
  );
}

const circular: Input = {};
circular["self"] = circular;

/** Some of it only a program in the same process can send; the other hosts spell it as JSON would. */
const wrongType: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    true,
    false,
    0,
    1,
    -1,
    NaN,
    "",
    "text",
    [],
    {},
    [[[[]]]],
    [null],
    { id: "x" },
    { toString: "no function" },
    JSON.parse('{"__proto__": {"admin": true}}'),
    Object.create(null),
    circular,
    () => "function",
    Symbol("symbol"),
    10n,
    new Date(0),
    new Map([["a", 1]]),
    /pattern/,
    new Uint8Array(4),
    new String("boxed"),
  ),
  fc.anything({ maxDepth: 2 }).map((value) => (typeof value === "string" ? contained(value) : value)),
  hostileText,
);

const noObject: fc.Arbitrary<unknown> = fc.oneof(
  wrongType,
  fc.constantFrom<unknown>([], [{}], "{}", Object.create({ inherited: 1 }), new Proxy({}, {}), circular),
);

function withStranger(good: fc.Arbitrary<Input>, op: AnyOperation): fc.Arbitrary<Input> {
  const names = ["__proto__", "constructor", "toString", "", "0", "project", "json", "dryRun", "session", "limt"];
  const misspelt = Object.keys(op.input.shape).map((name) => `${name}s`);
  const stranger = fc.oneof(fc.constantFrom(...names, ...misspelt), hostileText);
  return fc.tuple(good, stranger, wrongType).map(([input, name, value]) => {
    const copy = { ...input };
    // An assignment would set the prototype instead of making a field.
    Object.defineProperty(copy, name, { value, enumerable: true });
    return copy;
  });
}
