/**
 * Writes one shelf: items with their tags and passages.
 *
 * Everything that belongs to an item is written and removed here together, so that no
 * index can disagree with the rows. Runs only inside the transaction of `apply`.
 */
import { EQUAL, UNIQUE } from "../../../logic/memory/uniqueness.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Passage, Shelf } from "../../../model/memory/shelf.ts";
import type { FoundItem } from "../../erasing.ts";
import type { Database } from "../connection/database.ts";
import { type Added, additionOf, additionSql } from "../search/passage-addition.ts";
import { archiveReader, isPacked } from "./archive.ts";
import { type BodyWriter, type Cut, bodyWriter } from "./body-writer.ts";
import { decisionLinks } from "./decision-links.ts";
import { type ItemRow, READ_COLUMNS, WRITTEN_COLUMNS, toParameters } from "./item-row.ts";

export interface ShelfWriter {
  find(id: string): Promise<FoundItem | null>;
  /** The row number, even of a damaged item. */
  seqOf(id: string): Promise<number | null>;
  /** Why the item cannot be stored next to the existing ones, in words: it would break a uniqueness rule. */
  clash(item: Item, except?: number): Promise<string | null>;
  /** Returns the reason when it cannot be inserted. Its statements are sent at once, so nobody need wait to go on. */
  insert(item: Item, passages: readonly Passage[], embed: boolean): Promise<string | null>;
  /** Null keeps the existing passages. */
  revise(found: FoundItem, after: Item, cut: Cut | null): Promise<void>;
  /** The current passages, without wordpieces. */
  passages(found: FoundItem): Promise<readonly Passage[]>;
  remove(seq: number, id: string): Promise<void>;
  flush: BodyWriter["flush"];
}

export function shelfWriter(db: Database, shelf: Shelf): ShelfWriter {
  const statements = prepare(db, shelf);
  const bodies = bodyWriter(db, shelf);
  const { items } = archiveReader(db, shelf);
  const links = shelf === "decision" ? decisionLinks(db) : null;
  const once = UNIQUE[shelf];
  // Packed content is not stored in the row as well.
  const valuesOf = (item: Item) => toParameters(isPacked(shelf, item) ? { ...item, content: "" } : item);

  async function clash(item: Item, except?: number): Promise<string | null> {
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
      const isInArchive = isPacked(shelf, item);
      const addition = additionOf(item, isInArchive ? [] : passages, embed);
      const tagList = [...new Set(item.tags)];
      const inserted = statements.insertItem.get({ ...valuesOf(item), ...addition.parameters, tagList });
      links?.write(item);
      if (isInArchive) bodies.pack(item, { passages, embed });
      const answer = (await inserted)!;
      if (answer.item === null)
        return answer.equal && once ? `equal ${EQUAL[once.by]} is there already` : `${shelf} ${item.id} exists already`;
      bodies.added(addition, answer);
      return null;
    },
    async revise({ seq, item: before }, after, cut) {
      statements.updateItem.send({ ...valuesOf(after), seq });
      if (before.tags.join("\n") !== after.tags.join("\n"))
        statements.replaceTags.send({ seq, tags: [...new Set(after.tags)] });
      links?.drop(after.id);
      links?.write(after);
      await bodies.revise(seq, { before, after }, cut);
    },
    passages: async ({ seq, item: { id, status } }) => (await bodies.cutOf({ seq, id, status })).passages,
    async remove(seq, id) {
      await bodies.drop(seq);
      links?.drop(id);
      statements.deleteItem.send({ seq });
    },
    flush: () => bodies.flush(),
  };
}

function prepare(db: Database, shelf: Shelf) {
  const status = UNIQUE[shelf]?.status ?? "active";
  const equal =
    UNIQUE[shelf]?.by === "path" ? "md5(path) = md5(@path) and path = @path" : "scope = @scope and hash = @hash";
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
    // The unique indexes of the schema find an equal item; a query beforehand would search twice.
    insertItem: db.prepare<Added & { equal: boolean }>(
      additionSql(
        shelf,
        `insert into ${shelf}_item (${columns}) values (${values}) on conflict do nothing returning seq`,
        `, @status = '${status}' and exists (select 1 from ${shelf}_item where ${equal} and status = '${status}') as equal`,
        `insert into ${shelf}_tag (tag, item_seq) select tag, item.seq from item cross join unnest(@tagList::text[]) tag`,
      ),
    ),
    updateItem: db.prepare(`update ${shelf}_item set ${assignments} where seq = @seq`),
    deleteItem: db.prepare(`delete from ${shelf}_item where seq = @seq`),
    // A tag that stays is neither deleted nor inserted again, which one statement could not do.
    replaceTags: db.prepare(`
      with gone as (delete from ${shelf}_tag where item_seq = @seq and not tag = any (@tags::text[]))
      insert into ${shelf}_tag (tag, item_seq) select tag, @seq from unnest(@tags) tag on conflict do nothing`),
  };
}
