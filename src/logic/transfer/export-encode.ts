/**
 * The encoding of an export.
 *
 * Keys have a fixed order and nothing depends on the time or the machine, so equal states produce equal files and a
 * changed item changes one line.
 */
import type { Edge } from "../../model/memory/edge.ts";
import type { Item, LastingScope } from "../../model/memory/item.ts";
import type { ChainEntry, ChainHead } from "../../model/journal/journal.ts";
import { type Passage, type Shelf, carriesPassages } from "../../model/memory/shelf.ts";

/** Raised when older programs could no longer read the output. */
export const EXPORT_FORMAT = 1;
/** The beginning of every export, whatever its format. */
export const EXPORT_START = `{"stele":"export",`;

export const headerLine = (): string => JSON.stringify({ stele: "export", format: EXPORT_FORMAT });

export interface Exported {
  item: Item;
  passages: readonly Passage[];
  embed: boolean;
}

export function itemLine(shelf: Shelf, { item, passages, embed }: Exported): string {
  const { branch, commits, files, symbols, language } = item.context;
  return JSON.stringify({
    line: "item",
    shelf,
    id: item.id,
    type: item.type,
    scope: item.scope,
    status: item.status,
    title: item.title,
    content: item.content,
    summary: item.summary,
    tags: item.tags,
    confidence: item.confidence,
    priority: item.priority,
    pinned: item.pinned,
    source: item.source,
    host: item.host,
    session: item.session,
    context: { branch, commits, files, symbols, language },
    label: item.label,
    path: item.path,
    hash: item.hash,
    version: item.version,
    createdAt: moment(item.createdAt),
    updatedAt: moment(item.updatedAt),
    expiresAt: momentOrNull(item.expiresAt),
    validFrom: momentOrNull(item.validFrom),
    validUntil: momentOrNull(item.validUntil),
    supersededBy: item.supersededBy,
    details: item.details,
    ...(carriesPassages(shelf) ? { embed, passages: passages.map(passageFields) } : {}),
  });
}

const passageFields = ({ heading, startLine, endLine, text, turn }: Passage) => ({
  ...{ heading, startLine, endLine, text },
  ...(turn ? { turn: { speaker: turn.speaker, role: turn.role, at: momentOrNull(turn.at) } } : {}),
});

export type Access = Pick<Item, "id" | "accessedAt" | "accessCount"> & { scope: LastingScope };

/** An item that was not accessed since it was written needs no access line. */
export const isUnaccessed = ({ accessedAt, accessCount, updatedAt }: Item): boolean =>
  accessCount === 0 && accessedAt === updatedAt;

export function accessLine(shelf: Shelf, { scope, id, accessedAt, accessCount }: Access): string {
  return JSON.stringify({ line: "access", shelf, scope, id, accessedAt: moment(accessedAt), accessCount });
}

export function edgeLine(store: LastingScope, edge: Edge): string {
  const { shelf, source, target, relation, strength, bidirectional, status, createdAt } = edge;
  const fields = { source, target, relation, strength, bidirectional, status, createdAt: moment(createdAt) };
  return JSON.stringify({ line: "edge", store, shelf, ...fields });
}

export function entryLine(store: LastingScope, entry: ChainEntry): string {
  const { seq, transaction, at, verb, host, session, call, space, kind, shelf, itemId, payloadHash, hash } = entry;
  const payload = entry.payload && { salt: entry.payload.salt, text: entry.payload.text };
  return JSON.stringify({
    ...{ line: "entry", store, seq, transaction, at: moment(at), verb, host, session, call, space },
    ...{ kind, shelf, itemId, payloadHash, hash, payload },
  });
}

export function headLine(store: LastingScope, { length, hash }: ChainHead): string {
  return JSON.stringify({ line: "head", store, length, hash });
}

const moment = (at: number): string => new Date(at).toISOString();
const momentOrNull = (at: number | null): string | null => (at === null ? null : moment(at));
