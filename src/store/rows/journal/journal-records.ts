/**
 * Reads records of the journal out of rows: changes with the state before and after.
 *
 * An entry stores only the state before. The state after is what the item's next entry
 * stores, or the current row if there is none. Rows may have been edited by hand:
 * anything unreadable is reported as not kept, and never trusted.
 */
import { inState } from "../../../logic/memory/item-state.ts";
import { type Edge, hasEdges } from "../../../model/memory/edge.ts";
import type { Item } from "../../../model/memory/item.ts";
import {
  type ChangeRecord,
  EDGE_KINDS,
  type EdgeImage,
  type Gone,
  type Image,
  type JournalEntry,
  type JournaledKind,
} from "../../../model/journal/journal.ts";
import { SHELVES, type Shelf } from "../../../model/memory/shelves.ts";
import { readEdge, readPayload, readState } from "./journal-payload.ts";
import { keepsPassages } from "./journal-link.ts";

export interface RecordRow extends JournalEntry {
  /** Only of a store that several people write, and what they say their name is. */
  role?: string;
  author?: string | null;
  /** Only for an erasure. */
  previousKind: JournaledKind | null;
  hasPayload: number;
  payload: string | null;
  nextKind: JournaledKind | null;
  nextHasPayload: number;
  nextPayload: string | null;
}

const ABSENT: Image = { item: null, why: "absent" };
const ERASED: Image = { item: null, why: "erased" };
const NOT_KEPT: Image = { item: null, why: "not kept" };

/** The ids whose current rows records need: those of entries without a later one. */
export function currentIds(rows: readonly RecordRow[]): { shelf: Shelf; items: string[]; edges: string[] }[] {
  const isAsked = ({ nextKind, shelf }: RecordRow) => nextKind === null || keepsPassages(shelf);
  const latest = rows.filter((row) => SHELVES.includes(row.shelf) && isAsked(row));
  return [...Map.groupBy(latest, (row) => row.shelf)].map(([shelf, own]) => ({
    shelf,
    items: [...new Set(own.filter((row) => !isOfEdge(row)).map(({ itemId }) => itemId))],
    edges: hasEdges(shelf) ? own.filter(isOfEdge).map(({ itemId }) => itemId) : [],
  }));
}

/** The current rows of one shelf. */
export interface CurrentRows {
  shelf: Shelf;
  items: readonly Item[];
  edges: readonly Edge[];
}

export function recordsOf(rows: readonly RecordRow[], current: readonly CurrentRows[]): ChangeRecord[] {
  const keyed = <T extends { id: string }>(of: (rows: CurrentRows) => readonly T[]): Map<string, T> =>
    new Map(current.flatMap((rows) => of(rows).map((one) => [`${rows.shelf} ${one.id}`, one] as const)));
  const [items, edges] = [keyed((rows) => rows.items), keyed((rows) => rows.edges)];
  const now: Now = {
    item: ({ shelf, itemId }) => items.get(`${shelf} ${itemId}`),
    edge: ({ shelf, itemId }) => edges.get(`${shelf} ${itemId}`),
  };
  return rows.map((row) => recordOf(row, now));
}

interface Now {
  item(row: RecordRow): Item | undefined;
  edge(row: RecordRow): Edge | undefined;
}

const isEdgeKind = (kind: JournaledKind | null): boolean => EDGE_KINDS.some((own) => own === kind);

/** Whether an erasure was of an edge shows in the entry before it. */
const isOfEdge = ({ kind, previousKind }: RecordRow): boolean =>
  isEdgeKind(kind) || (kind === "purge_items" && isEdgeKind(previousKind));

function recordOf(row: RecordRow, now: Now): ChangeRecord {
  const { seq, transaction, at, verb, host, session, call, space, kind, shelf, itemId } = row;
  const entry: JournalEntry = { seq, transaction, at, verb, host, session, call, space, kind, shelf, itemId };
  const by = row.role === undefined ? {} : { by: { role: row.role, name: row.author ?? null } };
  if (isOfEdge(row))
    return { ...entry, ...by, before: edgeBefore(row), after: edgeAfter(row, now.edge(row)), passages: null };
  const passages = readPayload(row.payload)?.passages ?? null;
  const item = now.item(row);
  const after = completed(afterOf(row, item), row.nextPayload, row, item);
  const before = completed(beforeOf(row), row.payload, row, after.item ?? item);
  return { ...entry, ...by, before, after, passages };
}

const noEdge = (why: Gone): EdgeImage => ({ item: null, edge: null, why });

function edgeBefore({ kind, hasPayload, payload, previousKind }: RecordRow): EdgeImage {
  if (kind === "insert_edge") return noEdge("absent");
  if (kind === "remove_edge") return edgeIn(hasPayload === 1, payload);
  return noEdge(previousKind === "remove_edge" ? "absent" : "erased");
}

function edgeAfter({ kind, nextKind, nextHasPayload, nextPayload }: RecordRow, now: Edge | undefined): EdgeImage {
  if (kind !== "insert_edge") return noEdge("absent");
  if (nextKind === "purge_items") return noEdge("erased");
  if (nextKind !== null) return edgeIn(nextHasPayload === 1, nextPayload);
  return now ? { item: null, edge: now } : noEdge("not kept");
}

function edgeIn(hasPayload: boolean, payload: string | null): EdgeImage {
  if (hasPayload && payload === null) return noEdge("erased");
  const edge = readEdge(payload);
  return edge ? { item: null, edge } : noEdge("not kept");
}

/** Evidence is journaled by hash; if the entry changed only its state, the rest can be taken from the current item. */
function completed(image: Image, payload: string | null, { shelf }: RecordRow, item: Item | undefined): Image {
  const change = image === NOT_KEPT && item && keepsPassages(shelf) ? readState(payload) : null;
  const then = change && item ? inState(shelf, item, change) : null;
  return then ? { item: then } : image;
}

function beforeOf({ kind, hasPayload, payload, previousKind }: RecordRow): Image {
  if (kind === "insert_item" || kind === "drop_payloads") return ABSENT;
  if (kind === "redact_items") return ERASED;
  if (kind !== "purge_items") return imageIn(hasPayload === 1, payload);
  // An item already removed can still be erased from the journal.
  return previousKind === "remove_item" || previousKind === "purge_items" ? ABSENT : ERASED;
}

function afterOf({ kind, nextKind, nextHasPayload, nextPayload }: RecordRow, now: Item | undefined): Image {
  if (kind === "remove_item" || kind === "purge_items" || kind === "drop_payloads") return ABSENT;
  if (nextKind === "purge_items" || nextKind === "redact_items") return ERASED;
  if (nextKind !== null) return imageIn(nextHasPayload === 1, nextPayload);
  // A working item is removed without a journal entry, even if it was once a project's.
  return now ? { item: now } : NOT_KEPT;
}

/** The state an entry stores. An entry without one follows the unjournaled removal of a working item. */
function imageIn(hasPayload: boolean, payload: string | null): Image {
  if (hasPayload && payload === null) return ERASED;
  const item = readPayload(payload)?.before ?? null;
  return item ? { item } : NOT_KEPT;
}
