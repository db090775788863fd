/**
 * Archived evidence: kept packed, and in no index.
 *
 * The status decides the form, so readers of an item need not care.
 */
import type { Item } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Filter } from "../../../model/recall/search.ts";
import type { AgedEvidence } from "../../../ports/store/decisions.ts";
import {
  type Body,
  type PackInput,
  type PackedRow,
  damagedArchive,
  isPacked,
  pack,
  unpack,
} from "../../rows/items/packed-body.ts";
import type { Database } from "../connection/database.ts";
import { filterClause, filterParameters } from "./filter.ts";
import { type ItemRow, itemOn } from "./item-row.ts";

export { isPacked } from "../../rows/items/packed-body.ts";

/** Sorts after every id. */
const AFTER_ALL = "\u{10ffff}";

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
    if (!unpacked) throw damagedArchive(id);
    return unpacked;
  }
  return {
    body: (row) => (shelf === "evidence" ? body(row) : null),
    item(row) {
      const item = itemOn(shelf, row);
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
