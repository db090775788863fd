/** Takes secrets out of the free text of an item, or of a part of one. What is absent stays absent. */
import type { Item } from "../../model/memory/item.ts";
import { FREE_FIELDS } from "../../model/memory/item-fields.ts";

export type Clean = (text: string) => string;

export function cleanFields<Part extends Partial<Item>>(part: Part, clean: Clean): Part {
  const cleaned: Record<string, unknown> = { ...part };
  for (const name of FREE_FIELDS) if (cleaned[name] !== undefined) cleaned[name] = cleanDeep(cleaned[name], clean);
  return cleaned as Part;
}

function cleanDeep(value: unknown, clean: Clean): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((part) => cleanDeep(part, clean));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [clean(key), cleanDeep(part, clean)]));
}
