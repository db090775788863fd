/**
 * Archived evidence: text and passages of an item compressed into one blob, and in no index.
 *
 * The status decides the form, so readers of an item need not care. Unpacking returns exactly
 * the original bytes or fails: a blob that does not match its digest is never unpacked into
 * something nobody said. Wordpieces are not kept, because they can be computed from the text.
 */
import { hash } from "node:crypto";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { Failure } from "../../../errors.ts";
import { turnOf } from "../../../logic/text/turns.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Passage, Shelf, Turn } from "../../../model/memory/shelf.ts";
import type { Filter } from "../../../model/recall/search.ts";
import type { AgedEvidence } from "../../../ports/store/decisions.ts";
import type { WholeItem } from "../../../ports/store/items.ts";
import type { Database } from "../connection/database.ts";
import { filterClause, filterParameters } from "./filter.ts";
import { type ItemRow, toItem } from "./item-row.ts";

/** The text of an item and its passages. */
export type Body = Pick<WholeItem, "passages" | "embed"> & Pick<Item, "content">;
type PackInput = Pick<Body, "content" | "embed"> & { passages: readonly Passage[] };

export interface PackedRow {
  digest: Buffer;
  packed: Buffer;
}

/** Only archived evidence is packed: it is long, and rarely asked for. */
export const isPacked = (shelf: Shelf, { status }: Pick<Item, "status">): boolean =>
  shelf === "evidence" && status === "archived";

/** Halves the size in a tenth of the time the best quality takes. */
const QUALITY = 5;
/** More than the longest item with all its passages; anything longer was not written by us. */
const LONGEST_BYTES = 64_000_000;

/** Sorts after every id. */
const AFTER_ALL = "\u{10ffff}";

const digestOf = (bytes: Buffer): Buffer => hash("sha256", bytes, "buffer");

/** Most evidence is short, and field names would add a fifth to it. The ordinal is the position in the list. */
type PackedPassage = [
  ...[text: string, heading: string | null, startLine: number | null, endLine: number | null],
  ...[speaker?: string | null, role?: Turn["role"], at?: number | null],
];

function pack({ content, passages, embed }: PackInput): PackedRow {
  const cut = passages.map(({ text, heading, startLine, endLine, turn }) => [
    ...[text, heading, startLine, endLine],
    ...(turn ? [turn.speaker, turn.role, turn.at] : []),
  ]);
  const bytes = Buffer.from(JSON.stringify([content, embed, cut]));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return { digest: digestOf(bytes), packed: brotliCompressSync(bytes, { params }) };
}

/** Null when damaged. */
export function unpack({ digest, packed }: PackedRow): Body | null {
  const bytes = decompressed(packed);
  if (!bytes || !digestOf(bytes).equals(digest)) return null;
  const [content, embed, cut] = JSON.parse(bytes.toString()) as [string, boolean, PackedPassage[]];
  return { content, embed, passages: cut.map(toPassage) };
}

function toPassage(packed: PackedPassage, ordinal: number): Passage {
  const [text, heading, startLine, endLine, speaker, role, at] = packed;
  const turn = turnOf({ speaker: speaker ?? null, role: role ?? null, at: at ?? null });
  return { ordinal, heading, startLine, endLine, text, tokens: null, ...(turn && { turn }) };
}

function decompressed(packed: Buffer): Buffer | null {
  try {
    return brotliDecompressSync(packed, { maxOutputLength: LONGEST_BYTES });
  } catch {
    return null;
  }
}

function damaged(id: string): Failure {
  return new Failure(
    "unavailable",
    `The archived text of evidence ${id} is damaged.`,
    "Restore a backup in which it is intact; `stele restore` lists them.",
  );
}

export interface ArchiveReader {
  /** Null for an item that is not packed. */
  body(row: Pick<ItemRow, "seq" | "id">): Body | null;
  /** The item of a row, unpacked if needed. */
  item(row: ItemRow): Item;
  aged(before: number, page: { after: AgedEvidence | null; limit: number }): AgedEvidence[];
  ids(filter: Filter, page: { after: string | null; limit: number }): string[];
  bytes(ids: readonly string[]): number;
}

export function archiveReader(db: Database, shelf: Shelf): ArchiveReader {
  const statements = prepareReading(db);
  function body({ seq, id }: Pick<ItemRow, "seq" | "id">): Body | null {
    const row = statements.packed.get(seq);
    if (!row) return null;
    const unpacked = unpack(row);
    if (!unpacked) throw damaged(id);
    return unpacked;
  }
  return {
    body: (row) => (shelf === "evidence" ? body(row) : null),
    item(row) {
      const item = toItem(row);
      return isPacked(shelf, item) ? { ...item, content: body(row)?.content ?? item.content } : item;
    },
    aged: (before, { after, limit }) => statements.aged.all(before, after?.updatedAt ?? null, after?.id ?? "", limit),
    ids: (filter, { after, limit }) =>
      statements.ids.all({ ...filterParameters(filter), after: after ?? AFTER_ALL, limit }),
    bytes: (ids) => statements.bytes.get(JSON.stringify(ids)) ?? 0,
  };
}

function prepareReading(db: Database) {
  return {
    packed: db.prepare<[number], PackedRow>(`select digest, packed from evidence_archive where seq = ?`),
    aged: db.prepare<[number, number | null, string, number], AgedEvidence>(`
      select id, updated_at as updatedAt, octet_length(content) as bytes
      from evidence_item indexed by evidence_item_kept
      where status = 'active' and updated_at < ? and (updated_at, id) > (coalesce(?, -9e18), ?)
      order by updated_at, id limit ?`),
    ids: db
      .prepare<[object], string>(
        `select item.id from evidence_item item indexed by evidence_item_archived
        where item.status = 'archived' and item.id < @after and ${filterClause("evidence")}
        order by item.id desc limit @limit`,
      )
      .pluck(),
    bytes: db
      .prepare<[string], number>(
        `select coalesce(sum(length(archive.packed)), 0) from evidence_item item
        join evidence_archive archive on archive.seq = item.seq
        where item.id in (select value from json_each(?))`,
      )
      .pluck(),
  };
}

export interface ArchiveWriter {
  keep(seq: number, input: PackInput): void;
  drop(seq: number): void;
}

export function archiveWriter(db: Database): ArchiveWriter {
  const keep = db.prepare<[number, Buffer, Buffer]>(
    `insert into evidence_archive (seq, digest, packed) values (?, ?, ?)`,
  );
  const drop = db.prepare<[number]>(`delete from evidence_archive where seq = ?`);
  return {
    keep(seq, input) {
      const { digest, packed } = pack(input);
      keep.run(seq, digest, packed);
    },
    drop: (seq) => void drop.run(seq),
  };
}
