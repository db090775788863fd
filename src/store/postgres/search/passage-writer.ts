/**
 * Writes the passages of one shelf, and with them their words, wordpieces and queue entries.
 *
 * Everything of a passage is written and removed together.
 */
import type { Item } from "../../../model/memory/item.ts";
import type { Passage, Shelf } from "../../../model/memory/shelf.ts";
import { type ItemChange, type WrittenPassage, turnValues, unchanged } from "../../rows/passage-row.ts";
import { bytesOf } from "../../rows/wordpiece-bytes.ts";
import type { Database } from "../connection/database.ts";
import type { QueueWriter } from "./passage-queue.ts";
import { vectorWriter } from "./vector-index.ts";
import { type WordWriter, wordWriter, wordsOf } from "./word-writer.ts";
import { wordpieceCounter } from "./wordpieces.ts";

export interface PassageWriter {
  add(itemSeq: number, item: Item, passages: readonly Passage[], embed: boolean): Promise<void>;
  drop(itemSeq: number): Promise<void>;
  replace(itemSeq: number, change: ItemChange, passages: readonly Passage[], embed: boolean): Promise<void>;
  /** Updates totals and wordpiece frequencies; called once before the commit. */
  flush(): Promise<void>;
}

export function passageWriter(db: Database, shelf: Shelf, queue: QueueWriter): PassageWriter {
  const statements = prepare(db, shelf);
  const wordpieces = wordpieceCounter(db, shelf);
  const vectors = vectorWriter(db, shelf);
  const words = wordWriter(db, shelf);

  async function add(itemSeq: number, item: Item, passages: readonly Passage[], embed: boolean): Promise<void> {
    if (passages.length === 0) return;
    const own = passages.map(({ text }) => wordsOf(text, item));
    const numbers = await statements.insert.all({
      ...columnsOf(passages),
      ...{ itemSeq, embed: embed ? 1 : 0, words: own.map(({ count }) => count) },
    });
    await words.write(numbers.map((number, index) => ({ number, words: own[index]! })));
    if (embed) await queue.enqueue(shelf, numbers);
    wordpieces.added(numbers.at(-1)!);
  }

  async function remove(rows: readonly WrittenPassage[]): Promise<void> {
    if (rows.length === 0) return;
    const numbers = rows.map(({ number }) => number);
    await words.remove(numbers);
    await queue.forget(shelf, numbers);
    await wordpieces.removed(rows);
    await statements.remove.run({ numbers });
    await vectors.reclaim(numbers);
  }

  const move = passageMover(db, shelf, words);

  return {
    add,
    drop: async (itemSeq) => remove(await statements.passagesOf.all({ itemSeq })),
    async replace(itemSeq, change, passages, embed) {
      const present = await statements.passagesOf.all({ itemSeq });
      const { head, tail } = unchanged(present, change, passages, embed);
      await remove(present.slice(head, present.length - tail));
      const hasNewTags = change.before.tags.join("\n") !== change.after.tags.join("\n");
      const places = [
        ...Array.from({ length: head }, (_, index) => index),
        ...Array.from({ length: tail }, (_, index) => -1 - index),
      ];
      const kept = places.map((place) => ({ row: present.at(place)!, passage: passages.at(place)! }));
      await move(kept, hasNewTags ? change.after : null);
      await add(itemSeq, change.after, passages.slice(head, passages.length - tail), embed);
    },
    async flush() {
      await words.flush();
      await wordpieces.flush();
    },
  };
}

type Kept = { row: WrittenPassage; passage: Passage };

/** Passages that stay get the places they have now, and the words of the tags if those have changed. */
function passageMover(
  db: Database,
  shelf: Shelf,
  words: WordWriter,
): (kept: readonly Kept[], retagged: Item | null) => Promise<void> {
  const statements = prepare(db, shelf);
  return async (kept, retagged) => {
    if (kept.length === 0) return;
    const numbers = kept.map(({ row }) => row.number);
    await statements.move.run({ numbers, ...columnsOf(kept.map(({ passage }) => passage)) });
    if (!retagged) return;
    await words.remove(numbers);
    const own = kept.map(({ row }) => ({ number: row.number, words: wordsOf(row.text, retagged) }));
    await statements.recount.run({ numbers, words: own.map(({ words: { count } }) => count) });
    await words.write(own);
  };
}

/** Lists of values by column. */
function columnsOf(passages: readonly Passage[]) {
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

function prepare(db: Database, shelf: Shelf) {
  return {
    insert: db.prepareColumn<number>(`
      insert into ${shelf}_passage
        (item_seq, ordinal, heading, start_line, end_line, text, tokens, embed, speaker, role, said_at, words)
      select @itemSeq, ordinal, heading, start_line, end_line, text, tokens, @embed, speaker, role, said_at, words
      from unnest(@ordinals::integer[], @headings::text[], @starts::integer[], @ends::integer[], @texts::text[],
        @tokens::bytea[], @speakers::text[], @roles::text[], @times::bigint[], @words::integer[])
        passage (ordinal, heading, start_line, end_line, text, tokens, speaker, role, said_at, words)
      returning seq`),
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
