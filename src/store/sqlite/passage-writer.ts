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
import { bytesOf, wordpieceCounter } from "./wordpieces.ts";

/** Memories and decisions are embedded first, then documents, then code; evidence comes last. */
export const QUEUE_RANK: Record<Shelf, number> = {
  memory: 0,
  decision: 0,
  proposal: 0,
  document: 1,
  code: 2,
  evidence: 3,
};

export interface PassageWriter {
  add(itemSeq: number, item: Item, passages: readonly Passage[], embed: boolean): void;
  drop(itemSeq: number): void;
  queueAll(): void;
  /** Brings word frequencies up to date; called once before the commit. */
  flush(): void;
  /** Forgets what was added, after a rollback. */
  discard(): void;
}

export function passageWriter(db: Database, shelf: Shelf): PassageWriter {
  const statements = prepare(db, shelf);
  const wordpieces = wordpieceCounter(db, shelf);
  return {
    add(itemSeq, item, passages, embed) {
      for (const passage of passages) {
        const number = statements.insertPassage.run({
          item_seq: itemSeq,
          ordinal: passage.ordinal,
          heading: passage.heading,
          start_line: passage.startLine,
          end_line: passage.endLine,
          text: passage.text,
          tokens: passage.tokens ? bytesOf(passage.tokens) : null,
          embed: embed ? 1 : 0,
        }).lastInsertRowid;
        const words = indexedText({ title: item.title, text: passage.text, tags: item.tags });
        statements.insertWords.run({ number, ...words });
        if (embed) statements.enqueue.run(QUEUE_RANK[shelf], shelf, number);
        wordpieces.added(Number(number));
      }
    },
    drop(itemSeq) {
      for (const { number, tokens } of statements.passagesOf.all(itemSeq)) {
        statements.deleteWords.run(number);
        statements.dequeue.run(QUEUE_RANK[shelf], shelf, number);
        wordpieces.removed(number, tokens);
      }
      statements.deletePassages.run(itemSeq);
    },
    queueAll: () => void statements.enqueueAll.run(QUEUE_RANK[shelf], shelf),
    flush: () => wordpieces.flush(),
    discard: () => wordpieces.discard(),
  };
}

function prepare(db: Database, shelf: Shelf) {
  return {
    insertPassage: db.prepare(`
      insert into ${shelf}_passage (item_seq, ordinal, heading, start_line, end_line, text, tokens, embed)
      values (@item_seq, @ordinal, @heading, @start_line, @end_line, @text, @tokens, @embed)`),
    passagesOf: db.prepare<[number], { number: number; tokens: Buffer | null }>(
      `select seq as number, tokens from ${shelf}_passage where item_seq = ?`,
    ),
    deletePassages: db.prepare<[number]>(`delete from ${shelf}_passage where item_seq = ?`),
    insertWords: db.prepare(`
      insert into ${shelf}_fts (rowid, title, text, tags, split, cjk)
      values (@number, @title, @text, @tags, @split, @cjk)`),
    deleteWords: db.prepare<[number]>(`delete from ${shelf}_fts where rowid = ?`),
    enqueue: db.prepare<[number, string, number | bigint]>(
      `insert or ignore into passage_queue (rank, shelf, passage) values (?, ?, ?)`,
    ),
    // Leases end: whoever works on a passage now works for the embedder before.
    enqueueAll: db.prepare<[number, string]>(`
      insert into passage_queue (rank, shelf, passage)
      select ?, ?, seq from ${shelf}_passage where embed = 1
      on conflict do update set lease_owner = null, lease_until = 0`),
    dequeue: db.prepare<[number, string, number]>(
      `delete from passage_queue where rank = ? and shelf = ? and passage = ?`,
    ),
  };
}
