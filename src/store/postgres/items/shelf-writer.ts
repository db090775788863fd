/**
 * Writes one shelf: items with their tags and passages.
 *
 * Everything that belongs to an item is written and removed here together, so that no
 * index can disagree with the rows. Runs only inside the transaction of `apply`.
 */
import { EQUAL, UNIQUE } from "../../../logic/memory/uniqueness.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Passage, Shelf } from "../../../model/memory/shelf.ts";
import type { Database } from "../connection/database.ts";
import type { QueueWriter } from "../search/passage-queue.ts";
import { archiveReader, isPacked } from "./archive.ts";
import { type BodyWriter, type Cut, bodyWriter } from "./body-writer.ts";
import { decisionLinks } from "./decision-links.ts";
import { type ItemRow, READ_COLUMNS, WRITTEN_COLUMNS, toParameters } from "./item-row.ts";

export interface FoundItem {
  seq: number;
  item: Item;
}

export interface ShelfWriter {
  find(id: string): Promise<FoundItem | null>;
  /** The row number, even of a damaged item. */
  seqOf(id: string): Promise<number | null>;
  /** Why the item cannot be stored next to the existing ones, in words: it would break a uniqueness rule. */
  clash(item: Item, except?: number): Promise<string | null>;
  /** Returns the reason when it cannot be inserted; then nothing was written. */
  insert(item: Item, passages: readonly Passage[], embed: boolean): Promise<string | null>;
  /** Null keeps the existing passages. */
  revise(found: FoundItem, after: Item, cut: Cut | null): Promise<void>;
  /** The current passages, without wordpieces. */
  passages(found: FoundItem): Promise<readonly Passage[]>;
  remove(seq: number, id: string): Promise<void>;
  /** Returns whether the item exists. */
  touch(id: string, how: { at: number; isRead: boolean; boost: number }): Promise<boolean>;
  flush: BodyWriter["flush"];
}

export function shelfWriter(db: Database, shelf: Shelf, queue: QueueWriter): ShelfWriter {
  const statements = prepare(db, shelf);
  const bodies = bodyWriter(db, shelf, queue);
  const { items } = archiveReader(db, shelf);
  const links = shelf === "decision" ? decisionLinks(db) : null;
  // Packed content is not stored in the row as well.
  const valuesOf = (item: Item) => toParameters(isPacked(shelf, item) ? { ...item, content: "" } : item);

  async function writeTags(seq: number, tags: readonly string[]): Promise<void> {
    if (tags.length > 0) await statements.insertTags.run({ seq, tags: [...new Set(tags)] });
  }

  async function clash(item: Item, except?: number): Promise<string | null> {
    const once = UNIQUE[shelf];
    if (!once || item.status !== once.status) return null;
    const statement = once.by === "path" ? statements.samePath : statements.sameContent;
    const seq = await statement.get({ path: item.path, scope: item.scope, hash: item.hash });
    return seq === undefined || seq === except ? null : `equal ${EQUAL[once.by]} is there already`;
  }

  return {
    async find(id) {
      const row = await statements.find.get({ id });
      return row ? { seq: row.seq, item: (await items([row]))[0]! } : null;
    },
    seqOf: async (id) => (await statements.seqOf.get({ id })) ?? null,
    clash,
    async insert(item, passages, embed) {
      // The schema's unique indexes find an equal item; a query beforehand would search twice.
      const seq = await statements.insertItem.get(valuesOf(item));
      if (seq === undefined) return (await clash(item)) ?? `${shelf} ${item.id} exists already`;
      await writeTags(seq, item.tags);
      await links?.write(item);
      await bodies.add(seq, item, { passages, embed });
      return null;
    },
    async revise({ seq, item: before }, after, cut) {
      await statements.updateItem.run({ ...valuesOf(after), seq });
      if (before.tags.join("\n") !== after.tags.join("\n")) {
        await statements.deleteTags.run({ seq });
        await writeTags(seq, after.tags);
      }
      await links?.drop(after.id);
      await links?.write(after);
      await bodies.revise(seq, { before, after }, cut);
    },
    passages: async ({ seq, item: { id, status } }) => (await bodies.cutOf({ seq, id, status })).passages,
    async remove(seq, id) {
      await bodies.drop(seq);
      await links?.drop(id);
      await statements.deleteItem.run({ seq });
    },
    touch: async (id, { at, isRead, boost }) =>
      (await statements.touch.run({ id, at, reads: isRead ? 1 : 0, boost })) > 0,
    flush: () => bodies.flush(),
  };
}

function prepare(db: Database, shelf: Shelf) {
  const status = UNIQUE[shelf]?.status ?? "active";
  const columns = WRITTEN_COLUMNS.join(", ");
  const values = WRITTEN_COLUMNS.map((column) => `@${column}`).join(", ");
  const assignments = WRITTEN_COLUMNS.map((column) => `${column} = @${column}`).join(", ");
  return {
    find: db.prepare<ItemRow>(`select ${READ_COLUMNS} from ${shelf}_item item where item.id = @id`),
    seqOf: db.prepareColumn<number>(`select seq from ${shelf}_item where id = @id`),
    sameContent: db.prepareColumn<number>(
      `select seq from ${shelf}_item where scope = @scope and hash = @hash and status = '${status}'`,
    ),
    samePath: db.prepareColumn<number>(
      `select seq from ${shelf}_item where md5(path) = md5(@path) and path = @path and status = 'active'`,
    ),
    insertItem: db.prepareColumn<number>(
      `insert into ${shelf}_item (${columns}) values (${values}) on conflict do nothing returning seq`,
    ),
    updateItem: db.prepare(`update ${shelf}_item set ${assignments} where seq = @seq`),
    deleteItem: db.prepare(`delete from ${shelf}_item where seq = @seq`),
    touch: db.prepare(`
      update ${shelf}_item
      set accessed_at = greatest(accessed_at, @at), access_count = access_count + @reads,
        confidence = least(1, confidence * @boost)
      where id = @id`),
    insertTags: db.prepare(`insert into ${shelf}_tag (tag, item_seq) select tag, @seq from unnest(@tags::text[]) tag`),
    deleteTags: db.prepare(`delete from ${shelf}_tag where item_seq = @seq`),
  };
}
