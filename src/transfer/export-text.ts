/**
 * The encoding of an export.
 *
 * Keys have a fixed order and nothing depends on the time or the machine, so equal states produce equal files and a
 * changed item changes one line.
 */
import type { Edge } from "../graph/edges.ts";
import type { ChainEntry, ChainHead } from "../journal/journal.ts";
import { EXPORTED_FIELDS, type Field, type Part, projection } from "../memory/item-fields.ts";
import type { Item, LastingScope } from "../memory/item.ts";
import { carriesPassages, type Passage, type Shelf } from "../memory/shelves.ts";

/** Raised when older programs could no longer read the output. */
export const EXPORT_FORMAT = 1;
/** The beginning of every export, whatever its format. */
export const EXPORT_START = `{"stele":"export",`;

export const headerLine = (): string => JSON.stringify({ stele: "export", format: EXPORT_FORMAT });

interface Exported {
  item: Item;
  passages: readonly Passage[];
  embed: boolean;
}

export function itemLine(shelf: Shelf, { item, passages, embed }: Exported): string {
  const said = { line: "item", shelf, ...spelt(item) };
  return JSON.stringify(carriesPassages(shelf) ? { ...said, embed, passages: passages.map(passageFields) } : said);
}

const moment = (at: number): string => new Date(at).toISOString();
const momentOrNull = (at: number | null): string | null => (at === null ? null : moment(at));
/** JSON omits undefined values. */
const orNothing = (value: unknown): unknown => value ?? undefined;

const spelt = projection<Record<string, unknown>>(EXPORTED_FIELDS.map(([name, field]) => partFor(name, field)));

function partFor(name: string, field: Field): Part {
  const part = { from: name, to: name, convert: null };
  if (field.kind === "moment") return { ...part, convert: momentOrNull };
  if (field.kind === "group")
    return { ...part, convert: projection(Object.entries(field.fields).map(([inner, one]) => partFor(inner, one))) };
  return field.later ? { ...part, convert: orNothing } : part;
}

const passageFields = ({ heading, startLine, endLine, text, turn }: Passage) => ({
  heading,
  startLine,
  endLine,
  text,
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
  const { shelf, source, target, relation, strength, bidirectional, status, createdAt, verdict } = edge;
  const fields = { source, target, relation, strength, bidirectional, status, createdAt: moment(createdAt), verdict };
  return JSON.stringify({ line: "edge", store, shelf, ...fields });
}

export function entryLine(store: LastingScope, entry: ChainEntry): string {
  const { seq, transaction, at, verb, host, session, call, space, kind, shelf, itemId, payloadHash, hash } = entry;
  const payload = entry.payload && { salt: entry.payload.salt, text: entry.payload.text };
  return JSON.stringify({
    line: "entry",
    store,
    seq,
    transaction,
    at: moment(at),
    verb,
    host,
    session,
    call,
    space,
    kind,
    shelf,
    itemId,
    payloadHash,
    hash,
    payload,
  });
}

export function headLine(store: LastingScope, { length, hash }: ChainHead): string {
  return JSON.stringify({ line: "head", store, length, hash });
}
