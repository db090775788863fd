/**
 * Writes the text of items: as searchable passages, or packed into the archive.
 *
 * An item whose status changes to or from archived moves between the two with its full text.
 */
import { turnOf } from "../../../logic/text/turns.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Passage, Shelf, Turn } from "../../../model/memory/shelf.ts";
import type { ItemChange } from "../../rows/search/passage-row.ts";
import type { Database } from "../connection/database.ts";
import { type PassageWriter, passageWriter } from "../search/passage-writer.ts";
import { archiveReader, archiveWriter, isPacked } from "./archive.ts";
import type { ItemRow } from "./item-row.ts";

/** Passages, and whether they get vectors. */
export interface Cut {
  passages: readonly Passage[];
  embed: boolean;
}

type RowOfItem = Pick<ItemRow, "seq" | "id" | "status">;

export interface BodyWriter extends Pick<PassageWriter, "added" | "flush"> {
  /** Of an item that is packed, and inserted without passages. */
  pack(item: Item, cut: Cut): void;
  /** Null keeps the existing passages. */
  revise(seq: number, change: ItemChange, cut: Cut | null): Promise<void>;
  /** The current passages, without wordpieces. */
  cutOf(row: RowOfItem): Promise<Cut>;
  drop(seq: number): Promise<void>;
}

export function bodyWriter(db: Database, shelf: Shelf): BodyWriter {
  const pieces = passageWriter(db, shelf);
  const packed = archiveReader(db, shelf);
  const archive = archiveWriter(db);
  const passagesOf = db.prepare<Omit<Passage, "tokens" | "turn"> & Turn & { embed: number }>(`
    select ordinal, heading, start_line as "startLine", end_line as "endLine", text, speaker, role, said_at as at, embed
    from ${shelf}_passage where item_seq = @seq order by ordinal`);

  const packItem = ({ id, content }: Item, { passages, embed }: Cut) => archive.keep(id, { content, passages, embed });

  async function add(seq: number, item: Item, cut: Cut): Promise<void> {
    if (isPacked(shelf, item)) packItem(item, cut);
    else await pieces.add(seq, item, cut.passages, cut.embed);
  }

  async function cutOf(row: RowOfItem): Promise<Cut> {
    const body = (await packed.bodies([row as ItemRow])).get(row.seq);
    if (body) return body();
    const rows = await passagesOf.all({ seq: row.seq });
    const passages = rows.map(({ speaker, role, at, embed: _, ...passage }) => {
      const turn = turnOf({ speaker, role, at });
      return { ...passage, tokens: null, ...(turn && { turn }) };
    });
    return { passages, embed: rows.some(({ embed }) => embed === 1) };
  }

  async function drop(seq: number): Promise<void> {
    if (shelf === "evidence") archive.drop(seq);
    await pieces.drop(seq);
  }

  return {
    pack: packItem,
    added: pieces.added,
    async revise(seq, change, cut) {
      const { before, after } = change;
      if (!isPacked(shelf, before) && !isPacked(shelf, after)) {
        if (cut) await pieces.replace(seq, change, cut.passages, cut.embed);
        return;
      }
      const kept = cut ?? (await cutOf({ seq, id: before.id, status: before.status }));
      await drop(seq);
      await add(seq, after, kept);
    },
    cutOf,
    drop,
    flush: () => pieces.flush(),
  };
}
