/** Converts between items and rows, whichever database they come from. The only place that knows both names of a field. */
import { standingCentrality } from "../graph/edges.ts";
import { type Field, FIELDS, ITEM_FIELDS, type Part, projection } from "../memory/item-fields.ts";
import type { Context, Item, Scope } from "../memory/item.ts";
import { type Shelf, SHELVES } from "../memory/shelves.ts";
import type { Filter, Outline } from "../recall/search.ts";

/** Whether a stored value is what its field holds, and what is read in the place of one that is not. */
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
const readJson = (text: string, field: Field): unknown => soundPart(parsed(text), field);

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

export type ItemValue = string | number | null;

/** Values by column; only columns that are read directly have a type of their own. */
export type ItemRow = { seq: number; id: string; status: string } & Record<string, ItemValue>;

type Kind = Field["kind"];
const WRITTEN: Partial<Record<Kind, (value: unknown) => ItemValue>> = {
  flag: (value) => (value ? 1 : 0),
  texts: JSON.stringify,
  group: JSON.stringify,
  object: JSON.stringify,
};
const JSON_KINDS: readonly Kind[] = ["texts", "group", "object"];

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

const soundItem: (row: ItemRow) => Item = projection<Item>(
  FIELDS.map(([name, field]) => ({ from: columnOf(name), to: name, convert: reading(field) })),
);

function reading(field: Field): Part["convert"] {
  if (field.kind === "flag") return (value: ItemValue) => value === 1;
  return JSON_KINDS.includes(field.kind) ? (value: string) => readJson(value, field) : null;
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

/** A filter as parameters of one fixed condition: absent parts are null, and so are empty lists. */
export type FilterPart = string | number | readonly string[] | null;

const list = (values?: readonly string[]) => (values && values.length > 0 ? values : null);

export function filterParts(filter: Filter): Record<string, FilterPart> {
  return {
    statuses: filter.statuses,
    now: filter.now,
    scopes: list(filter.scopes),
    types: list(filter.types),
    tags: list(filter.tags),
    labels: list(filter.labels),
    branch: filter.branch ?? null,
    pathPrefix: filter.pathPrefix ?? null,
    languages: list(filter.languages),
    session: filter.session ?? null,
    minimumPriority: filter.minimumPriority ?? null,
    createdAfter: filter.createdAfter ?? null,
    createdBefore: filter.createdBefore ?? null,
    validAt: filter.validAt ?? null,
    visibleIn: filter.visibleIn ?? null,
  };
}

const PASSED_BY_MOST: readonly string[] = ["statuses", "now", "validAt"];

/** Whether the filter has more than status and time, which nearly every item passes. */
export function isSelective(filter: Filter): boolean {
  return Object.entries(filterParts(filter)).some(([name, value]) => !PASSED_BY_MOST.includes(name) && value !== null);
}

/** Made for a shelf when it is first used. Shelves name tables: a name that somebody else wrote must never become one. */
export function perShelf<T>(make: (shelf: Shelf) => T): (shelf: Shelf) => T {
  const made = new Map<Shelf, T>();
  return (shelf) => {
    const known = made.get(shelf);
    if (known !== undefined) return known;
    if (!SHELVES.includes(shelf)) throw new TypeError(`There is no such shelf: ${String(shelf)}`);
    const fresh = make(shelf);
    made.set(shelf, fresh);
    return fresh;
  };
}

type OnShelves<Reader> = {
  [Name in keyof Reader]: Reader[Name] extends (...given: infer Given) => infer Answer
    ? (shelf: Shelf, ...given: Given) => Answer
    : never;
};

/** Methods of one shelf as methods that are told the shelf first. */
export function onShelves<Reader, Name extends keyof Reader>(
  on: (shelf: Shelf) => Reader,
  names: readonly Name[],
): Pick<OnShelves<Reader>, Name> {
  const told = (name: Name) => [
    name,
    (shelf: Shelf, ...given: unknown[]) => (on(shelf)[name] as (...given: unknown[]) => unknown)(...given),
  ];
  return Object.fromEntries(names.map(told)) as Pick<OnShelves<Reader>, Name>;
}

/** What is read of items shelf by shelf. */
export const ITEM_READS = [
  "items",
  "outlines",
  "sameContent",
  "fileAt",
  "list",
  "newest",
  "replacedBy",
  "heads",
  "leaving",
  "expired",
  "whole",
  "walk",
] as const;
