/**
 * Writes one shelf: items with their tags and passages.
 *
 * Everything that belongs to an item is written and removed here together, so that no
 * index can disagree with the rows. Runs only inside the transaction of `apply`.
 */
import type { Item } from "../../memory/item.ts";
import { EQUAL, UNIQUE } from "../../memory/remember-rules.ts";
import type { Passage, Shelf, Turn } from "../../memory/shelves.ts";
import type { FoundItem } from "../erasing.ts";
import { ITEM_COLUMNS, type ItemRow, type ItemValue, toValues } from "../item-row.ts";
import { archiveReader, archiveWriter, isPacked } from "./archive.ts";
import type { Database } from "./database.ts";
import { contentIndex } from "./filter.ts";
import { type ItemChange, type PassageWriter, passageWriter, type QueueWriter } from "./passage-writer.ts";

// Writes the text of items: as searchable passages, or packed into the archive.
//
// An item whose status changes to or from archived moves between the two with its full text.

/** Passages, and whether they get vectors. */
interface Cut {
  passages: readonly Passage[];
  embed: boolean;
}

interface BodyWriter extends Pick<PassageWriter, "flush" | "discard"> {
  add(seq: number, item: Item, cut: Cut): void;
  /** Null keeps the existing passages. */
  revise(seq: number, change: ItemChange, cut: Cut | null): void;
  /** The current passages, without wordpieces. */
  cutOf(row: { seq: number; id: string }): Cut;
  drop(seq: number): void;
}

function bodyWriter(db: Database, shelf: Shelf, queue: QueueWriter): BodyWriter {
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
