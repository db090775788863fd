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

/** The bodies of rows that are packed, by row number. */
type Bodies = ReadonlyMap<number, () => Body>;

interface ArchiveReader {
  bodies(rows: readonly ItemRow[]): Promise<Bodies>;
  /** The items of rows, unpacked if needed. */
  items(rows: readonly ItemRow[]): Promise<Item[]>;
}

export function archiveReader(db: Database, shelf: Shelf): ArchiveReader {
  const packed = db.prepare<PackedRow & { seq: number }>(
    `select seq, digest, packed from evidence_archive where seq = any (@seqs::bigint[])`,
  );
  async function bodies(rows: readonly ItemRow[]): Promise<Bodies> {
    const archived = shelf === "evidence" ? rows.filter(({ status }) => status === "archived") : [];
    if (archived.length === 0) return new Map();
    const ids = new Map(archived.map(({ seq, id }) => [seq, id]));
    const found = await packed.all({ seqs: [...ids.keys()] });
    return new Map(found.map((row) => [row.seq, () => unpacked(row, ids.get(row.seq)!)]));
  }
  return {
    bodies,
    async items(rows) {
      const found = await bodies(rows);
      return rows.map((row) => itemIn(shelf, row, found));
    },
  };
}

/** The item of a row, with its content from the archive if it is there. */
export function itemIn(shelf: Shelf, row: ItemRow, bodies: Bodies): Item {
  const item = itemOn(shelf, row);
  const body = bodies.get(row.seq);
  return body ? { ...item, content: body().content } : item;
}

function unpacked(row: PackedRow, id: string): Body {
  const body = unpack(row);
  if (!body) throw damagedArchive(id);
  return body;
}

interface ArchiveWriter {
  /** By id: the item may have been inserted just now, and nobody has waited for its row number. */
  keep(id: string, input: PackInput): void;
  drop(seq: number): void;
}

export function archiveWriter(db: Database): ArchiveWriter {
  const keep = db.prepare(`
    insert into evidence_archive (seq, digest, packed) select seq, @digest, @packed from evidence_item where id = @id`);
  const drop = db.prepare(`delete from evidence_archive where seq = @seq`);
  return {
    keep: (id, input) => keep.send({ id, ...pack(input) }),
    drop: (seq) => drop.send({ seq }),
  };
}

export { isPacked };
