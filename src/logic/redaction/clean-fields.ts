/** Redacts secrets in the free text of an item or of some of its fields. Absent fields stay absent. */
import type { Item } from "../../model/memory/item.ts";
import { FIELDS } from "../../model/memory/item-fields.ts";
import { cleanedTurn } from "../sessions/packed-turn.ts";

export type Clean = (text: string) => string;

const FREE = FIELDS.filter(([, { free }]) => free);

export function cleanFields<Part extends Partial<Item>>(part: Part, clean: Clean): Part {
  // A packed turn is no text; its parts are.
  const { turn, ...details } = part.details ?? {};
  const cleaned: Record<string, unknown> = { ...part, ...(turn !== undefined && { details }) };
  for (const [name, { kind }] of FREE) {
    const value = cleaned[name];
    // The keys of a group are ours, and searching them for secrets would cost more than everything else here.
    if (value !== undefined) cleaned[name] = cleanDeep(value, clean, kind === "group" ? asItIs : clean);
  }
  if (turn === undefined) return cleaned as Part;
  return {
    ...cleaned,
    details: { ...(cleaned["details"] as Item["details"]), ...cleanedTurn({ turn }, clean) },
  } as Part;
}

const asItIs: Clean = (text) => text;

/** Every string in a value. */
export function cleanDeep(value: unknown, clean: Clean, cleanKey: Clean = clean): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((part) => cleanDeep(part, clean, cleanKey));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [cleanKey(key), cleanDeep(part, clean, cleanKey)]);
  return Object.fromEntries(entries);
}
