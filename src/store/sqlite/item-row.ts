/** An item as a row and back. The only place that knows both spellings. */
import type { Context, Item, Scope, Source, Status } from "../../model/item.ts";

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

/** Every column but the row number, in the order of the table. */
export const ITEM_COLUMNS = [
  "id",
  "type",
  "scope",
  "status",
  "title",
  "content",
  "summary",
  "tags",
  "confidence",
  "priority",
  "pinned",
  "source",
  "host",
  "session",
  "branch",
  "context",
  "label",
  "path",
  "hash",
  "version",
  "created_at",
  "updated_at",
  "accessed_at",
  "access_count",
  "expires_at",
  "valid_from",
  "valid_until",
  "superseded_by",
  "details",
] as const satisfies readonly (keyof ItemRow)[];

export function toRow(item: Item): Omit<ItemRow, "seq"> {
  return {
    id: item.id,
    type: item.type,
    scope: item.scope,
    status: item.status,
    title: item.title,
    content: item.content,
    summary: item.summary,
    tags: JSON.stringify(item.tags),
    confidence: item.confidence,
    priority: item.priority,
    pinned: item.pinned ? 1 : 0,
    source: item.source,
    host: item.host,
    session: item.session,
    branch: item.context.branch,
    context: JSON.stringify(item.context),
    label: item.label,
    path: item.path,
    hash: item.hash,
    version: item.version,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    accessed_at: item.accessedAt,
    access_count: item.accessCount,
    expires_at: item.expiresAt,
    valid_from: item.validFrom,
    valid_until: item.validUntil,
    superseded_by: item.supersededBy,
    details: JSON.stringify(item.details),
  };
}

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
