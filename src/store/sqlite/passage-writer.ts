/**
 * Writes the passages of one shelf, and with them their words, wordpieces and queue entries.
 *
 * The keyword index keeps no text of its own, so a passage's row and its words come and go
 * here together or not at all.
 */
import { indexedText } from "../../logic/words.ts";
import type { Item } from "../../model/item.ts";
import type { Passage, Shelf } from "../../model/shelf.ts";
import type { Database } from "./database.ts";
import type { QueueWriter } from "./passage-queue.ts";
import { vectorWriter } from "./vector-index.ts";
import { bytesOf, wordpieceCounter } from "./wordpieces.ts";

export interface ItemChange {
  before: Item;
  after: Item;
}

export interface PassageWriter {
  add(itemSeq: number, item: Item, passages: readonly Passage[], embed: boolean): void;
  drop(itemSeq: number): void;
  replace(itemSeq: number, change: ItemChange, passages: readonly Passage[], embed: boolean): void;
  /** Brings word frequencies up to date; called once before the commit. */
  flush(): void;
  /** Forgets what was added, after a rollback. */
  discard(): void;
}

export function passageWriter(db: Database, shelf: Shelf, queue: QueueWriter): PassageWriter {
  const statements = prepare(db, shelf);
  const wordpieces = wordpieceCounter(db, shelf);
  const vectors = vectorWriter(db, shelf);
  function add(itemSeq: number, item: Item, passages: readonly Passage[], embed: boolean): void {
    for (const passage of passages) {
      const { lastInsertRowid } = statements.insertPassage.run(valuesOf(passage, itemSeq, embed));
      const number = Number(lastInsertRowid);
      writeWords(number, passage.text, item);
      if (embed) queue.enqueue(shelf, number);
      wordpieces.added(number);
    }
  }

  function writeWords(number: number, text: string, { title, tags }: Item): void {
    const words = indexedText({ title, text, tags });
    statements.insertWords.run(number, words.title, words.text, words.tags, words.split, words.cjk);
  }

  function drop(itemSeq: number): void {
    const passages = statements.passagesOf.all(itemSeq);
    for (const { number, tokens } of passages) {
      statements.deleteWords.run(number);
      queue.forget(shelf, number);
      wordpieces.removed(number, tokens);
    }
    statements.deletePassages.run(itemSeq);
    vectors.reclaim(passages.map(({ number }) => number));
  }

  return {
    add,
    drop,
    replace(itemSeq, change, passages, embed) {
      const present = statements.passagesOf.all(itemSeq);
      if (!keepsVectors(present, change, passages, embed)) {
        drop(itemSeq);
        add(itemSeq, change.after, passages, embed);
        return;
      }
      for (const [index, { number, text }] of present.entries()) {
        const { heading, startLine, endLine, turn } = passages[index]!;
        const said = [turn?.speaker ?? null, turn?.role ?? null, turn?.at ?? null];
        statements.movePassage.run(heading, startLine, endLine, ...said, number);
        statements.deleteWords.run(number);
        writeWords(number, text, change.after);
      }
    },
    flush: () => wordpieces.flush(),
    discard: () => wordpieces.discard(),
  };
}

/** In the order in which they are inserted. */
function valuesOf(passage: Passage, itemSeq: number, embed: boolean): (string | number | Buffer | null)[] {
  const { ordinal, heading, startLine, endLine, text, tokens, turn } = passage;
  const bytes = tokens && bytesOf(tokens);
  const said = [turn?.speaker ?? null, turn?.role ?? null, turn?.at ?? null];
  return [itemSeq, ordinal, heading, startLine, endLine, text, bytes, embed ? 1 : 0, ...said];
}

interface PassageRow {
  number: number;
  text: string;
  tokens: Buffer | null;
  embed: number;
}

/** What is embedded is title and text: where both stay, new tags cost no vector. */
function keepsVectors(
  present: readonly PassageRow[],
  { before, after }: ItemChange,
  passages: readonly Passage[],
  embed: boolean,
): boolean {
  return (
    before.title === after.title &&
    present.length === passages.length &&
    present.every((row, index) => row.text === passages[index]!.text && row.embed === (embed ? 1 : 0))
  );
}

function prepare(db: Database, shelf: Shelf) {
  return {
    insertPassage: db.prepare(`
      insert into ${shelf}_passage (item_seq, ordinal, heading, start_line, end_line, text, tokens, embed, speaker, role, said_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    passagesOf: db.prepare<[number], PassageRow>(
      `select seq as number, text, tokens, embed from ${shelf}_passage where item_seq = ? order by ordinal`,
    ),
    movePassage: db.prepare<(string | number | null)[]>(`
      update ${shelf}_passage
      set heading = ?, start_line = ?, end_line = ?, speaker = ?, role = ?, said_at = ? where seq = ?`),
    deletePassages: db.prepare<[number]>(`delete from ${shelf}_passage where item_seq = ?`),
    insertWords: db.prepare<[number, string, string, string, string, string]>(
      `insert into ${shelf}_fts (rowid, title, text, tags, split, cjk) values (?, ?, ?, ?, ?, ?)`,
    ),
    deleteWords: db.prepare<[number]>(`delete from ${shelf}_fts where rowid = ?`),
  };
}
