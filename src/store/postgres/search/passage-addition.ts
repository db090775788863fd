/**
 * The statement that adds passages of an item with everything that belongs to them: their words, in how many passages
 * each of those occurs, and their places in the queues. One statement, because each part needs the numbers of another.
 */
import { REMOTE_PREFIX, mayEmbed } from "../../../model/care/provider.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Passage, Shelf } from "../../../model/memory/shelf.ts";
import { turnValues } from "../../rows/search/passage-row.ts";
import { rankOf } from "../../rows/search/queue-ranks.ts";
import { bytesOf } from "../../rows/search/wordpiece-bytes.ts";
import type { Parameters } from "../connection/sql.ts";
import { type Words, postingColumns, wordsOf } from "./word-writer.ts";
import { countedFact } from "./wordpieces.ts";

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

export interface Addition {
  /** By passage. */
  words: readonly Words[];
  parameters: Parameters;
}

export function additionOf(item: Item, passages: readonly Passage[], embed: boolean): Addition {
  const words = passages.map(({ text }) => wordsOf(text, item));
  const places = words.map((own, index) => ({ number: index + 1, words: own }));
  const { numbers, ...postings } = postingColumns(places);
  const columns = { ...passageColumns(passages), words: words.map(({ count }) => count) };
  return { words, parameters: { ...columns, ...postings, places: numbers, embed: embed ? 1 : 0 } };
}

/** Lists of values by column. */
export function passageColumns(passages: readonly Passage[]) {
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
