/**
 * Writes the passages of one shelf, and with them their words, wordpieces and queue entries.
 *
 * The keyword index keeps no text of its own, so a passage's row and its words are always
 * written and removed together.
 */
import type { Item } from "../../../model/memory/item.ts";
import type { Passage, Shelf } from "../../../model/memory/shelf.ts";
import {
  type ItemChange,
  type WrittenPassage,
  passageValues,
  turnValues,
  unchanged,
} from "../../rows/search/passage-row.ts";
import type { Database } from "../connection/database.ts";
import type { QueueWriter } from "./passage-queue.ts";
import { vectorWriter } from "./vector-index.ts";
import { wordWriter } from "./word-writer.ts";
import { wordpieceCounter } from "./wordpieces.ts";

export type { ItemChange };

export interface PassageWriter {
  add(itemSeq: number, item: Item, passages: readonly Passage[], embed: boolean): void;
  drop(itemSeq: number): void;
  replace(itemSeq: number, change: ItemChange, passages: readonly Passage[], embed: boolean): void;
  /** Updates wordpiece frequencies; called once before the commit. */
  flush(): void;
  /** Resets counters after a rollback. */
  discard(): void;
}

export function passageWriter(db: Database, shelf: Shelf, queue: QueueWriter): PassageWriter {
  const statements = prepare(db, shelf);
  const wordpieces = wordpieceCounter(db, shelf);
  const vectors = vectorWriter(db, shelf);
  const words = wordWriter(db, shelf);

  function add(itemSeq: number, item: Item, passages: readonly Passage[], embed: boolean): void {
    for (const passage of passages) {
      const { lastInsertRowid } = statements.insertPassage.run(passageValues(passage, itemSeq, embed));
      const number = Number(lastInsertRowid);
      words.write(number, passage.text, item);
      if (embed) queue.enqueue(shelf, number);
      wordpieces.added(number);
    }
  }

  function remove(rows: readonly WrittenPassage[]): void {
    for (const { number, tokens } of rows) {
      words.remove(number);
      queue.forget(shelf, number);
      wordpieces.removed(number, tokens);
      statements.deletePassage.run(number);
    }
    vectors.reclaim(rows.map(({ number }) => number));
  }

  function move({ number, text }: WrittenPassage, passage: Passage, retagged: Item | null): void {
    const { ordinal, heading, startLine, endLine } = passage;
    statements.movePassage.run(ordinal, heading, startLine, endLine, ...turnValues(passage), number);
    if (!retagged) return;
    words.remove(number);
    words.write(number, text, retagged);
  }

  return {
    add,
    drop: (itemSeq) => remove(statements.passagesOf.all(itemSeq)),
    replace(itemSeq, change, passages, embed) {
      const present = statements.passagesOf.all(itemSeq);
      const { head, tail } = unchanged(present, change, passages, embed);
      remove(present.slice(head, present.length - tail));
      const hasNewTags = change.before.tags.join("\n") !== change.after.tags.join("\n");
      const retagged = hasNewTags ? change.after : null;
      for (let index = 0; index < head; index += 1) move(present[index]!, passages[index]!, retagged);
      const ends = Array.from({ length: tail }, (_, index) => -1 - index);
      // No two passages of an item may share an ordinal, not even temporarily.
      const moveOrder = passages.length > present.length ? ends : ends.reverse();
      for (const index of moveOrder) move(present.at(index)!, passages.at(index)!, retagged);
      add(itemSeq, change.after, passages.slice(head, passages.length - tail), embed);
    },
    flush: () => wordpieces.flush(),
    discard() {
      words.reset();
      wordpieces.discard();
    },
  };
}

function prepare(db: Database, shelf: Shelf) {
  return {
    insertPassage: db.prepare(`
      insert into ${shelf}_passage (item_seq, ordinal, heading, start_line, end_line, text, tokens, embed, speaker, role, said_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    passagesOf: db.prepare<[number], WrittenPassage>(
      `select seq as number, text, tokens, embed from ${shelf}_passage where item_seq = ? order by ordinal`,
    ),
    movePassage: db.prepare<(string | number | null)[]>(`
      update ${shelf}_passage
      set ordinal = ?, heading = ?, start_line = ?, end_line = ?, speaker = ?, role = ?, said_at = ? where seq = ?`),
    deletePassage: db.prepare<[number]>(`delete from ${shelf}_passage where seq = ?`),
  };
}
