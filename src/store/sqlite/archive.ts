/**
 * Archived evidence: kept packed, and in no index.
 *
 * The status decides the form, so readers of an item need not care.
 */
import type { Item } from "../../memory/item.ts";
import type { Shelf } from "../../memory/shelves.ts";
import { itemOn, type ItemRow } from "../item-row.ts";
import { type Body, damagedArchive, isPacked, pack, type PackedRow, type PackInput, unpack } from "../packed-body.ts";
import type { Database } from "./database.ts";

export { isPacked } from "../packed-body.ts";

interface ArchiveReader {
  /** Null for an item that is not packed. */
  body(row: Pick<ItemRow, "seq" | "id">): Body | null;
  /** The item of a row, unpacked if needed. */
  item(row: ItemRow): Item;
}

export function archiveReader(db: Database, shelf: Shelf): ArchiveReader {
  const packed = db.prepare<[number], PackedRow>(`select digest, packed from evidence_archive where seq = ?`);
  function body({ seq, id }: Pick<ItemRow, "seq" | "id">): Body | null {
    const row = packed.get(seq);
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
  };
}

interface ArchiveWriter {
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
