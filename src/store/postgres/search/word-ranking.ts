/**
 * Ranks passages by words, as FTS5 does: BM25 over the postings, summed in the order of the terms.
 *
 * A term that is several words to the index is a phrase: the passages that have all of its words are read, and count if
 * the words follow each other.
 */
import { BM25, indexTokens, phraseWeight, rarityOf } from "../../rows/search/index-words.ts";
import { indexedText } from "../../../logic/text/words.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Filter } from "../../../model/recall/search.ts";
import type { Database } from "../connection/database.ts";
import { reachable } from "../items/filter.ts";
import type { OutlineRow } from "../items/item-row.ts";
import { type Page, reachedSql } from "./page-walk.ts";
import type { ReadStatistics } from "./word-statistics.ts";
import { storedTerm } from "./word-writer.ts";

/** One term of a question; its place among the others decides the order of addition. */
interface Sought {
  place: number;
  tokens: readonly string[];
  /** Only of a phrase: where it is found, and how much it counts there. */
  found: ReadonlyMap<number, number> | null;
  /** In how many passages it is. */
  frequency: number;
}

export interface Question {
  sought: readonly Sought[];
  total: number;
}

export interface RankedPage {
  size: number | null;
  offset: number;
  among?: readonly number[];
  looked: { first: number; filter: Filter };
}

export interface WordRanking {
  /** Looks the terms up. Those that no passage has are left out. */
  ask(terms: readonly string[]): Promise<Question>;
  /**
   * Passages that have any of the terms, best first; only some of them, if given. Without a size, all of them. With the
   * items of the first ones, as far as the filter can reach them.
   */
  ranked(question: Question, page: RankedPage): Promise<Page>;
  /** The passages that have each term. */
  holding(sought: readonly Sought[]): Promise<number[][]>;
}

export function wordRanking(db: Database, shelf: Shelf, statistics: ReadStatistics): WordRanking {
  const statements = prepare(db, shelf);

  async function phrase(tokens: readonly string[]): Promise<Map<number, number>> {
    const terms = [...new Set(tokens.map(storedTerm))];
    const rows = await statements.holdingAll.all({ terms, count: terms.length });
    const weights = rows.map(
      ({ passage, title, text, tags }) =>
        [passage, phraseWeight(indexedText({ title, text, tags: JSON.parse(tags) as string[] }), tokens)] as const,
    );
    return new Map(weights.filter(([, weight]) => weight > 0));
  }

  return {
    async ask(terms) {
      const divided = terms.map((term) => indexTokens(term.replaceAll("\0", " ")));
      const single = divided.flatMap((tokens) => (tokens.length === 1 ? tokens : []));
      const { total, frequency } = await statistics(single);
      const sought: Sought[] = [];
      for (const [place, tokens] of divided.entries()) {
        if (tokens.length === 0) continue;
        const found = tokens.length > 1 ? await phrase(tokens) : null;
        const count = found ? found.size : (frequency.get(tokens[0]!) ?? 0);
        if (count > 0) sought.push({ place, tokens, found, frequency: count });
      }
      return { sought, total };
    },
    async ranked({ sought, total }, { size, offset, among, looked: { first, filter } }) {
      const [words, phrases] = [sought.filter(({ found }) => !found), sought.filter(({ found }) => found)];
      const hits = phrases.flatMap(({ place, found, frequency }) =>
        [...found!].map(([passage, weight]) => ({ place, passage, weight, rarity: rarityOf(frequency, total) })),
      );
      const rows = await statements.ranked.all({
        places: words.map(({ place }) => place),
        terms: words.map(({ tokens }) => storedTerm(tokens[0]!)),
        rarities: words.map(({ frequency }) => rarityOf(frequency, total)),
        hitPlaces: hits.map(({ place }) => place),
        hitPassages: hits.map(({ passage }) => passage),
        hitWeights: hits.map(({ weight }) => weight),
        hitRarities: hits.map(({ rarity }) => rarity),
        ...{ size, offset, among, first, ...reachable(filter) },
      });
      const reached = rows.filter(([, , , id]) => id !== null);
      return {
        scored: rows.map(([passage, score]) => ({ passage, score })),
        reached: { first, rows: reached.map(([passage, , ...item]) => [passage, ...item]) },
      };
    },
    async holding(sought) {
      const words = sought.filter(({ found }) => !found);
      const terms = words.map(({ tokens }) => storedTerm(tokens[0]!));
      const rows = new Map(words.length > 0 ? await statements.holding.all({ terms }) : []);
      return sought.map(({ tokens, found }) =>
        found ? [...found.keys()] : (JSON.parse(rows.get(storedTerm(tokens[0]!)) ?? "[]") as number[]),
      );
    },
  };
}

function prepare(db: Database, shelf: Shelf) {
  const { k1, b } = BM25;
  const reached = reachedSql(shelf);
  // All in double precision, and in the very order in which FTS5 computes: equal scores must stay equal.
  const score = `rarity * ((weight * ${k1 + 1}::double precision) / (weight + ${k1}::double precision *
    (1 - ${b}::double precision + ${b}::double precision * hit.words / average.words)))`;
  return {
    ranked: db.prepareRaw<[number, number, boolean, ...OutlineRow]>(`
      with hit (place, rarity, passage, weight, words) as (
        select asked.place, asked.rarity, posting.passage, posting.weight, posting.words
        from unnest(@places::integer[], @terms::text[], @rarities::double precision[]) asked (place, term, rarity)
        join ${shelf}_posting posting on posting.term = asked.term
        union all
        select phrase.place, phrase.rarity, phrase.passage, phrase.weight, passage.words
        from unnest(@hitPlaces::integer[], @hitRarities::double precision[], @hitPassages::bigint[],
          @hitWeights::double precision[]) phrase (place, rarity, passage, weight)
        join ${shelf}_passage passage on passage.seq = phrase.passage
      ), page as (
        select hit.passage as seq, sum(${score} order by hit.place) as score
        from hit cross join (select words::double precision / passages as words from ${shelf}_total where one = 1) average
        where @among::bigint[] is null or hit.passage in (select unnest(@among))
        group by hit.passage order by score desc, hit.passage limit @size offset @offset
      ), numbered as materialized (
        select *, row_number() over (order by score desc, seq) as number from page
      )
      select page.seq, page.score, ${reached.columns}
      from numbered page
      left join ${shelf}_passage passage on passage.seq = page.seq and page.number <= @first::bigint
      left join ${shelf}_item item on item.seq = passage.item_seq and ${reached.where}
      order by page.number`),
    holding: db.prepareRaw<[string, string]>(`
      select term, '[' || string_agg(passage::text, ',') || ']' from ${shelf}_posting where term = any (@terms::text[]) group by term`),
    holdingAll: db.prepare<{ passage: number; title: string | null; text: string; tags: string }>(`
      select passage.seq as passage, item.title, passage.text, item.tags
      from (
        select passage from ${shelf}_posting where term = any (@terms::text[]) group by passage having count(*) = @count
      ) held
      join ${shelf}_passage passage on passage.seq = held.passage
      join ${shelf}_item item on item.seq = passage.item_seq`),
  };
}
