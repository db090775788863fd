/** Converts a salvaged row into an item if every field has a valid value and the content matches its hash. */
import { isHashOf } from "../../../logic/text/content-hash.ts";
import type { Item } from "../../../model/memory/item.ts";
import { FIELDS, type Field } from "../../../model/memory/item-fields.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import { type ItemRow, toItem } from "../items/item-row.ts";
import { isJournaled } from "../journal/journal-writer.ts";
import type { Row } from "./salvage-pages.ts";

export function asItem(row: Row, shelf: Shelf): Item | null {
  const item = parsed(row);
  if (!item || !FIELDS.every(([name, field]) => isSound(item[name], field))) return null;
  return !isJournaled(shelf) || isHashOf(item) ? item : null;
}

function parsed(row: Row): Item | null {
  try {
    return toItem(row as unknown as ItemRow);
  } catch {
    // Damaged JSON.
    return null;
  }
}

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
