/**
 * Writes one shelf: items with their tags and passages.
 *
 * Everything that belongs to an item is written and removed here together, so that no
 * index can disagree with the rows. Runs only inside the transaction of `apply`.
 */
import { EQUAL, UNIQUE } from "../../../logic/memory/uniqueness.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Passage, Shelf } from "../../../model/memory/shelf.ts";
import { archiveReader, isPacked } from "./archive.ts";
import { type BodyWriter, type Cut, bodyWriter } from "./body-writer.ts";
import type { FoundItem } from "../../erasing.ts";
import type { Database } from "../connection/database.ts";
import { ITEM_COLUMNS, type ItemRow, type ItemValue, contentIndex, toValues } from "./item-row.ts";
import type { QueueWriter } from "../search/passage-queue.ts";

export interface ShelfWriter {
  find(id: string): FoundItem | null;
  /** The row number, even of a damaged item. */
  seqOf(id: string): number | null;
  /** Why the item cannot be stored next to the existing ones, in words: it would break a uniqueness rule. */
  clash(item: Item, except?: number): string | null;
  /** Returns the reason when it cannot be inserted; then nothing was written. */
  insert(item: Item, passages: readonly Passage[], embed: boolean): string | null;
  /** Null keeps the existing passages. */
  revise(found: FoundItem, after: Item, cut: Cut | null): void;
  /** The current passages, without wordpieces. */
  passages(found: FoundItem): readonly Passage[];
  remove(seq: number): void;
  /** Returns whether the item exists. */
  touch(id: string, how: { at: number; isRead: boolean; boost: number }): boolean;
  flush: BodyWriter["flush"];
  discard: BodyWriter["discard"];
}

export function shelfWriter(db: Database, shelf: Shelf, queue: QueueWriter): ShelfWriter {
  const statements = prepare(db, shelf);
  const bodies = bodyWriter(db, shelf, queue);
  const { item: toItem } = archiveReader(db, shelf);
  // Packed content is not stored in the row as well.
  const valuesOf = (item: Item): ItemValue[] => toValues(isPacked(shelf, item) ? { ...item, content: "" } : item);

  function writeTags(seq: number, tags: readonly string[]): void {
    for (const tag of new Set(tags)) statements.insertTag.run(tag, seq);
  }

  function clash(item: Item, except?: number): string | null {
    const once = UNIQUE[shelf];
    if (!once || item.status !== once.status) return null;
    const row =
      once.by === "path" ? statements.samePath.get(item.path) : statements.sameContent.get(item.scope, item.hash);
    return row === undefined || row.seq === except ? null : `equal ${EQUAL[once.by]} is there already`;
  }

  return {
    find(id) {
      const row = statements.find.get(id);
      return row ? { seq: row.seq, item: toItem(row) } : null;
    },
    seqOf: (id) => statements.find.get(id)?.seq ?? null,
    clash,
    insert(item, passages, embed) {
      // The schema's unique indexes find an equal item; a query beforehand would search twice.
      const { changes, lastInsertRowid } = statements.insertItem.run(valuesOf(item));
      if (changes === 0) return clash(item) ?? `${shelf} ${item.id} exists already`;
      const seq = Number(lastInsertRowid);
      writeTags(seq, item.tags);
      bodies.add(seq, item, { passages, embed });
      return null;
    },
    revise({ seq, item: before }, after, cut) {
      statements.updateItem.run(valuesOf(after), seq);
      statements.deleteTags.run(seq);
      writeTags(seq, after.tags);
      bodies.revise(seq, { before, after }, cut);
    },
    passages: ({ seq, item: { id } }) => bodies.cutOf({ seq, id }).passages,
    remove(seq) {
      bodies.drop(seq);
      statements.deleteItem.run(seq);
    },
    touch: (id, { at, isRead, boost }) => statements.touch.run({ id, at, reads: isRead ? 1 : 0, boost }).changes > 0,
    flush: () => bodies.flush(),
    discard: () => bodies.discard(),
  };
}

function prepare(db: Database, shelf: Shelf) {
  const status = UNIQUE[shelf]?.status ?? "active";
  const columns = ITEM_COLUMNS.join(", ");
  const values = ITEM_COLUMNS.map(() => "?").join(", ");
  const assignments = ITEM_COLUMNS.map((column) => `${column} = ?`).join(", ");
  return {
    find: db.prepare<[string], ItemRow>(`select seq, ${columns} from ${shelf}_item where id = ?`),
    sameContent: db.prepare<[string, string], { seq: number }>(
      `select seq from ${shelf}_item indexed by ${contentIndex(shelf, status)}
       where scope = ? and hash = ? and status = '${status}'`,
    ),
    // Unless a partial index is named, SQLite plans the statement again for every bound value.
    samePath: db.prepare<[string | null], { seq: number }>(
      `select seq from ${shelf}_item indexed by ${shelf}_item_path
       where path = ? and path is not null and status = 'active'`,
    ),
    insertItem: db.prepare<[ItemValue[]]>(
      `insert into ${shelf}_item (${columns}) values (${values}) on conflict do nothing`,
    ),
    updateItem: db.prepare<[ItemValue[], number]>(`update ${shelf}_item set ${assignments} where seq = ?`),
    deleteItem: db.prepare<[number]>(`delete from ${shelf}_item where seq = ?`),
    touch: db.prepare(`
      update ${shelf}_item
      set accessed_at = max(accessed_at, @at), access_count = access_count + @reads,
        confidence = min(1, confidence * @boost)
      where id = @id`),
    insertTag: db.prepare<[string, number]>(`insert into ${shelf}_tag (tag, item_seq) values (?, ?)`),
    deleteTags: db.prepare<[number]>(`delete from ${shelf}_tag where item_seq = ?`),
  };
}
