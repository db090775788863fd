/**
 * Writes one shelf: items with their tags, passages, words, wordpieces and queue entries.
 *
 * Everything that belongs to an item is written and removed here together, so that no
 * index can disagree with the rows. Runs only inside the transaction of `apply`.
 */
import { indexedText } from "../../logic/words.ts";
import type { Item } from "../../model/item.ts";
import type { Passage, Shelf } from "../../model/shelf.ts";
import type { Database } from "./database.ts";
import { ITEM_COLUMNS, type ItemRow, toItem, toRow } from "./item-row.ts";
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

export interface ShelfWriter {
  find(id: string): { seq: number; item: Item } | null;
  /** Whether an item that holds or waits, other than row `except`, has this content. */
  hasContent(scope: string, hash: string, except?: number): boolean;
  insert(item: Item, passages: readonly Passage[], embed: boolean): void;
  update(seq: number, item: Item): void;
  replacePassages(seq: number, item: Item, passages: readonly Passage[], embed: boolean): void;
  remove(seq: number): void;
  touch(id: string, at: number, isRead: boolean): void;
  queueAll(): void;
  /** Brings word frequencies up to date; called once before the commit. */
  flush(): void;
  /** Forgets what was added, after a rollback. */
  discard(): void;
}

export function shelfWriter(db: Database, shelf: Shelf): ShelfWriter {
  const statements = prepare(db, shelf);
  const wordpieces = wordpieceCounter(db, shelf);

  function addPassages(seq: number, item: Item, passages: readonly Passage[], embed: boolean): void {
    for (const passage of passages) {
      const number = statements.insertPassage.run({
        item_seq: seq,
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
  }

  function dropPassages(seq: number): void {
    for (const { number, tokens } of statements.passagesOf.all(seq)) {
      statements.deleteWords.run(number);
      statements.dequeue.run(QUEUE_RANK[shelf], shelf, number);
      wordpieces.removed(number, tokens);
    }
    statements.deletePassages.run(seq);
  }

  function writeTags(seq: number, tags: readonly string[]): void {
    for (const tag of new Set(tags)) statements.insertTag.run(tag, seq);
  }

  return {
    find(id) {
      const row = statements.find.get(id);
      return row ? { seq: row.seq, item: toItem(row) } : null;
    },
    hasContent: (scope, hash, except) => {
      const row = statements.sameContent.get(scope, hash);
      return row !== undefined && row.seq !== except;
    },
    insert(item, passages, embed) {
      const seq = Number(statements.insertItem.run(toRow(item)).lastInsertRowid);
      writeTags(seq, item.tags);
      addPassages(seq, item, passages, embed);
    },
    update(seq, item) {
      statements.updateItem.run({ seq, ...toRow(item) });
      statements.deleteTags.run(seq);
      writeTags(seq, item.tags);
    },
    replacePassages(seq, item, passages, embed) {
      dropPassages(seq);
      addPassages(seq, item, passages, embed);
    },
    remove(seq) {
      dropPassages(seq);
      statements.deleteItem.run(seq);
    },
    touch(id, at, isRead) {
      statements.touch.run({ id, at, reads: isRead ? 1 : 0 });
    },
    queueAll() {
      statements.enqueueAll.run(QUEUE_RANK[shelf], shelf);
    },
    flush: () => wordpieces.flush(),
    discard: () => wordpieces.discard(),
  };
}

function prepare(db: Database, shelf: Shelf) {
  const columns = ITEM_COLUMNS.join(", ");
  const values = ITEM_COLUMNS.map((column) => `@${column}`).join(", ");
  const assignments = ITEM_COLUMNS.map((column) => `${column} = @${column}`).join(", ");
  return {
    find: db.prepare<[string], ItemRow>(`select seq, ${columns} from ${shelf}_item where id = ?`),
    // Where a partial index is not named, SQLite plans the statement anew for every value bound.
    sameContent: db.prepare<[string, string], { seq: number }>(
      `select seq from ${shelf}_item indexed by ${shelf}_item_content
       where scope = ? and hash = ? and status in ('active', 'pending')`,
    ),
    insertItem: db.prepare(`insert into ${shelf}_item (${columns}) values (${values})`),
    updateItem: db.prepare(`update ${shelf}_item set ${assignments} where seq = @seq`),
    deleteItem: db.prepare<[number]>(`delete from ${shelf}_item where seq = ?`),
    touch: db.prepare(`
      update ${shelf}_item
      set accessed_at = max(accessed_at, @at), access_count = access_count + @reads
      where id = @id`),
    insertTag: db.prepare<[string, number]>(`insert into ${shelf}_tag (tag, item_seq) values (?, ?)`),
    deleteTags: db.prepare<[number]>(`delete from ${shelf}_tag where item_seq = ?`),
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
