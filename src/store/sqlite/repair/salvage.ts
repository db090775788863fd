/**
 * Reads what it can from a damaged store: items with their passages, projects, the journal.
 *
 * A leaf belongs to the table at the root of its tree. A broken tree leaves detached leaves,
 * whose rows are recognised by their shape. If no tree is broken, detached leaves are just
 * leftovers of deletions. An item counts if it is valid and its content matches its hash.
 */
import { CHAIN_START, entryHash, payloadHash } from "../../../logic/journal/journal-chain.ts";
import type { Edge } from "../../../model/memory/edge.ts";
import { type ChainEntry, JOURNALED_KINDS } from "../../../model/journal/journal.ts";
import { SHELVES, Shelf } from "../../../model/memory/shelf.ts";
import type { Space } from "../../../model/memory/space.ts";
import type { WholeItem } from "../../../ports/store/items.ts";
import { type Body, unpack } from "../items/archive.ts";
import { migrate } from "../connection/migrate.ts";
import {
  type Cell,
  type Pages,
  type Row,
  type Value,
  childrenOf,
  freePages,
  openPages,
  rowsOn,
} from "./salvage-pages.ts";
import { asEdge } from "./salvage-edges.ts";
import { asItem } from "./salvage-items.ts";
import { passagesOf } from "./salvage-passages.ts";
import { openSqlite } from "../connection/sqlite.ts";

export interface SalvagedItem extends WholeItem {
  shelf: Shelf;
}

export interface Salvaged {
  items: SalvagedItem[];
  edges: Edge[];
  spaces: Space[];
  /** The valid beginning of the chain; if that is not all of it, the last writes are unknown. */
  journal: ChainEntry[];
  isComplete: boolean;
  /** Ids that exist according to the journal. */
  expected: Set<string>;
  /** The last journal entry of each id. */
  last: Map<string, LastEntry>;
}

export type LastEntry = Pick<ChainEntry, "kind" | "shelf" | "at">;

/** Whether such an entry removes its item or edge. */
export const isEnd = (kind: ChainEntry["kind"] | undefined): boolean =>
  kind === "remove_item" || kind === "purge_items" || kind === "remove_edge";

export function salvage(path: string): Salvaged {
  const pages = openPages(path);
  try {
    const rows = rowReader(pages);
    const entries = [...rows.all("journal")].flatMap((row) => asEntry(row) ?? []).sort((a, b) => a.seq - b.seq);
    // A redaction says nothing about whether the item exists.
    const telling = entries.filter(({ kind }) => kind !== "redact_items");
    const last = new Map(telling.map(({ itemId, kind, shelf, at }) => [itemId, { kind, shelf, at }]));
    const isGone = (id: string) => isEnd(last.get(id)?.kind);
    const journal = validPart(entries, [...rows.all("journal_payload")]);
    const end = journal.at(-1)?.hash ?? CHAIN_START;
    const isHead = ({ length, hash }: Row) => length === journal.length && hexOf(hash) === end;
    return {
      items: readItems(rows, isGone),
      edges: [...rows.all("edge")].flatMap((row) => asEdge(row) ?? []).filter(({ id }) => !isGone(id)),
      spaces: [...rows.ofIndexes("space")].flatMap((row) => asSpace(row) ?? []),
      journal,
      isComplete: [...rows.all("journal_head")].some(isHead),
      expected: new Set([...last.keys()].filter((id) => !isGone(id))),
      last,
    };
  } finally {
    pages.close();
  }
}

/** Tables that have got columns since: rows written before are this long. */
const SHORTEST: ReadonlyMap<string, number> = new Map([["edge", 9]]);

interface Rows {
  of(table: string): Generator<Row>;
  /** Rows on detached leaves. */
  detached(table: string): Generator<Row>;
  /** Both, if part of the table's tree is missing. */
  all(table: string): Generator<Row>;
  /** Rows of a table stored as an index, wherever its pages are. */
  ofIndexes(table: string): Generator<Row>;
  isBroken(table: string): boolean;
}

function rowReader(pages: Pages): Rows {
  const columns = columnsOfTables();
  const map = mapOf(pages);
  function* read(numbers: readonly number[], table: string): Generator<Row> {
    const names = columns.get(table)!;
    for (const number of numbers) {
      for (const { rowid, values } of rowsOn(pages.page(number)!, pages)) {
        if (values.length > names.length || values.length < (SHORTEST.get(table) ?? names.length)) continue;
        const row = Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
        // The row number is not among the stored values.
        yield row["seq"] === null ? { ...row, seq: rowid } : row;
      }
    }
  }
  const of = (table: string) => read(map.leaves.get(table) ?? [], table);
  const detached = (table: string) => read(map.leaves.get(DETACHED) ?? [], table);
  return {
    of,
    detached,
    *all(table) {
      yield* of(table);
      if (map.isBroken(table)) yield* detached(table);
    },
    ofIndexes: (table) => read(map.indexes, table),
    isBroken: map.isBroken,
  };
}

let knownColumns: Map<string, string[]> | null = null;

/** The column order of each table, read once from an empty store. */
function columnsOfTables(): Map<string, string[]> {
  if (knownColumns) return knownColumns;
  const db = openSqlite(":memory:");
  migrate(db, "global");
  const names = db.prepare<[], string>(`select name from sqlite_schema where type = 'table'`).pluck().all();
  const columns = db.prepare<[string], string>(`select name from pragma_table_info(?) order by cid`).pluck();
  knownColumns = new Map(names.map((name) => [name, columns.all(name)]));
  db.close();
  return knownColumns;
}

const DETACHED = "";

interface PageMap {
  /** Numbers of leaf pages, by table. */
  leaves: Map<string, number[]>;
  indexes: number[];
  isBroken(table: string): boolean;
}

function mapOf(pages: Pages): PageMap {
  const free = freePages(pages);
  const [parents, below] = [new Map<number, number>(), new Map<number, number[]>()];
  const [leaves, indexes]: [number[], number[]] = [[], []];
  for (let number = 1; number <= pages.count; number += 1) {
    const page = free.has(number) ? null : pages.page(number);
    if (page?.kind === "table leaf") leaves.push(number);
    if (page?.kind === "index") indexes.push(number);
    if (page?.kind === "table branch") below.set(number, childrenOf(page));
    for (const child of below.get(number) ?? []) parents.set(child, number);
  }
  const ofSchema = leaves.filter((leaf) => topOf(leaf, parents) === 1);
  const roots = rootsIn(ofSchema.length > 0 ? ofSchema : leaves, pages);
  const names = new Map([...roots].map(([name, root]) => [root, name]));
  const tableOf = (leaf: number) => names.get(topOf(leaf, parents)) ?? DETACHED;
  const isLeaf = new Set(leaves);
  const isComplete = (number: number, depth = 0): boolean =>
    isLeaf.has(number) ||
    (depth < DEEPEST && below.has(number) && below.get(number)!.every((child) => isComplete(child, depth + 1)));
  return {
    leaves: Map.groupBy(leaves, tableOf),
    indexes,
    isBroken: (table) => !roots.has(table) || !isComplete(roots.get(table)!),
  };
}

/** No tree of ours is this deep; only a page that refers back to itself reaches it. */
const DEEPEST = 20;

function topOf(leaf: number, parents: ReadonlyMap<number, number>): number {
  let top = leaf;
  for (let depth = 0; depth < DEEPEST && parents.has(top); depth += 1) top = parents.get(top)!;
  return top;
}

/** The root page of each table, from the schema's rows. Without page 1 they may be on any page. */
function rootsIn(leaves: readonly number[], pages: Pages): Map<string, number> {
  const isSchemaRow = ({ values: [type, name, table, root, sql] }: Cell) =>
    type === "table" && name === table && typeof root === "number" && String(sql).startsWith("CREATE TABLE");
  const rows = leaves.flatMap((number) =>
    rowsOn(pages.page(number)!, pages).filter((cell) => cell.values.length === 5 && isSchemaRow(cell)),
  );
  return new Map(rows.map(({ values }) => [String(values[1]), values[3] as number]));
}

function readItems(rows: Rows, isGone: (id: string) => boolean): SalvagedItem[] {
  const found = new Map<string, SalvagedItem>();
  const packed = new Map([...rows.all("evidence_archive")].map((row) => [row["seq"], row]));
  const add = (shelf: Shelf, row: Row, passages: readonly Row[]) => {
    const body = shelf === "evidence" && row["status"] === "archived" ? asBody(packed.get(row["seq"])) : null;
    const item = asItem(body ? { ...row, content: body.content } : row, shelf);
    const known = item && found.get(`${shelf} ${item.id}`);
    if (!item || (known && known.item.version >= item.version)) return;
    const { passages: cut, embed } = body ?? passagesOf(shelf, item, passages);
    found.set(`${shelf} ${item.id}`, { shelf, item, passages: cut, embed });
  };
  for (const shelf of SHELVES) {
    const passages = Map.groupBy(rows.of(`${shelf}_passage`), (row) => row["item_seq"]);
    for (const row of rows.of(`${shelf}_item`)) add(shelf, row, passages.get(row["seq"]!) ?? []);
  }
  const broken = SHELVES.filter((shelf) => rows.isBroken(`${shelf}_item`));
  if (broken.length === 0) return [...found.values()];
  for (const row of rows.detached("memory_item")) {
    const shelf = likelyShelf(row, broken);
    // It may have been removed already. The journal records that, except for working items.
    if (shelf && row["scope"] !== "working" && !isGone(String(row["id"]))) add(shelf, row, []);
  }
  return [...found.values()];
}

/** Rows of all shelves have the same shape, so the values decide which of the broken shelves a row belongs to. */
function likelyShelf({ type, status, path }: Row, broken: readonly Shelf[]): Shelf | null {
  const isFile = path !== null;
  const isOpen = status === "pending" || status === "rejected" || status === "ratified";
  const likely: Shelf[] = isFile ? ["document", "code"] : isOpen ? ["proposal"] : ["memory", "evidence"];
  if (!isFile && type === "decision") likely.unshift("decision");
  return likely.find((shelf) => broken.includes(shelf)) ?? null;
}

/** Any row may have been mistaken for a packed one; only a matching digest proves it. */
function asBody({ digest, packed }: Row = {}): Body | null {
  return Buffer.isBuffer(digest) && Buffer.isBuffer(packed) ? unpack({ digest, packed }) : null;
}

function asSpace({ id, key, root, remote, first_commit, created_at }: Row): Space | null {
  const isText = (value: Value | undefined) => typeof value === "string" && value !== "";
  const isOptional = (value: Value | undefined) => value === null || typeof value === "string";
  const isSound = [id, key, root].every(isText) && [remote, first_commit].every(isOptional);
  if (!isSound || typeof created_at !== "number") return null;
  return { id, key, root, remote, firstCommit: first_commit, createdAt: created_at } as Space;
}

const hexOf = (value: Value | undefined) => (Buffer.isBuffer(value) ? value.toString("hex") : null);

function asEntry(row: Row): Omit<ChainEntry, "payload"> | null {
  const { seq, transaction_seq, at, verb, host, session, call, space, kind, shelf, item_id, payload_hash, hash } = row;
  const isSound =
    [seq, transaction_seq, at].every((value) => typeof value === "number") &&
    [verb, host, session, call, space, item_id].every((value) => typeof value === "string") &&
    (JOURNALED_KINDS as readonly unknown[]).includes(kind) &&
    Shelf.safeParse(shelf).success &&
    Buffer.isBuffer(hash);
  if (!isSound) return null;
  const by = { verb, host, session, call, space };
  const entry = { seq, transaction: transaction_seq, at, ...by, kind, shelf, itemId: item_id };
  return { ...entry, payloadHash: hexOf(payload_hash), hash: hexOf(hash) } as Omit<ChainEntry, "payload">;
}

function validPart(entries: readonly Omit<ChainEntry, "payload">[], payloads: readonly Row[]): ChainEntry[] {
  const kept = new Map(payloads.map(({ seq, salt, payload }) => [seq, { salt, payload }]));
  const chain: ChainEntry[] = [];
  for (const entry of entries) {
    const isNext = entry.seq === chain.length + 1 && entry.hash === entryHash(chain.at(-1)?.hash ?? CHAIN_START, entry);
    if (!isNext) break;
    const { salt, payload } = kept.get(entry.seq) ?? {};
    const found = Buffer.isBuffer(salt) && typeof payload === "string" && { salt: salt.toString("hex"), text: payload };
    chain.push({ ...entry, payload: found && payloadHash(found) === entry.payloadHash ? found : null });
  }
  return chain;
}
