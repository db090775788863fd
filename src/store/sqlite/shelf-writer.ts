/**
 * Writes one shelf: items with their tags and passages.
 *
 * Everything that belongs to an item is written and removed here together, so that no
 * index can disagree with the rows. Runs only inside the transaction of `apply`.
 */
import { ONCE } from "../../logic/said-once.ts";
import type { Item } from "../../model/item.ts";
import type { Passage, Shelf, Turn } from "../../model/shelf.ts";
import type { Database } from "./database.ts";
import { ITEM_COLUMNS, type ItemRow, type ItemValue, contentIndex, toItem, toValues } from "./item-row.ts";
import type { QueueWriter } from "./passage-queue.ts";
import { type PassageWriter, passageWriter } from "./passage-writer.ts";

const EQUAL = { hash: "content", path: "path" } as const;

export interface FoundItem {
  seq: number;
  item: Item;
}

export interface ShelfWriter {
  find(id: string): FoundItem | null;
  /** What stands in the way of this item, in words: something that must stand once would stand twice. */
  clash(item: Item, except?: number): string | null;
  /** Answers what stands in its way, in words, and then has written nothing. */
  insert(item: Item, passages: readonly Passage[], embed: boolean): string | null;
  update(seq: number, item: Item): void;
  replacePassages(found: FoundItem, after: Item, passages: readonly Passage[], embed: boolean): void;
  /** As they are now, without their wordpieces. */
  passages(seq: number): Passage[];
  remove(seq: number): void;
  /** Whether the item was there. */
  touch(id: string, at: number, isRead: boolean): boolean;
  flush: PassageWriter["flush"];
  discard: PassageWriter["discard"];
}

export function shelfWriter(db: Database, shelf: Shelf, queue: QueueWriter): ShelfWriter {
  const statements = prepare(db, shelf);
  const pieces = passageWriter(db, shelf, queue);

  function writeTags(seq: number, tags: readonly string[]): void {
    for (const tag of new Set(tags)) statements.insertTag.run(tag, seq);
  }

  function clash(item: Item, except?: number): string | null {
    const once = ONCE[shelf];
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
    clash,
    insert(item, passages, embed) {
      // The schema's own indexes look for an equal one; asking beforehand would look twice.
      const { changes, lastInsertRowid } = statements.insertItem.run(toValues(item));
      if (changes === 0) return clash(item) ?? `${shelf} ${item.id} exists already`;
      const seq = Number(lastInsertRowid);
      writeTags(seq, item.tags);
      pieces.add(seq, item, passages, embed);
      return null;
    },
    update(seq, item) {
      statements.updateItem.run(toValues(item), seq);
      statements.deleteTags.run(seq);
      writeTags(seq, item.tags);
    },
    replacePassages({ seq, item: before }, after, passages, embed) {
      pieces.replace(seq, { before, after }, passages, embed);
    },
    passages: (seq) =>
      statements.passages.all(seq).map(({ speaker, role, at, ...passage }) => {
        const isSaid = speaker !== null || role !== null || at !== null;
        return { ...passage, tokens: null, ...(isSaid && { turn: { speaker, role, at } }) };
      }),
    remove(seq) {
      pieces.drop(seq);
      statements.deleteItem.run(seq);
    },
    touch: (id, at, isRead) => statements.touch.run({ id, at, reads: isRead ? 1 : 0 }).changes > 0,
    flush: () => pieces.flush(),
    discard: () => pieces.discard(),
  };
}

function prepare(db: Database, shelf: Shelf) {
  const status = ONCE[shelf]?.status ?? "active";
  const columns = ITEM_COLUMNS.join(", ");
  const values = ITEM_COLUMNS.map(() => "?").join(", ");
  const assignments = ITEM_COLUMNS.map((column) => `${column} = ?`).join(", ");
  return {
    find: db.prepare<[string], ItemRow>(`select seq, ${columns} from ${shelf}_item where id = ?`),
    sameContent: db.prepare<[string, string], { seq: number }>(
      `select seq from ${shelf}_item indexed by ${contentIndex(shelf, status)}
       where scope = ? and hash = ? and status = '${status}'`,
    ),
    // Where a partial index is not named, SQLite plans the statement anew for every value bound.
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
      set accessed_at = max(accessed_at, @at), access_count = access_count + @reads
      where id = @id`),
    passages: db.prepare<[number], Omit<Passage, "tokens" | "turn"> & Turn>(
      `select ordinal, heading, start_line as startLine, end_line as endLine, text, speaker, role, said_at as at
       from ${shelf}_passage where item_seq = ? order by ordinal`,
    ),
    insertTag: db.prepare<[string, number]>(`insert into ${shelf}_tag (tag, item_seq) values (?, ?)`),
    deleteTags: db.prepare<[number]>(`delete from ${shelf}_tag where item_seq = ?`),
  };
}
