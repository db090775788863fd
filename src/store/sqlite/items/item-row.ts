/** Converts between items and rows. The only place that knows both names of a field. */
import { UNIQUE } from "../../../logic/memory/uniqueness.ts";
import type { Context, Item, Scope, Source, Status } from "../../../model/memory/item.ts";
import type { Outline } from "../../../model/recall/search.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";

export interface ItemRow {
  seq: number;
  id: string;
  type: string;
  scope: string;
  status: string;
  title: string | null;
  content: string;
  summary: string;
  tags: string;
  confidence: number;
  priority: number;
  pinned: number;
  source: string;
  host: string;
  session: string;
  branch: string | null;
  context: string;
  label: string | null;
  path: string | null;
  hash: string;
  version: number;
  created_at: number;
  updated_at: number;
  accessed_at: number;
  access_count: number;
  expires_at: number | null;
  valid_from: number | null;
  valid_until: number | null;
  superseded_by: string | null;
  details: string;
}

export type ItemValue = string | number | null;

/** Every column except the row number, and its value for an item. */
const COLUMNS: readonly [column: keyof ItemRow, value: (item: Item) => ItemValue][] = [
  ["id", (item) => item.id],
  ["type", (item) => item.type],
  ["scope", (item) => item.scope],
  ["status", (item) => item.status],
  ["title", (item) => item.title],
  ["content", (item) => item.content],
  ["summary", (item) => item.summary],
  ["tags", (item) => JSON.stringify(item.tags)],
  ["confidence", (item) => item.confidence],
  ["priority", (item) => item.priority],
  ["pinned", (item) => (item.pinned ? 1 : 0)],
  ["source", (item) => item.source],
  ["host", (item) => item.host],
  ["session", (item) => item.session],
  ["branch", (item) => item.context.branch],
  ["context", (item) => JSON.stringify(item.context)],
  ["label", (item) => item.label],
  ["path", (item) => item.path],
  ["hash", (item) => item.hash],
  ["version", (item) => item.version],
  ["created_at", (item) => item.createdAt],
  ["updated_at", (item) => item.updatedAt],
  ["accessed_at", (item) => item.accessedAt],
  ["access_count", (item) => item.accessCount],
  ["expires_at", (item) => item.expiresAt],
  ["valid_from", (item) => item.validFrom],
  ["valid_until", (item) => item.validUntil],
  ["superseded_by", (item) => item.supersededBy],
  ["details", (item) => JSON.stringify(item.details)],
];

export const ITEM_COLUMNS = COLUMNS.map(([column]) => column);

/** A row's values in column order: binding by name costs more than the write itself. */
export const toValues = (item: Item): ItemValue[] => COLUMNS.map(([, value]) => value(item));

export function toItem(row: ItemRow): Item {
  return {
    id: row.id,
    type: row.type,
    scope: row.scope as Scope,
    status: row.status as Status,
    title: row.title,
    content: row.content,
    summary: row.summary,
    tags: JSON.parse(row.tags) as string[],
    confidence: row.confidence,
    priority: row.priority,
    pinned: row.pinned === 1,
    source: row.source as Source,
    host: row.host,
    session: row.session,
    context: JSON.parse(row.context) as Context,
    label: row.label,
    path: row.path,
    hash: row.hash,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    accessedAt: row.accessed_at,
    accessCount: row.access_count,
    expiresAt: row.expires_at,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    supersededBy: row.superseded_by,
    details: JSON.parse(row.details) as Record<string, unknown>,
  };
}

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
];

/** Columns only some shelves need are null on the others: to reach the title, SQLite must read past the content. */
export function outlineColumns(shelf: Shelf): string {
  const subject = shelf === "decision" || shelf === "proposal" ? "item.title" : "null";
  const isDocument = shelf === "document";
  const rank = isDocument ? "(select rank from document_rank where item_seq = item.seq)" : "null";
  const fades = isDocument ? "case when item.access_count > 0 then item.accessed_at else item.updated_at end" : "null";
  return `item.id, item.scope, item.priority, item.confidence, item.path, item.context, item.created_at, item.valid_from,
    ${subject}, ${rank}, ${fades}`;
}

export function toOutline(row: OutlineRow): Outline {
  const [id, scope, priority, confidence, path, context, createdAt, validFrom, subject, rank, fadesSince] = row;
  const parsed = JSON.parse(context) as Context;
  const own = { id, scope: scope as Scope, priority, confidence, path, context: parsed, createdAt, validFrom };
  return { ...own, subject, rank, fadesSince };
}

/** The index with the content hashes of a shelf's items in this status. */
export function contentIndex(shelf: Shelf, status: Status): string {
  const once = UNIQUE[shelf];
  return once?.by === "hash" && once.status === status ? `${shelf}_item_once` : `${shelf}_item_content`;
}
