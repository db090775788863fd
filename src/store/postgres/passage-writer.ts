/**
 * Writes the passages of one shelf, and with them their words, wordpieces and queue entries.
 *
 * Everything of a passage is written and removed together.
 */
import type { Item } from "../../memory/item.ts";
import type { Passage, Shelf } from "../../memory/shelves.ts";
import { mayEmbed, REMOTE_PREFIX } from "../../remote/provider.ts";
import { bytesOf, type ItemChange, turnValues, unchanged, type WrittenPassage } from "../passage-row.ts";
import { rankOf } from "../queue.ts";
import type { Database } from "./database.ts";
import type { NamedParameters } from "./statements.ts";
import { vectorWriter } from "./vector-index.ts";
import { countedFact, type WordpieceCounter, wordpieceCounter } from "./wordpieces.ts";
import { postingColumns, type Words, wordsOf, type WordWriter, wordWriter } from "./words.ts";

// The statement that adds passages of an item with everything that belongs to them: their words, in how many passages
// each of those occurs, and their places in the queues. One statement, because each part needs the numbers of another.

/** What the statement answers. */
export interface Added {
  /** The row number of the item; null if it was not inserted. */
  item: number | null;
  /** The last passage; null without any. */
  last: number | null;
  /** Up to which passage wordpieces are counted. */
  counted: number | null;
}

/**
 * `item` gives the row number of the item, or no row: then nothing is added. `columns` are added to the answer; `also` is
 * done besides.
 */
export const additionSql = (shelf: Shelf, item: string, columns = "", also = "select"): string => `
  with item (seq) as (${item}), also as (${also}), passage as (
    insert into ${shelf}_passage
      (item_seq, ordinal, heading, start_line, end_line, text, tokens, embed, speaker, role, said_at, words)
    select item.seq, ordinal, heading, start_line, end_line, text, tokens, @embed, speaker, role, said_at, words
    from item cross join unnest(@ordinals::integer[], @headings::text[], @starts::integer[], @ends::integer[],
      @texts::text[], @tokens::bytea[], @speakers::text[], @roles::text[], @times::bigint[], @words::integer[])
      with ordinality passage
        (ordinal, heading, start_line, end_line, text, tokens, speaker, role, said_at, words, place)
    order by place
    returning seq
  ), posting as (
    insert into ${shelf}_posting (term, passage, weight, words)
    select term, (select array_agg(seq order by seq) from passage)[place], weight, (@words::integer[])[place]
    from unnest(@terms::text[], @places::integer[], @weights::double precision[]) posting (term, place, weight)
    where exists (select 1 from item)
  ), counted as (
    insert into ${shelf}_term (term, passages)
    select term, passages from unnest(@distinct::text[], @counts::bigint[]) counted (term, passages)
    where exists (select 1 from item)
    on conflict (term) do update set passages = ${shelf}_term.passages + excluded.passages
  ), queued as (
    insert into passage_queue (embedder, rank, recency)
    select embedder.identity, ${rankOf(shelf)}, -passage.seq from passage cross join embedder
    where @embed = 1 ${mayEmbed(REMOTE_PREFIX, shelf) ? "" : `and not starts_with(embedder.identity, '${REMOTE_PREFIX}')`}
    on conflict do nothing
  )
  select (select seq from item) as item, (select max(seq) from passage) as last,
    (select value::bigint from fact where key = '${countedFact(shelf)}') as counted ${columns}`;

interface Addition {
  /** By passage. */
  words: readonly Words[];
  parameters: NamedParameters;
}

export function additionOf(item: Item, passages: readonly Passage[], embed: boolean): Addition {
  const words = passages.map(({ text }) => wordsOf(text, item));
  const places = words.map((own, index) => ({ number: index + 1, words: own }));
  const { numbers, ...postings } = postingColumns(places);
  const columns = { ...passageColumns(passages), words: words.map(({ count }) => count) };
  return { words, parameters: { ...columns, ...postings, places: numbers, embed: embed ? 1 : 0 } };
}

/** Lists of values by column. */
function passageColumns(passages: readonly Passage[]) {
  const turns = passages.map(turnValues);
  return {
    ordinals: passages.map(({ ordinal }) => ordinal),
    headings: passages.map(({ heading }) => heading),
    starts: passages.map(({ startLine }) => startLine),
    ends: passages.map(({ endLine }) => endLine),
    texts: passages.map(({ text }) => text),
    tokens: passages.map(({ tokens }) => tokens && bytesOf(tokens)),
    speakers: turns.map(([speaker]) => speaker as string | null),
    roles: turns.map(([, role]) => role as string | null),
    times: turns.map(([, , at]) => at as number | null),
  };
}

export interface PassageWriter {
  add(itemSeq: number, item: Item, passages: readonly Passage[], embed: boolean): Promise<void>;
  /** Called when passages were added together with their item. */
  added(addition: Addition, answer: Added): void;
  drop(itemSeq: number): Promise<void>;
  replace(itemSeq: number, change: ItemChange, passages: readonly Passage[], embed: boolean): Promise<void>;
  /** Updates totals and wordpiece frequencies; called once before the commit. */
  flush(): Promise<void>;
}

export function passageWriter(db: Database, shelf: Shelf): PassageWriter {
  const statements = prepare(db, shelf);
  const wordpieces = wordpieceCounter(db, shelf);
  const words = wordWriter(db, shelf);

  function added(addition: Addition, { last, counted }: Added): void {
    if (last === null) return;
    words.added(addition.words);
    wordpieces.added(last, counted ?? 0);
    db.note(`passages ${shelf}`);
    db.note("queue");
  }

  async function add(itemSeq: number, item: Item, passages: readonly Passage[], embed: boolean): Promise<void> {
    if (passages.length === 0) return;
    const addition = additionOf(item, passages, embed);
    added(addition, (await statements.add.get({ ...addition.parameters, itemSeq }))!);
  }

  const { present, remove } = passageRemover(db, shelf, { words, wordpieces });
  const move = passageMover(db, shelf, words);

  return {
    add,
    added,
    async drop(itemSeq) {
      const [rows, countedUpTo] = await present(itemSeq);
      remove(rows, countedUpTo);
    },
    async replace(itemSeq, change, passages, embed) {
      const [rows, countedUpTo] = await present(itemSeq);
      const { head, tail } = unchanged(rows, change, passages, embed);
      remove(rows.slice(head, rows.length - tail), countedUpTo);
      const hasNewTags = change.before.tags.join("\n") !== change.after.tags.join("\n");
      const places = [
        ...Array.from({ length: head }, (_, index) => index),
        ...Array.from({ length: tail }, (_, index) => -1 - index),
      ];
      const kept = places.map((place) => ({ row: rows.at(place)!, passage: passages.at(place)! }));
      move(kept, hasNewTags ? change.after : null);
      await add(itemSeq, change.after, passages.slice(head, passages.length - tail), embed);
    },
    async flush() {
      words.flush();
      await wordpieces.flush();
    },
  };
}

/** Finds the passages of an item, and removes some with everything that belongs to them. */
function passageRemover(
  db: Database,
  shelf: Shelf,
  { words, wordpieces }: { words: WordWriter; wordpieces: WordpieceCounter },
) {
  const statements = prepare(db, shelf);
  const vectors = vectorWriter(db, shelf);
  // By embedder, as the primary key is.
  const unqueue = db.prepare(`
    delete from passage_queue where embedder in (select identity from embedder) and rank = @rank
      and recency in (select -passage from unnest(@passages::bigint[]) passage)`);
  return {
    /** The passages of an item, and up to which number wordpieces are counted. */
    present: (itemSeq: number) =>
      Promise.all([statements.passagesOf.all({ itemSeq }), statements.counted.get().then((found) => found ?? 0)]),
    remove(rows: readonly WrittenPassage[], countedUpTo: number): void {
      if (rows.length === 0) return;
      const numbers = rows.map(({ number }) => number);
      words.remove(numbers);
      unqueue.send({ rank: rankOf(shelf), passages: numbers });
      wordpieces.removed(rows, countedUpTo);
      statements.remove.send({ numbers });
      vectors.reclaim(numbers);
      db.note(`passages ${shelf}`);
      db.note("queue");
    },
  };
}

type Kept = { row: WrittenPassage; passage: Passage };

/** Passages that stay get the places they have now, and the words of the tags if those have changed. */
function passageMover(
  db: Database,
  shelf: Shelf,
  words: WordWriter,
): (kept: readonly Kept[], retagged: Item | null) => void {
  const statements = prepare(db, shelf);
  return (kept, retagged) => {
    if (kept.length === 0) return;
    const numbers = kept.map(({ row }) => row.number);
    statements.move.send({ numbers, ...passageColumns(kept.map(({ passage }) => passage)) });
    if (!retagged) return;
    words.remove(numbers);
    const own = kept.map(({ row }) => ({ number: row.number, words: wordsOf(row.text, retagged) }));
    statements.recount.send({ numbers, words: own.map(({ words: { count } }) => count) });
    words.write(own);
    db.note(`passages ${shelf}`);
  };
}

function prepare(db: Database, shelf: Shelf) {
  return {
    add: db.prepare<Added>(additionSql(shelf, "select @itemSeq::bigint")),
    counted: db.prepareColumn<number>(`select value::bigint from fact where key = '${countedFact(shelf)}'`),
    passagesOf: db.prepare<WrittenPassage>(
      `select seq as number, text, tokens, embed from ${shelf}_passage where item_seq = @itemSeq order by ordinal`,
    ),
    // The rule that no two passages of an item share an ordinal is checked when all have moved.
    move: db.prepare(`
      update ${shelf}_passage passage
      set ordinal = moved.ordinal, heading = moved.heading, start_line = moved.start_line, end_line = moved.end_line,
        speaker = moved.speaker, role = moved.role, said_at = moved.said_at
      from unnest(@numbers::bigint[], @ordinals::integer[], @headings::text[], @starts::integer[], @ends::integer[],
        @speakers::text[], @roles::text[], @times::bigint[])
        moved (seq, ordinal, heading, start_line, end_line, speaker, role, said_at)
      where passage.seq = moved.seq`),
    recount: db.prepare(`
      update ${shelf}_passage passage set words = counted.words
      from unnest(@numbers::bigint[], @words::integer[]) counted (seq, words) where passage.seq = counted.seq`),
    remove: db.prepare(`delete from ${shelf}_passage where seq = any (@numbers::bigint[])`),
  };
}
