/** Reads records of the journal: changes with the state before and after. Loads schemas. */
import { type Edge, type EdgeShelf, hasEdges } from "../graph/edges.ts";
import {
  type ChangeRecord,
  EDGE_KINDS,
  type EdgeImage,
  type Gone,
  type Image,
  type JournaledKind,
  type JournalEntry,
} from "../journal/journal.ts";
import { inState, type StateChange, withLaterFields } from "../memory/item-changes.ts";
import { STATUSES } from "../memory/item-fields.ts";
import type { Item } from "../memory/item.ts";
import { type Passage, type Shelf, SHELVES } from "../memory/shelves.ts";
import { among, hint, upTo } from "./dialect.ts";
import { edgeReads } from "./edges.ts";
import { keepsPassages } from "./journal-link.ts";
import { ENTRY } from "./journal.ts";
import { allOf, either, elsewhere, raw, rows, sql, type Steps, together, value } from "./sql.ts";
import type { JournalQuery } from "./store.ts";

/**
 * What an entry of the journal keeps: the state before it, as text.
 *
 * It may have been edited by hand, so that nothing is taken on trust: what cannot be read is null.
 */
interface Payload {
  before: Item | null;
  passages: Passage[] | null;
}

/** Of evidence that still exists only the hash was kept; anything else that is no item is rejected. */
function readPayload(text: string | null): Payload | null {
  const { before, passages = null } = (parsed(text) ?? {}) as { before?: unknown; passages?: unknown };
  if (!isItem(before) || !(passages === null || isPassages(passages))) return null;
  return {
    before: withLaterFields(before),
    passages: passages?.map((passage) => ({ ...passage, tokens: null })) ?? null,
  };
}

function readState(text: string | null): StateChange | null {
  const { state, rest } = (parsed(text) ?? {}) as Partial<StateChange>;
  if (typeof rest !== "string" || typeof state !== "object" || state === null) return null;
  const { status, version, updatedAt } = state;
  if (!STATUSES.includes(status) || typeof version !== "number" || typeof updatedAt !== "number") return null;
  return { state: { status, version, updatedAt }, rest };
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

function isItem(value: unknown): value is Item {
  if (typeof value !== "object" || value === null) return false;
  const { id, content, summary, version, tags } = value as Partial<Item>;
  const texts = [id, content, summary].every((text) => typeof text === "string");
  return texts && typeof version === "number" && Array.isArray(tags);
}

function isPassages(value: unknown): value is Omit<Passage, "tokens">[] {
  return Array.isArray(value) && value.every((passage: Partial<Passage> | null) => typeof passage?.text === "string");
}

function readEdge(text: string | null): Edge | null {
  const { before } = (parsed(text) ?? {}) as { before?: unknown };
  return isEdge(before) ? before : null;
}

function isEdge(value: unknown): value is Edge {
  if (typeof value !== "object" || value === null) return false;
  const { id, source, target, relation, strength } = value as Partial<Edge>;
  return [id, source, target, relation].every((text) => typeof text === "string") && typeof strength === "number";
}

/**
 * Reads records of the journal out of rows: changes with the state before and after.
 *
 * An entry stores only the state before. The state after is what the item's next entry
 * stores, or the current row if there is none. Rows may have been edited by hand:
 * anything unreadable is reported as not kept, and never trusted.
 */
interface RecordRow extends JournalEntry {
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
function currentIds(rows: readonly RecordRow[]): { shelf: Shelf; items: string[]; edges: string[] }[] {
  const isAsked = ({ nextKind, shelf }: RecordRow) => nextKind === null || keepsPassages(shelf);
  const latest = rows.filter((row) => SHELVES.includes(row.shelf) && isAsked(row));
  return [...Map.groupBy(latest, (row) => row.shelf)].map(([shelf, own]) => ({
    shelf,
    items: [...new Set(own.filter((row) => !isOfEdge(row)).map(({ itemId }) => itemId))],
    edges: hasEdges(shelf) ? own.filter(isOfEdge).map(({ itemId }) => itemId) : [],
  }));
}

/** The current rows of one shelf. */
interface CurrentRows {
  shelf: Shelf;
  items: readonly Item[];
  edges: readonly Edge[];
}

function recordsOf(rows: readonly RecordRow[], current: readonly CurrentRows[]): ChangeRecord[] {
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

/** Only a server knows who wrote an entry. */
const AUTHOR = either(raw(""), raw("entry.role, entry.author,"));
const BY_ITEM = hint("indexed by journal_item");
const LATER = sql`from journal later ${BY_ITEM}
  where later.item_id = entry.item_id and later.seq > entry.seq and later.shelf = entry.shelf
  order by later.seq limit 1`;
const NEXT = either(
  sql`left join journal next on next.seq = (select later.seq ${LATER})`,
  sql`left join lateral (select later.seq, later.kind, later.payload_hash ${LATER}) next on true`,
);
const isKept = (column: string) => raw(`case when ${column} is null then 0 else 1 end`);

/** A page of records, which must be read at one moment with the current items. */
export function* changeRecords(
  { itemIds, calls, verb, shelf: ofShelf, after, before, through }: JournalQuery,
  { limit, offset }: { limit: number; offset: number },
  itemsOn: (shelf: Shelf, ids: readonly string[]) => Item[] | Promise<Item[]>,
): Steps<{ records: ChangeRecord[]; total: number }> {
  // Only what is given, so that an absent condition costs nothing.
  const chosen = sql`from journal entry ${itemIds ? BY_ITEM : raw("")} where ${allOf([
    itemIds && sql`entry.item_id ${among(itemIds)}`,
    calls && sql`entry.call ${among(calls)}`,
    verb !== undefined && sql`entry.verb = ${verb}`,
    ofShelf !== undefined && sql`entry.shelf = ${ofShelf}`,
    after !== undefined && sql`entry.at >= ${after}`,
    before !== undefined && sql`entry.at < ${before}`,
    through !== undefined && sql`entry.seq <= ${through}`,
  ])}`;
  const [found, total] = yield* together(
    // The page is selected first, and the cross join keeps it first, so that only its rows are joined.
    rows<RecordRow>(sql`
      select ${ENTRY}, ${AUTHOR} ${isKept("entry.payload_hash")} as "hasPayload", kept.payload,
        next.kind as "nextKind", ${isKept("next.payload_hash")} as "nextHasPayload", next_kept.payload as "nextPayload",
        case when entry.kind = 'purge_items' then (
          select earlier.kind from journal earlier ${BY_ITEM}
          where earlier.item_id = entry.item_id and earlier.seq < entry.seq and earlier.shelf = entry.shelf
          order by earlier.seq desc limit 1) end as "previousKind"
      from (select entry.seq ${chosen} order by entry.seq desc ${upTo(limit)} offset ${offset}) page
      ${hint("cross")} join journal entry on entry.seq = page.seq
      left join journal_payload kept on kept.seq = entry.seq
      ${NEXT}
      left join journal_payload next_kept on next_kept.seq = next.seq
      order by page.seq desc`),
    value<number>(sql`select count(*) ${chosen}`),
  );
  const current: CurrentRows[] = [];
  for (const { shelf, items, edges } of currentIds(found))
    current.push({
      shelf,
      items: yield* elsewhere(() => itemsOn(shelf, items)),
      edges: edges.length > 0 ? yield* edgeReads.edges(shelf as EdgeShelf, edges) : [],
    });
  return { records: recordsOf(found, current), total: total ?? 0 };
}
