/**
 * Reads the journal: changes with the state before and after, and the bare chain.
 *
 * An entry stores only the state before. The state after is what the item's next entry
 * stores, or the current row if there is none. Rows may have been edited by hand:
 * anything unreadable is reported as not kept, and never trusted.
 */
import { type StateChange, inState } from "../../../logic/memory/item-state.ts";
import { type Edge, type EdgeShelf, hasEdges } from "../../../model/memory/edge.ts";
import { withLaterFields } from "../../../logic/memory/new-item.ts";
import type { Item } from "../../../model/memory/item.ts";
import { STATUSES } from "../../../model/memory/item-fields.ts";
import {
  type ChainEntry,
  type ChainHead,
  type ChangeRecord,
  EDGE_KINDS,
  type EdgeImage,
  type Gone,
  type Image,
  type JournalEntry,
  type JournaledKind,
} from "../../../model/journal/journal.ts";
import { type Passage, SHELVES, type Shelf } from "../../../model/memory/shelves.ts";
import type { JournalQuery } from "../../../ports/store/journal.ts";
import type { Database } from "../connection/database.ts";
import { keepsPassages } from "./journal-writer.ts";

/** The current state of items and edges. */
interface CurrentState {
  items(shelf: Shelf, ids: readonly string[]): Item[];
  edges(shelf: EdgeShelf, ids: readonly string[]): Edge[];
}
type Page = { limit: number; offset: number };

interface RecordRow extends JournalEntry {
  /** Only for an erasure. */
  previousKind: JournaledKind | null;
  hasPayload: number;
  payload: string | null;
  nextKind: JournaledKind | null;
  nextHasPayload: number;
  nextPayload: string | null;
}

interface ChainRow extends JournalEntry {
  payloadHash: string | null;
  hash: string;
  salt: string | null;
  text: string | null;
}

interface Payload {
  before: Item | null;
  passages: Passage[] | null;
}

const ABSENT: Image = { item: null, why: "absent" };
const ERASED: Image = { item: null, why: "erased" };
const NOT_KEPT: Image = { item: null, why: "not kept" };

export type JournalReader = ReturnType<typeof journalReader>;

export function journalReader(db: Database, current: CurrentState) {
  const statements = prepare(db);
  const search = searches(db);

  /** The current rows, for entries without a later one. */
  function present(rows: readonly RecordRow[]): Now {
    const isAsked = ({ nextKind, shelf }: RecordRow) => nextKind === null || keepsPassages(shelf);
    const latest = rows.filter((row) => SHELVES.includes(row.shelf) && isAsked(row));
    const [items, edges] = [new Map<string, Item>(), new Map<string, Edge>()];
    for (const [shelf, own] of Map.groupBy(latest, (row) => row.shelf)) {
      const ids = [...new Set(own.filter((row) => !isOfEdge(row)).map(({ itemId }) => itemId))];
      for (const item of current.items(shelf, ids)) items.set(`${shelf} ${item.id}`, item);
      const edgeIds = own.filter(isOfEdge).map(({ itemId }) => itemId);
      if (hasEdges(shelf) && edgeIds.length > 0)
        for (const edge of current.edges(shelf, edgeIds)) edges.set(`${shelf} ${edge.id}`, edge);
    }
    return {
      item: ({ shelf, itemId }) => items.get(`${shelf} ${itemId}`),
      edge: ({ shelf, itemId }) => edges.get(`${shelf} ${itemId}`),
    };
  }

  // In one transaction, because an entry and its current row must be read at the same moment.
  const records = db.transaction((query: JournalQuery, page: Page): { records: ChangeRecord[]; total: number } => {
    const { rows, total } = search(query, page);
    const now = present(rows);
    return { records: rows.map((row) => recordOf(row, now)), total };
  });

  return {
    records: (query: JournalQuery, page: Page) => records(query, page),
    latestCalls(limit: number, space: string | null): { call: string; at: number }[] {
      const calls = new Map<string, number>();
      for (const { call, at } of statements.newest.iterate({ space })) {
        if (calls.size === limit && !calls.has(call)) break;
        if (!calls.has(call)) calls.set(call, at);
      }
      return [...calls].map(([call, at]) => ({ call, at }));
    },
    chain: (from: number, limit: number): ChainEntry[] =>
      statements.chain.all(from, limit).map(({ salt, text, ...entry }) => ({
        ...entry,
        payload: salt === null || text === null ? null : { salt, text },
      })),
    head: (): ChainHead => statements.head.get() ?? { length: 0, hash: "" },
  };
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
  if (isOfEdge(row)) return { ...entry, before: edgeBefore(row), after: edgeAfter(row, now.edge(row)), passages: null };
  const passages = readPayload(row.payload)?.passages ?? null;
  const item = now.item(row);
  const after = completed(afterOf(row, item), row.nextPayload, row, item);
  const before = completed(beforeOf(row), row.payload, row, after.item ?? item);
  return { ...entry, before, after, passages };
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
  const { before } = (parsed(payload) ?? {}) as { before?: unknown };
  return isEdge(before) ? { item: null, edge: before } : noEdge("not kept");
}

function isEdge(value: unknown): value is Edge {
  if (typeof value !== "object" || value === null) return false;
  const { id, source, target, relation, strength } = value as Partial<Edge>;
  return [id, source, target, relation].every((text) => typeof text === "string") && typeof strength === "number";
}

/** Evidence is journaled by hash; if the entry changed only its state, the rest can be taken from the current item. */
function completed(image: Image, payload: string | null, { shelf }: RecordRow, item: Item | undefined): Image {
  const change = image === NOT_KEPT && item && keepsPassages(shelf) ? readState(payload) : null;
  const then = change && item ? inState(shelf, item, change) : null;
  return then ? { item: then } : image;
}

function beforeOf({ kind, hasPayload, payload, previousKind }: RecordRow): Image {
  if (kind === "insert_item" || kind === "drop_payloads") return ABSENT;
  if (kind !== "purge_items") return imageIn(hasPayload === 1, payload);
  // An item already removed can still be erased from the journal.
  return previousKind === "remove_item" || previousKind === "purge_items" ? ABSENT : ERASED;
}

function afterOf({ kind, nextKind, nextHasPayload, nextPayload }: RecordRow, now: Item | undefined): Image {
  if (kind === "remove_item" || kind === "purge_items" || kind === "drop_payloads") return ABSENT;
  if (nextKind === "purge_items") return ERASED;
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

const ENTRY = `entry.seq, entry.transaction_seq as "transaction", entry.at, entry.verb, entry.host, entry.session,
  entry.call, entry.space, entry.kind, entry.shelf, entry.item_id as itemId`;

const CONDITIONS: Record<keyof JournalQuery, string> = {
  itemIds: `entry.item_id in (select value from json_each(@itemIds))`,
  calls: `entry.call in (select value from json_each(@calls))`,
  verb: `entry.verb = @verb`,
  shelf: `entry.shelf = @shelf`,
  after: `entry.at >= @after`,
  before: `entry.at < @before`,
  through: `entry.seq <= @through`,
};

/** One pair of statements per combination of conditions, so that an absent condition costs nothing. */
function searches(db: Database) {
  const prepared = new Map<string, ReturnType<typeof prepareSearch>>();
  return (query: JournalQuery, page: Page): { rows: RecordRow[]; total: number } => {
    const { itemIds, calls, ...rest } = query;
    const lists = { itemIds: itemIds && JSON.stringify(itemIds), calls: calls && JSON.stringify(calls) };
    const given = Object.entries({ ...lists, ...rest }).filter(([, value]) => value !== undefined);
    const names = given.map(([name]) => name as keyof JournalQuery);
    const key = names.join(" ");
    const statements = prepared.get(key) ?? prepareSearch(db, names);
    prepared.set(key, statements);
    const parameters = Object.fromEntries(given);
    return {
      rows: statements.page.all({ ...parameters, ...page }),
      total: statements.total.get(parameters) ?? 0,
    };
  };
}

function prepareSearch(db: Database, names: readonly (keyof JournalQuery)[]) {
  const index = names.includes("itemIds") ? "indexed by journal_item" : "";
  const where = names.length > 0 ? `where ${names.map((name) => CONDITIONS[name]).join(" and ")}` : "";
  return {
    // The page is selected first, and the cross join keeps it first, so that only its rows are joined.
    page: db.prepare<[object], RecordRow>(`
      select ${ENTRY}, entry.payload_hash is not null as hasPayload, kept.payload,
        next.kind as nextKind, next.payload_hash is not null as nextHasPayload, nextKept.payload as nextPayload,
        iif(entry.kind = 'purge_items', (
          select earlier.kind from journal earlier indexed by journal_item
          where earlier.item_id = entry.item_id and earlier.seq < entry.seq and earlier.shelf = entry.shelf
          order by earlier.seq desc limit 1), null) as previousKind
      from (
        select entry.seq from journal entry ${index} ${where}
        order by entry.seq desc limit @limit offset @offset
      ) page
      cross join journal entry on entry.seq = page.seq
      left join journal_payload kept on kept.seq = entry.seq
      left join journal next on next.seq = (
        select later.seq from journal later indexed by journal_item
        where later.item_id = entry.item_id and later.seq > entry.seq and later.shelf = entry.shelf
        order by later.seq limit 1)
      left join journal_payload nextKept on nextKept.seq = next.seq
      order by page.seq desc`),
    total: db.prepare<[object], number>(`select count(*) from journal entry ${index} ${where}`).pluck(),
  };
}

function prepare(db: Database) {
  return {
    newest: db.prepare<[object], { call: string; at: number }>(
      `select call, at from journal where call <> '' and (@space is null or space = @space) order by seq desc`,
    ),
    chain: db.prepare<[number, number], ChainRow>(`
      select ${ENTRY}, lower(hex(entry.hash)) as hash,
        iif(entry.payload_hash is null, null, lower(hex(entry.payload_hash))) as payloadHash,
        iif(kept.salt is null, null, lower(hex(kept.salt))) as salt, kept.payload as text
      from journal entry left join journal_payload kept on kept.seq = entry.seq
      where entry.seq >= ? order by entry.seq limit ?`),
    head: db.prepare<[], ChainHead>(`select length, lower(hex(hash)) as hash from journal_head where one = 1`),
  };
}

export function journalLength(db: Database): number {
  return db.prepare<[], number>(`select length from journal_head where one = 1`).pluck().get() ?? 0;
}
