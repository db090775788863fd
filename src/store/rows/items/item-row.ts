/** Converts between items and rows, whichever database they come from. The only place that knows both names of a field. */
import { standingCentrality } from "../../../logic/graph/centrality.ts";
import { type Part, projection } from "../../../logic/memory/projection.ts";
import type { Context, Item, Scope } from "../../../model/memory/item.ts";
import { FIELDS, type Field, ITEM_FIELDS } from "../../../model/memory/item-fields.ts";
import type { Shelf } from "../../../model/memory/shelves.ts";
import type { Outline } from "../../../model/recall/search.ts";
import { readJson } from "./sound-value.ts";

export type ItemValue = string | number | null;

/** Values by column; only columns that are read directly have a type of their own. */
export type ItemRow = { seq: number; id: string; status: string } & Record<string, ItemValue>;

type Kind = Field["kind"];
const WRITTEN: Partial<Record<Kind, (value: unknown) => ItemValue>> = {
  flag: (value) => (value ? 1 : 0),
  ...{ texts: JSON.stringify, group: JSON.stringify, object: JSON.stringify },
};
const parse = (value: string): unknown => JSON.parse(value);
const READ: Partial<Record<Kind, Part["convert"]>> = {
  flag: (value: ItemValue) => value === 1,
  ...{ texts: parse, group: parse, object: parse },
};

const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Every column but the row number. The branch stands by itself as well, for filters. */
export const ITEM_COLUMNS: readonly string[] = [...FIELDS.map(([name]) => columnOf(name)), "branch"];

const WRITERS = FIELDS.map(([name, { kind }]) => ({ name, write: WRITTEN[kind] ?? null }));

/** A row's values in column order: binding by name costs more than the write itself. */
export function toValues(item: Item): ItemValue[] {
  const values = WRITERS.map(({ name, write }) => (write ? write(item[name]) : (item[name] as ItemValue)));
  values.push(item.context.branch);
  return values;
}

/** Exactly what the row says, or an error; readers use `itemOn`. */
export const toItem: (row: ItemRow) => Item = projection<Item>(
  FIELDS.map(([name, { kind }]) => ({ from: columnOf(name), to: name, convert: READ[kind] ?? null })),
);

const soundItem: (row: ItemRow) => Item = projection<Item>(
  FIELDS.map(([name, field]) => ({ from: columnOf(name), to: name, convert: reading(field) })),
);

function reading(field: Field): Part["convert"] {
  const { kind } = field;
  return READ[kind] === parse ? (value: string) => readJson(value, field) : (READ[kind] ?? null);
}

/** The item of a row, with nothing in the place of JSON that is not what its field holds. The shelf says what is a decision: elsewhere, a row that claims to be one was not written by Stele. */
export function itemOn(shelf: Shelf, row: ItemRow): Item {
  const item = soundItem(row);
  item.type = typeOn(shelf, item.type);
  return item;
}

const UNDECIDED: Readonly<Partial<Record<Shelf, string>>> = { memory: "fact", evidence: "evidence" };
const typeOn = (shelf: Shelf, type: string): string => (type === "decision" ? (UNDECIDED[shelf] ?? type) : type);

/** An array, because an object for each of a hundred rows costs more than reading them. */
export type OutlineRow = [
  id: string,
  scope: string,
  priority: number,
  confidence: number,
  path: string | null,
  context: string,
  createdAt: number,
  validFrom: number | null,
  subject: string | null,
  rank: number | null,
  fadesSince: number | null,
  type: string | null,
  accessCount: number,
  inDegree: number | null,
  mostIncoming: number | null,
];

export function toOutline(row: OutlineRow): Outline {
  const [id, scope, priority, confidence, path, context, createdAt, validFrom, subject, ...standing] = row;
  const [pageRank, fadesSince, type, accessCount, inDegree, most] = standing;
  const parsed = readJson(context, ITEM_FIELDS.context) as Context;
  const own = { id, scope: scope as Scope, priority, confidence, path, context: parsed, createdAt, validFrom };
  const rank = pageRank ?? (inDegree === null ? null : standingCentrality(inDegree, most ?? 0));
  // Only memories have a type here.
  return { ...own, subject, rank, fadesSince, type: type === null ? null : typeOn("memory", type), accessCount };
}
