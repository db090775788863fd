/** An item in full, as answers show it: times are ISO strings, and hidden fields are omitted. */
import * as z from "zod";
import { Grounds } from "../decisions/decision.ts";
import { type Field, type FieldName, FIELDS, type ItemFields, type Marked } from "./item-fields.ts";
import { identity, type Item } from "./item.ts";
import { Condition } from "./near-pair.ts";

type ShownField = Exclude<FieldName, "id" | Marked<{ hidden: true }>>;
type Shown<Name extends FieldName> = ItemFields[Name] extends { kind: "moment" }
  ? string | Extract<Item[Name], null>
  : Item[Name];
type Shape = { [Name in ShownField]: z.ZodType<Shown<Name>> };

export const SHOWN_FIELDS = FIELDS.filter(([name, { hidden }]) => name !== "id" && !hidden) as readonly (readonly [
  ShownField,
  Field,
])[];

function schemaOf(field: Field): z.ZodType {
  const schema = plainSchema(field);
  return field.nullable ? schema.nullable() : schema;
}

function plainSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case "id":
    case "hash":
    case "text":
    case "moment":
      return z.string();
    case "texts":
      return z.array(z.string());
    case "number":
      return z.number();
    case "whole":
      return z.int();
    case "flag":
      return z.boolean();
    case "choice":
      return z.enum(field.of);
    case "object":
      return z.record(z.string(), z.unknown());
    case "group":
      return z.object(shapeOf(Object.entries(field.fields)));
  }
}

const shapeOf = (fields: readonly (readonly [string, Field])[]): Record<string, z.ZodType> =>
  Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field)]));

export const Memory = z.object({
  grounds: Grounds.optional().describe("Decisions and proposals only."),
  ...identity,
  shelf: z.string(),
  ...(shapeOf(SHOWN_FIELDS) as Shape),
  evidence: z.array(z.string()).optional().describe("What a captured memory was taken from; `evidence` shows it."),
  near: z
    .array(
      z.object({
        ...identity,
        is: z.enum(["earlier", "later"]),
        contradicts: z.boolean(),
        createdAt: z.string(),
        summary: z.string(),
      }),
    )
    .optional()
    .describe("What it is near, and nobody has settled yet which of the two holds."),
  conditions: z.array(Condition).optional().describe("What holds beside it, and under which condition both do."),
  otherSession: z.string().optional().describe("Of a working memory that another session wrote: which session."),
  byAgent: z
    .boolean()
    .optional()
    .describe("Memories only: whether an agent wrote the text, and no person agreed to it."),
});
export type Memory = z.infer<typeof Memory>;
