/**
 * Writes the text of items: as searchable passages, or packed into the archive.
 *
 * An item whose status changes to or from archived moves between the two with its full text.
 */
import type { Item } from "../../../model/memory/item.ts";
import type { Passage, Shelf, Turn } from "../../../model/memory/shelf.ts";
import { archiveReader, archiveWriter, isPacked } from "./archive.ts";
import type { Database } from "../connection/database.ts";
import type { QueueWriter } from "../search/passage-queue.ts";
import { type ItemChange, type PassageWriter, passageWriter } from "../search/passage-writer.ts";

/** Passages, and whether they get vectors. */
export interface Cut {
  passages: readonly Passage[];
  embed: boolean;
}

export interface BodyWriter extends Pick<PassageWriter, "flush" | "discard"> {
  add(seq: number, item: Item, cut: Cut): void;
  /** Null keeps the existing passages. */
  revise(seq: number, change: ItemChange, cut: Cut | null): void;
  /** The current passages, without wordpieces. */
  cutOf(row: { seq: number; id: string }): Cut;
  drop(seq: number): void;
}

export function bodyWriter(db: Database, shelf: Shelf, queue: QueueWriter): BodyWriter {
  const pieces = passageWriter(db, shelf, queue);
  const packed = archiveReader(db, shelf);
  const passagesOf = db.prepare<[number], Omit<Passage, "tokens" | "turn"> & Turn & { embed: number }>(
    `select ordinal, heading, start_line as startLine, end_line as endLine, text, speaker, role, said_at as at, embed
     from ${shelf}_passage where item_seq = ? order by ordinal`,
  );
  const archive = archiveWriter(db);

  function add(seq: number, item: Item, { passages, embed }: Cut): void {
    if (isPacked(shelf, item)) archive.keep(seq, { content: item.content, passages, embed });
    else pieces.add(seq, item, passages, embed);
  }

  function cutOf(row: { seq: number; id: string }): Cut {
    const body = packed.body(row);
    if (body) return body;
    const rows = passagesOf.all(row.seq);
    const passages = rows.map(({ speaker, role, at, embed: _, ...passage }) => {
      const hasTurn = speaker !== null || role !== null || at !== null;
      return { ...passage, tokens: null, ...(hasTurn && { turn: { speaker, role, at } }) };
    });
    return { passages, embed: rows.some(({ embed }) => embed === 1) };
  }

  function drop(seq: number): void {
    if (shelf === "evidence") archive.drop(seq);
    pieces.drop(seq);
  }

  return {
    add,
    revise(seq, change, cut) {
      const { before, after } = change;
      if (!isPacked(shelf, before) && !isPacked(shelf, after)) {
        if (cut) pieces.replace(seq, change, cut.passages, cut.embed);
        return;
      }
      const kept = cut ?? cutOf({ seq, id: before.id });
      drop(seq);
      add(seq, after, kept);
    },
    cutOf,
    drop,
    flush: () => pieces.flush(),
    discard: () => pieces.discard(),
  };
}
