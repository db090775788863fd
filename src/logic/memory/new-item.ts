/** Defaults of a new item, in one place so that all kinds start alike. */
import type { Origin } from "../../model/journal/change.ts";
import type { Item } from "../../model/memory/item.ts";
import { FIELDS, LATER_FIELDS, type Marked, SAID_FIELDS, type SaidField } from "../../model/memory/item-fields.ts";
import { summaryOf } from "../text/summary.ts";

export interface Provenance {
  id: string;
  now: number;
  origin: Pick<Origin, "host" | "session">;
}

type Given = Pick<Item, "type" | "content" | "hash" | "source" | "context" | "details"> & Partial<Item>;

type DefaultedField = Marked<{ nullable: true }> | Marked<{ initial: unknown }>;
const DEFAULTS = Object.fromEntries(
  FIELDS.filter(([, field]) => field.nullable || "initial" in field).map(([name, { initial = null }]) => [
    name,
    initial,
  ]),
) as Pick<Item, DefaultedField>;

export function newItem(given: Given, { id, now, origin }: Provenance): Item {
  return {
    ...DEFAULTS,
    ...{ id, host: origin.host, session: origin.session, createdAt: now, updatedAt: now, accessedAt: now },
    tags: [],
    ...given,
    summary: given.summary ?? summaryOf(given.content),
  };
}

type Said = Partial<Pick<Item, SaidField>>;

/** The fields that a caller gave, without those left undefined. */
export function saidIn(part: Said): Said {
  return Object.fromEntries(SAID_FIELDS.flatMap((name) => (part[name] === undefined ? [] : [[name, part[name]]])));
}

/** Adds fields that did not exist when the item was recorded, in their usual order. */
export function withLaterFields(kept: Item): Item {
  if (LATER_FIELDS.every((name) => name in kept)) return kept;
  return Object.fromEntries(FIELDS.map(([name]) => [name, kept[name] ?? null])) as unknown as Item;
}
