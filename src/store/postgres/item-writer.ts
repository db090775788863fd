/**
 * Writes one shelf: items with their tags and passages.
 *
 * Everything that belongs to an item is written and removed here together, so that no
 * index can disagree with the rows. Runs only inside the transaction of `apply`.
 */
import type { Item } from "../../memory/item.ts";
import { EQUAL, UNIQUE } from "../../memory/remember-rules.ts";
import type { Passage, Shelf, Turn } from "../../memory/shelves.ts";
import { turnOf } from "../../text/turns.ts";
import type { FoundItem } from "../erasing.ts";
import type { ItemRow } from "../item-row.ts";
import type { ItemChange } from "../passage-row.ts";
import { archiveReader, archiveWriter, isPacked } from "./archive.ts";
import type { Database } from "./database.ts";
import { READ_COLUMNS, toParameters, WRITTEN_COLUMNS } from "./filter.ts";
import { type Added, additionOf, additionSql, type PassageWriter, passageWriter } from "./passage-writer.ts";

// Writes the text of items: as searchable passages, or packed into the archive.
//
// An item whose status changes to or from archived moves between the two with its full text.

/** Passages, and whether they get vectors. */
interface Cut {
  passages: readonly Passage[];
  embed: boolean;
}

type RowOfItem = Pick<ItemRow, "seq" | "id" | "status">;

interface BodyWriter extends Pick<PassageWriter, "added" | "flush"> {
  /** Of an item that is packed, and inserted without passages. */
  pack(item: Item, cut: Cut): void;
  /** Null keeps the existing passages. */
  revise(seq: number, change: ItemChange, cut: Cut | null): Promise<void>;
  /** The current passages, without wordpieces. */
  cutOf(row: RowOfItem): Promise<Cut>;
  drop(seq: number): Promise<void>;
}

function bodyWriter(db: Database, shelf: Shelf): BodyWriter {
  const pieces = passageWriter(db, shelf);
  const packed = archiveReader(db, shelf);
  const archive = archiveWriter(db);
  const passagesOf = db.prepare<Omit<Passage, "tokens" | "turn"> & Turn & { embed: number }>(`
    select ordinal, heading, start_line as "startLine", end_line as "endLine", text, speaker, role, said_at as at, embed
    from ${shelf}_passage where item_seq = @seq order by ordinal`);

  const packItem = ({ id, content }: Item, { passages, embed }: Cut) => archive.keep(id, { content, passages, embed });

  async function add(seq: number, item: Item, cut: Cut): Promise<void> {
    if (isPacked(shelf, item)) packItem(item, cut);
    else await pieces.add(seq, item, cut.passages, cut.embed);
  }

  async function cutOf(row: RowOfItem): Promise<Cut> {
    const body = (await packed.bodies([row as ItemRow])).get(row.seq);
    if (body) return body();
    const rows = await passagesOf.all({ seq: row.seq });
    const passages = rows.map(({ speaker, role, at, embed: _, ...passage }) => {
      const turn = turnOf({ speaker, role, at });
      return { ...passage, tokens: null, ...(turn && { turn }) };
    });
    return { passages, embed: rows.some(({ embed }) => embed === 1) };
  }

  async function drop(seq: number): Promise<void> {
    if (shelf === "evidence") archive.drop(seq);
    await pieces.drop(seq);
  }

  return {
    pack: packItem,
    added: pieces.added,
    async revise(seq, change, cut) {
      const { before, after } = change;
      if (!isPacked(shelf, before) && !isPacked(shelf, after)) {
        if (cut) await pieces.replace(seq, change, cut.passages, cut.embed);
        return;
      }
      const kept = cut ?? (await cutOf({ seq, id: before.id, status: before.status }));
      await drop(seq);
      await add(seq, after, kept);
    },
    cutOf,
    drop,
    flush: () => pieces.flush(),
  };
}

/** Writes what a decision refers to: the evidence it rests on, by subject, and the decisions that it lists as related. */
interface DecisionLinks {
  write(decision: Item): void;
  drop(id: string): void;
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? [...new Set(value.filter((one): one is string => typeof one === "string"))] : [];

function decisionLinks(db: Database): DecisionLinks {
  const addEvidence = db.prepare(`
    insert into evidence_link (decision_id, evidence_id, subject) select @id, one, @subject from unnest(@ids::text[]) one`);
  const addRelated = db.prepare(`
    insert into decision_relation (decision_id, related_id) select @id, one from unnest(@ids::text[]) one`);
  const dropEvidence = db.prepare(`delete from evidence_link where decision_id = @id`);
  const dropRelated = db.prepare(`delete from decision_relation where decision_id = @id`);
  return {
    write({ id, title, details }) {
      const { evidence, relates } = details as { evidence?: unknown; relates?: unknown };
      const [behind, related] = [title === null ? [] : textsIn(evidence), textsIn(relates)];
      if (behind.length > 0) addEvidence.send({ id, subject: title, ids: behind });
      if (related.length > 0) addRelated.send({ id, ids: related });
    },
    drop(id) {
      dropEvidence.send({ id });
      dropRelated.send({ id });
    },
  };
}

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
