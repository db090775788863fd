/**
 * Writes one shelf: items with their tags and passages.
 *
 * Everything that belongs to an item is written and removed here together, so that no
 * index can disagree with the rows. Runs only inside the transaction of `apply`.
 */
import type { Item } from "../../model/item.ts";
import type { Passage, Shelf } from "../../model/shelf.ts";
import type { Database } from "./database.ts";
import { ITEM_COLUMNS, type ItemRow, toItem, toRow } from "./item-row.ts";
import { type PassageWriter, passageWriter } from "./passage-writer.ts";

export interface ShelfWriter {
  find(id: string): { seq: number; item: Item } | null;
  /** Whether an item that holds or waits, other than row `except`, has this content. */
  hasContent(scope: string, hash: string, except?: number): boolean;
  insert(item: Item, passages: readonly Passage[], embed: boolean): void;
  update(seq: number, item: Item): void;
  replacePassages(seq: number, item: Item, passages: readonly Passage[], embed: boolean): void;
  remove(seq: number): void;
  /** Whether the item was there. */
  touch(id: string, at: number, isRead: boolean): boolean;
  queueAll: PassageWriter["queueAll"];
  flush: PassageWriter["flush"];
  discard: PassageWriter["discard"];
}

export function shelfWriter(db: Database, shelf: Shelf): ShelfWriter {
  const statements = prepare(db, shelf);
  const pieces = passageWriter(db, shelf);

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
      pieces.add(seq, item, passages, embed);
    },
    update(seq, item) {
      statements.updateItem.run({ seq, ...toRow(item) });
      statements.deleteTags.run(seq);
      writeTags(seq, item.tags);
    },
    replacePassages(seq, item, passages, embed) {
      pieces.drop(seq);
      pieces.add(seq, item, passages, embed);
    },
    remove(seq) {
      pieces.drop(seq);
      statements.deleteItem.run(seq);
    },
    touch: (id, at, isRead) => statements.touch.run({ id, at, reads: isRead ? 1 : 0 }).changes > 0,
    queueAll: () => pieces.queueAll(),
    flush: () => pieces.flush(),
    discard: () => pieces.discard(),
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
  };
}
