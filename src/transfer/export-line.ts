/**
 * The lines of an export: items, edges, access records, and the journal.
 *
 * A file is hostile, so every line is checked strictly; but anything a store once accepted must pass again, or its own
 * export could not be imported. Working memories live an hour and belong to a session, so they have no lines.
 */
import * as z from "zod";
import { EdgeShelf, EdgeStatus, Relation } from "../graph/edge.ts";
import type { Edge } from "../graph/edges.ts";
import { JOURNALED_KINDS } from "../journal/journal.ts";
import { EXPORTED_FIELDS, type ExportedField, type Field, type FieldName, FIELDS } from "../memory/item-fields.ts";
import { type Item, LastingScope, MemoryType, Shelf, Status } from "../memory/item.ts";
import { ROLES, SHELVES_WITH_PASSAGES } from "../memory/shelves.ts";
import { VERDICTS } from "../memory/verdict.ts";
import { isHashOf } from "../text/content-hash.ts";
import { demandOf, lineText, TEXT_LIMIT_BYTES, textFault } from "../text/text.ts";
import { EXPORT_FORMAT } from "./export-text.ts";

/** A placeholder may be longer than the secret it replaces, so redacted text gets more room. */
const PLACEHOLDER_ROOM = 4;
const isRedacted = (text: string): boolean => text.includes("[redacted:");

function judged(fault: (text: string) => string | null): z.ZodString {
  return z.string().check((context) => {
    const message = fault(context.value);
    if (message) context.issues.push({ code: "custom", message, input: context.value });
  });
}

const atMost = (maximum: number) =>
  judged((text) => (text.length > maximum * (isRedacted(text) ? PLACEHOLDER_ROOM : 1) ? "is too long" : null));

const line = (maximum: number) => atMost(maximum).check(z.regex(/^[^\n\r\u2028\u2029]+$/, "must be one line"));

const titleText = (title: string) => lineText(200 * (isRedacted(title) ? PLACEHOLDER_ROOM : 1));

function contentFault(text: string): string | null {
  if (!isRedacted(text)) return textFault(text);
  return Buffer.byteLength(text) > TEXT_LIMIT_BYTES * PLACEHOLDER_ROOM ? "is too large" : null;
}

const Id = z.string().regex(/^[\w.:-]{1,100}$/, "is not a valid id");
const Hash = z.string().regex(/^[0-9a-f]{64}$/, "is not a SHA-256 hash");
const Count = z.int().min(0).max(1_000_000_000);

const LATEST_MS = 8.64e15;
const Milliseconds = z.int().min(-LATEST_MS).max(LATEST_MS);

/** Only one notation per time, so that it is exported as it was imported. */
const Moment = z.string().transform((text, context) => {
  const at = Date.parse(text);
  if (!Number.isNaN(at) && new Date(at).toISOString() === text) return at;
  context.issues.push({ code: "custom", message: "must be a time such as 2026-01-31T09:00:00.000Z", input: text });
  return z.NEVER;
});

type Time = z.ZodType<number>;

/** What a file may give for a field; exports and the journal write times differently. */
function schemaOf(field: Field, time: Time): z.ZodType {
  const schema = plainSchema(field, time);
  if (!field.nullable) return schema;
  return field.later ? schema.nullable().default(null) : schema.nullable();
}

function plainSchema(field: Field, time: Time): z.ZodType {
  switch (field.kind) {
    case "id":
      return Id;
    case "hash":
      return Hash;
    case "text":
      return textSchema(field);
    case "texts":
      return z.array(textSchema(field)).max(field.most);
    case "number":
      return z.number().min(field.minimum).max(field.maximum);
    case "whole":
      return z.int().min(field.minimum).max(field.maximum);
    case "flag":
      return z.boolean();
    case "moment":
      return time;
    case "choice":
      return z.enum(field.of);
    case "object":
      return z.record(z.string(), z.unknown());
    case "group":
      return z.strictObject(shapeOf(Object.entries(field.fields), time));
  }
}

/** Text without a limit is checked with the rest of the item. */
function textSchema({ maximum, characters, isLine }: { maximum?: number; characters?: number; isLine?: true }) {
  if (characters !== undefined)
    return judged((text) => ([...text].length > characters ? `is longer than ${characters} characters` : null));
  if (maximum === undefined) return z.string();
  return isLine ? line(maximum) : atMost(maximum);
}

const shapeOf = (fields: readonly (readonly [string, Field])[], time: Time): Record<string, z.ZodType> =>
  Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(field, time)]));

type Shape<Name extends FieldName> = { [One in Name]: z.ZodType<Item[One]> };
const imageShape = shapeOf(FIELDS, Milliseconds) as Shape<FieldName>;
const lineShape = shapeOf(EXPORTED_FIELDS, Moment) as Shape<ExportedField>;

interface Judged {
  shelf: Shelf;
  type: string;
  status: Status;
  title: string | null;
  content: string;
  background?: string | null | undefined;
  validFrom: number | null;
  validUntil: number | null;
}

/** What waits for a person and was settled by one is a proposal; everything else was kept. Both may be replaced or archived. */
const PROPOSED: readonly Status[] = ["pending", "ratified", "rejected"];
const KEPT: readonly Status[] = ["active", "pruned"];

/** Checks across fields. Documents and code are stored as their files are, even if empty. */
export function itemFault({
  shelf,
  type,
  status,
  title,
  content,
  background,
  validFrom,
  validUntil,
}: Judged): [keyof Judged, string] | null {
  if (validFrom !== null && validUntil !== null && validFrom > validUntil) return ["validUntil", "is before validFrom"];
  if ((shelf === "proposal" ? KEPT : PROPOSED).includes(status)) return ["status", `is one that a ${shelf} never has`];
  if (shelf === "memory" && !MemoryType.safeParse(type).success) return ["type", "is unknown"];
  if (shelf === "document" || shelf === "code") return null;
  if (title !== null && !titleText(title).safeParse(title).success)
    return ["title", "must be one line of at most 200 characters"];
  const fault = contentFault(content);
  if (fault !== null) return ["content", fault];
  const about = background == null ? null : contentFault(background);
  return about === null ? null : ["background", about];
}

function itemCheck(context: z.core.ParsePayload<Judged>): void {
  const fault = itemFault(context.value);
  if (fault) context.issues.push({ code: "custom", path: [fault[0]], message: fault[1], input: context.value });
}

/** A turn without any value would be a second notation for no turn. */
const turnWith = (time: Time) =>
  z
    .strictObject({ speaker: line(200).nullable(), role: z.enum(ROLES).nullable(), at: time.nullable() })
    .check(({ value, issues }) => {
      if (Object.values(value).every((part) => part === null))
        issues.push({ code: "custom", message: "says nothing", input: value });
    });

const CutPassage = z.strictObject({
  heading: z.string().nullable(),
  startLine: Count.nullable(),
  endLine: Count.nullable(),
  text: atMost(10_000),
  // Absent if the speaker is unknown, and in files written before turns were recorded.
  turn: turnWith(Moment).optional(),
});
/** A passage without its ordinal, which is its position, and without wordpieces. */
type CutPassage = z.infer<typeof CutPassage>;

const itemLine = { line: z.literal("item"), ...lineShape, scope: LastingScope };

const PlainItemLine = z.strictObject({ ...itemLine, shelf: Shelf.exclude(SHELVES_WITH_PASSAGES) }).check(itemCheck);
const WholeItemLine = z
  .strictObject({
    ...itemLine,
    shelf: Shelf.extract(SHELVES_WITH_PASSAGES),
    embed: z.boolean(),
    passages: z.array(CutPassage),
  })
  .check(itemCheck);
export type ItemLine = z.infer<typeof PlainItemLine> | z.infer<typeof WholeItemLine>;

/** An item as read from a file. */
export interface Incoming {
  shelf: Shelf;
  item: Item;
  /** Null if they are split from the content by rule. */
  passages: CutPassage[] | null;
  embed: boolean;
}

/** Separate from the item, so that reading an item never changes its line. */
const AccessLine = z.strictObject({
  line: z.literal("access"),
  shelf: Shelf,
  scope: LastingScope,
  id: Id,
  accessedAt: Moment,
  accessCount: Count,
});
export type AccessLine = z.infer<typeof AccessLine>;

const edgeWith = (time: Time) => ({
  shelf: EdgeShelf,
  source: Id,
  target: Id,
  relation: Relation,
  strength: z.number().min(0).max(1),
  bidirectional: z.boolean(),
  status: EdgeStatus,
  createdAt: time,
  // Absent in files written before pairs were settled.
  verdict: z
    .strictObject({ as: z.enum(VERDICTS), by: z.enum(["person", "agent"]), when: atMost(1_000).optional() })
    .optional(),
});

/** Without its id, which follows from the rest. */
const EdgeLine = z
  .strictObject({ line: z.literal("edge"), store: LastingScope, ...edgeWith(Moment) })
  .check(({ value, issues }) => {
    if (value.source === value.target)
      issues.push({ code: "custom", path: ["target"], message: "is the source", input: value.target });
  });
export type EdgeLine = z.infer<typeof EdgeLine>;

/** An edge as read from a file. */
export interface IncomingEdge {
  store: LastingScope;
  edge: Edge;
}

const EntryLine = z.strictObject({
  line: z.literal("entry"),
  store: LastingScope,
  seq: Count.min(1),
  transaction: Count.min(1),
  at: Moment,
  verb: atMost(1_000),
  host: atMost(10_000),
  session: atMost(10_000),
  call: atMost(1_000),
  // Absent in files written before it was recorded.
  space: atMost(1_000).default(""),
  kind: z.enum(JOURNALED_KINDS),
  shelf: Shelf,
  itemId: Id,
  payloadHash: Hash.nullable(),
  hash: Hash,
  payload: z
    .strictObject({ salt: z.string().regex(/^([0-9a-f]{2}){1,64}$/, "is not a salt"), text: z.string() })
    .nullable(),
});
export type EntryLine = z.infer<typeof EntryLine>;

/** The length and last hash of a store's chain; follows its last entry. */
const HeadLine = z.strictObject({ line: z.literal("head"), store: LastingScope, length: Count.min(1), hash: Hash });
export type HeadLine = z.infer<typeof HeadLine>;

export const ExportLine = z.discriminatedUnion("line", [
  z.discriminatedUnion("shelf", [PlainItemLine, WholeItemLine]),
  EdgeLine,
  AccessLine,
  EntryLine,
  HeadLine,
]);
export type ExportLine = z.infer<typeof ExportLine>;

/** The first line of every file. The number is checked separately: another format is not a fault of the file. */
const HeaderLine = z.strictObject({ stele: z.literal("export"), format: z.int() });

const Image = z.strictObject(imageShape);

const EdgeImage = z.strictObject({ id: Id, ...edgeWith(Milliseconds) });

/** The journal's record of an item or edge before a change. */
export const JournalPayload = z.strictObject({
  before: z.union([Image, EdgeImage, Hash]).nullable(),
  after: Hash.nullable().optional(),
  // For evidence of which only the state changed.
  state: z.strictObject({ status: Status, version: Count.min(1), updatedAt: Milliseconds }).optional(),
  rest: Hash.optional(),
  passages: z.array(CutPassage.extend({ ordinal: Count, turn: turnWith(Milliseconds).optional() })).optional(),
});
export type JournalPayload = z.infer<typeof JournalPayload>;

// Reads a line of an export, or reports what is wrong with it.
//
// A fault never quotes the line: naming a file one may not read reveals nothing, and no terminal shows what a file
// planted.

/** `next`: what to do about the fault, unless that is to correct the line. */
export type Decoded<T> = { line: T } | { fault: string; next?: string };

const ANOTHER_TOOL = "Name an export of Stele; if another tool wrote the file, name the tool with --from.";

/** Deeper than anything we write; bounds every recursion through a line. */
const DEEPEST = 32;

export function decodeHeader(text: string): Decoded<null> {
  const parsed = parseJson(text);
  const header = "fault" in parsed ? null : HeaderLine.safeParse(parsed.line);
  if (!header?.success) return { fault: "is not the header of a Stele export", next: ANOTHER_TOOL };
  const { format } = header.data;
  if (format === EXPORT_FORMAT) return { line: null };
  const next =
    format > EXPORT_FORMAT ? "Install a newer version of Stele here." : "Export again with a newer version of Stele.";
  return { fault: `has format ${format}, but this version of Stele reads format ${EXPORT_FORMAT}`, next };
}

export function decodeLine(text: string): Decoded<ExportLine> {
  const parsed = parseJson(text);
  if ("fault" in parsed) return parsed;
  const given = withPresentNames(parsed.line);
  const judged = ExportLine.safeParse(given);
  if (!judged.success) return { fault: describe(judged.error.issues[0]!, given) };
  const line = judged.data;
  return line.line === "item" && !isHashRight(line)
    ? { fault: "has a hash that does not match its content" }
    : { line };
}

/** Development versions called the transaction of a journal entry its change set. */
function withPresentNames(line: unknown): unknown {
  if (typeof line !== "object" || line === null || !("changeSet" in line) || "transaction" in line) return line;
  const { changeSet: transaction, ...rest } = line;
  return { ...rest, transaction };
}

/** The hash of a document or of code is its file's, which may contain more than was stored. */
function isHashRight({ shelf, ...item }: ItemLine): boolean {
  return shelf === "document" || shelf === "code" || isHashOf(item);
}

/** Parses JSON and rejects values that would cause surprises later. */
export function parseJson(text: string): Decoded<unknown> {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return { fault: "is not JSON" };
  }
  const fault = faultIn(line, 0);
  return fault === null ? { line } : { fault };
}

function faultIn(value: unknown, depth: number): string | null {
  if (typeof value === "string") return faultInText(value);
  if (typeof value === "number") return Number.isFinite(value) ? null : "has a number that is too large";
  if (typeof value !== "object" || value === null) return null;
  if (depth === DEEPEST) return "is nested too deeply";
  if (Array.isArray(value)) return firstFault(value, (part) => faultIn(part, depth + 1));
  if (Object.hasOwn(value, "__proto__")) return "has a key that is not allowed";
  return firstFault(Object.entries(value), ([key, part]) => faultInText(key) ?? faultIn(part, depth + 1));
}

function firstFault<T>(parts: readonly T[], judge: (part: T) => string | null): string | null {
  for (const part of parts) {
    const fault = judge(part);
    if (fault !== null) return fault;
  }
  return null;
}

function faultInText(text: string): string | null {
  if (text.includes("\0")) return "contains a NUL byte, so it is not text";
  return text.isWellFormed() ? null : "contains a lone surrogate, so it is not valid Unicode";
}

type Issue = Parameters<typeof demandOf>[0];

/** Names the field, which is ours, never the value, which is the file's. */
function describe(issue: Issue, line: unknown): string {
  const { code, path } = issue;
  const field = path.map(String).join(".");
  if (code === "unrecognized_keys") return field ? `has an unknown key in ${field}` : "has an unknown key";
  if (field === "") return "is not a line of an export";
  if (code === "invalid_union") return field === "line" ? "is of an unknown kind" : `has an unknown ${field}`;
  if (isMissing(path, line)) return `has no ${field}`;
  return `has a wrong ${field}: it ${demandOf(issue)}`;
}

function isMissing(path: readonly PropertyKey[], line: unknown): boolean {
  const value = path.reduce<unknown>((part, step) => (part as Record<PropertyKey, unknown> | undefined)?.[step], line);
  return value === undefined;
}
