/**
 * Writes the passages of one shelf, and with them their words, wordpieces and queue entries.
 *
 * The keyword index keeps no text of its own, so a passage's row and its words are always
 * written and removed together.
 */
import type { Item } from "../../memory/item.ts";
import type { Passage, Shelf } from "../../memory/shelves.ts";
import { mayEmbed } from "../../remote/provider.ts";
import { indexedText } from "../../text/words.ts";
import { type ItemChange, passageValues, turnValues, unchanged, type WrittenPassage } from "../passage-row.ts";
import { rankOf } from "../queue.ts";
import type { Database } from "./database.ts";
import { vectorWriter } from "./vector-index.ts";
import { wordpieceCounter } from "./wordpieces.ts";

/** Puts passages on the queue of each embedder as they are written, and takes them off as they are removed. */
export interface QueueWriter {
  enqueue(shelf: Shelf, passage: number): void;
  /** Takes a passage that is being removed off every queue. */
  forget(shelf: Shelf, passage: number): void;
  /** Called when a transaction has ended, or an embedder may have been adopted. */
  reset(): void;
}

export function queueWriter(db: Database): QueueWriter {
  const known = db.prepare<[], string>(`select identity from embedder`).pluck();
  const add = db.prepare<[string, number, number]>(
    `insert or ignore into passage_queue (embedder, rank, recency) values (?, ?, ?)`,
  );
  const drop = db.prepare<[string, number, number]>(
    `delete from passage_queue where embedder = ? and rank = ? and recency = ?`,
  );
  // Read once per transaction: another process may adopt an embedder in between.
  let adopted: string[] | null = null;
  const embedders = () => (adopted ??= known.all());
  return {
    enqueue(shelf, passage) {
      for (const embedder of embedders()) if (mayEmbed(embedder, shelf)) add.run(embedder, rankOf(shelf), -passage);
    },
    forget(shelf, passage) {
      for (const embedder of embedders()) drop.run(embedder, rankOf(shelf), -passage);
    },
    reset() {
      adopted = null;
    },
  };
}

// Writes the words of one shelf's passages, and keeps the index's own row count correct.
//
// An index that keeps no text removes the words of a deleted row but still counts the row. Every rewritten file would
// make all words seem rarer, until common words weigh as much as rare ones. So the count is corrected before words are
// removed: later in the transaction the index would overwrite the correction. Lengths are scaled with the count,
// because only their mean is used.

/** A few extra rows make no difference. */
const TOLERATED = 16;
const TOLERATED_SHARE = 0.02;
/** The row of the index's totals: the number of rows, then the words of each column. */
const TOTALS_ROW = 1;

interface WordWriter {
  write(number: number, text: string, item: Pick<Item, "title" | "tags">): void;
  remove(number: number): void;
  /** Called when the transaction has ended or was partly rolled back. */
  reset(): void;
}

function wordWriter(db: Database, shelf: Shelf): WordWriter {
  const statements = prepareWords(db, shelf);
  let hasWritten = false;
  return {
    write(number, text, { title, tags }) {
      const words = indexedText({ title, text, tags });
      hasWritten = true;
      statements.insert.run(number, words.title, words.text, words.tags, words.split, words.cjk);
    },
    remove(number) {
      if (!hasWritten) correctCount(db, shelf, statements);
      hasWritten = true;
      statements.delete.run(number);
    },
    reset() {
      hasWritten = false;
    },
  };
}

function prepareWords(db: Database, shelf: Shelf) {
  return {
    insert: db.prepare<[number, string, string, string, string, string]>(
      `insert into ${shelf}_fts (rowid, title, text, tags, split, cjk) values (?, ?, ?, ?, ?, ?)`,
    ),
    delete: db.prepare<[number]>(`delete from ${shelf}_fts where rowid = ?`),
    totals: db.prepare<[], Buffer>(`select block from ${shelf}_fts_data where id = ${TOTALS_ROW}`).pluck(),
    passages: db.prepare<[], number>(`select count(*) from ${shelf}_passage`).pluck(),
  };
}

function correctCount(db: Database, shelf: Shelf, { totals: kept, passages }: ReturnType<typeof prepareWords>): void {
  const [rows = 0, ...words] = varintsIn(kept.get() ?? Buffer.alloc(0));
  const present = passages.get() ?? 0;
  if (rows - present <= Math.max(TOLERATED, present * TOLERATED_SHARE)) return;
  const totals = [present, ...words.map((count) => Math.round((count * present) / rows))];
  // The driver protects such tables from accidental writes.
  db.unsafeMode(true);
  try {
    const write = db.prepare<[Buffer]>(`update ${shelf}_fts_data set block = ? where id = ${TOTALS_ROW}`);
    write.run(Buffer.from(totals.flatMap(varint)));
  } finally {
    db.unsafeMode(false);
  }
}

/** Seven bits per byte, highest first; all but the last have the eighth bit set. */
function varintsIn(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(value);
    value = 0;
  }
  return numbers;
}

function varint(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) + 128);
  return bytes;
}

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
