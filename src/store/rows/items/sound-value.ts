/** Whether a stored value is what its field holds, and what is read in the place of one that is not. */
import type { Field } from "../../../model/memory/item-fields.ts";

function isSound(value: unknown, field: Field): boolean {
  if (value === null) return field.nullable === true;
  switch (field.kind) {
    case "id":
    case "hash":
    case "text":
      return typeof value === "string";
    case "number":
    case "whole":
    case "moment":
      return typeof value === "number";
    case "flag":
      return typeof value === "boolean";
    case "choice":
      return (field.of as readonly unknown[]).includes(value);
    case "texts":
      return Array.isArray(value) && value.every((text) => typeof text === "string");
    case "object":
      return isRecord(value);
    case "group":
      return isRecord(value) && Object.entries(field.fields).every(([name, part]) => isSound(value[name], part));
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON as its field holds it. One row that another program has spoilt must not keep everybody from the others. */
export const readJson = (text: string, field: Field): unknown => soundPart(parsed(text), field);

function soundPart(value: unknown, field: Field): unknown {
  if (isSound(value, field)) return value;
  if (field.kind !== "group") return field.nullable ? null : field.kind === "texts" ? [] : {};
  const given = isRecord(value) ? value : {};
  return Object.fromEntries(Object.entries(field.fields).map(([name, part]) => [name, soundPart(given[name], part)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not written by Stele, or damaged.
    return undefined;
  }
}
