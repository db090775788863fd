/**
 * Ranks passages by words, as FTS5 does: BM25 over the postings, summed in the order of the terms.
 *
 * A term that is several words to the index is a phrase: the passages that have all of its words are read, and count if
 * the words follow each other.
 */
import type { Item } from "../../memory/item.ts";
import type { IndexedText, Shelf } from "../../memory/shelves.ts";
import type { Filter } from "../../recall/search.ts";
import { contentHash } from "../../text/content-hash.ts";
import { fold, indexedText, isAscii, stem } from "../../text/words.ts";
import type { OutlineRow } from "../item-row.ts";
import type { Database, OpenDatabase } from "./database.ts";
import { reachable } from "./filter.ts";
import { type Page, reachedSql } from "./page-walk.ts";

// The words of a passage as FTS5 counts them, for a database that has no FTS5: divided like `unicode61`, folded and
// stemmed, each weighed by the columns it is in.
//
// A store that keeps these and ranks by BM25 orders passages as FTS5 does.

/** In the order of the columns, which is the order in which FTS5 adds them up. */
const WEIGHTS: readonly (readonly [keyof IndexedText, number])[] = [
  ["title", 1.5],
  ["text", 1],
  ["tags", 1.2],
  ["split", 0.6],
  ["cjk", 1],
];

/** The stemmed words of a text, in order. */
export function indexTokens(text: string): string[] {
  return (tokensIn(text) ?? []).map((word) => stem(fold(word)));
}

function tokensIn(text: string): string[] | null {
  if (isAscii(text)) return text.match(/[A-Za-z0-9]+/g);
  // A combining mark may continue a word but not begin one; other marks end it. Slow to build, so not before it is needed.
  return text.match(/[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\u0300-\u0331]*/gu);
}

interface PassageWords {
  /** How many words there are, in all columns together. */
  count: number;
  /** How much each distinct word counts. */
  weights: Map<string, number>;
}

export function passageWords(columns: IndexedText): PassageWords {
  const weights = new Map<string, number>();
  let count = 0;
  for (const [column, weight] of WEIGHTS) {
    for (const token of indexTokens(columns[column])) {
      count += 1;
      weights.set(token, (weights.get(token) ?? 0) + weight);
    }
  }
  return { count, weights };
}

/** How often these words follow each other in a passage, weighed by columns. */
export function phraseWeight(columns: IndexedText, phrase: readonly string[]): number {
  let found = 0;
  for (const [column, weight] of WEIGHTS) {
    const tokens = indexTokens(columns[column]);
    for (let start = 0; start + phrase.length <= tokens.length; start += 1)
      if (phrase.every((token, index) => tokens[start + index] === token)) found += weight;
  }
  return found;
}

/** The parameters of BM25 that FTS5 uses. */
export const BM25 = { k1: 1.2, b: 0.75 } as const;

/** A word in more than half of the passages still counts for something. */
const LEAST_RARITY = 1e-6;

export function rarityOf(frequency: number, total: number): number {
  const rarity = Math.log((total - frequency + 0.5) / (frequency + 0.5));
  return rarity <= 0 ? LEAST_RARITY : rarity;
}

/**
 * Writes the keyword index of one shelf: postings, in how many passages each word occurs, and the totals.
 *
 * A term that would not fit into an index entry is kept by its beginning and a hash of the whole.
 */
const LONGEST_TERM = 200;

/** A term as it is stored and looked for. */
const storedTerm = (term: string): string =>
  term.length <= LONGEST_TERM ? term : `${term.slice(0, LONGEST_TERM)} ${contentHash(term)}`;

export type Words = ReturnType<typeof wordsOf>;

export const wordsOf = (text: string, { title, tags }: Pick<Item, "title" | "tags">) =>
  passageWords(indexedText({ title, text, tags }));

interface Numbered {
  number: number;
  words: Words;
}

/** Lists of values by column: of postings, and of how many passages have each word. */
export function postingColumns(passages: readonly Numbered[]) {
  const postings = passages.flatMap(({ number, words }) =>
    [...words.weights].map(([term, weight]) => ({ term: storedTerm(term), number, weight, length: words.count })),
  );
  const counts = new Map<string, number>();
  for (const { term } of postings) counts.set(term, (counts.get(term) ?? 0) + 1);
  return {
    terms: postings.map(({ term }) => term),
    numbers: postings.map(({ number }) => number),
    weights: postings.map(({ weight }) => weight),
    lengths: postings.map(({ length }) => length),
    distinct: [...counts.keys()],
    counts: [...counts.values()],
  };
}

export interface WordWriter {
  /** Passages whose words are written with them. */
  added(words: readonly Words[]): void;
  write(passages: readonly Numbered[]): void;
  /** Called before the rows are deleted. */
  remove(numbers: readonly number[]): void;
  /** Writes the totals; called once before the commit. */
  flush(): void;
}

export function wordWriter(db: Database, shelf: Shelf): WordWriter {
  const statements = prepareWriting(db, shelf);
  let [passages, words] = [0, 0];
  function added(own: readonly Words[]): void {
    passages += own.length;
    words += own.reduce((sum, { count }) => sum + count, 0);
  }
  return {
    added,
    write(all) {
      added(all.map((one) => one.words));
      const columns = postingColumns(all);
      if (columns.terms.length > 0) statements.insert.send(columns);
    },
    remove(numbers) {
      if (numbers.length === 0) return;
      statements.discount.send({ numbers });
      statements.remove.send({ numbers });
    },
    flush() {
      if (passages !== 0 || words !== 0) statements.total.send({ passages, words });
      [passages, words] = [0, 0];
    },
  };
}

function prepareWriting(db: Database, shelf: Shelf) {
  return {
    insert: db.prepare(`
      with posting as (
        insert into ${shelf}_posting (term, passage, weight, words)
        select term, passage, weight, words
        from unnest(@terms::text[], @numbers::bigint[], @weights::double precision[], @lengths::integer[])
          posting (term, passage, weight, words)
      )
      insert into ${shelf}_term (term, passages)
      select term, passages from unnest(@distinct::text[], @counts::bigint[]) counted (term, passages)
      on conflict (term) do update set passages = ${shelf}_term.passages + excluded.passages`),
    // A word that no passage has any more would reveal that one had it.
    remove: db.prepare(`
      with gone as (
        delete from ${shelf}_posting where passage = any (@numbers::bigint[]) returning term
      ), lost as (
        select term, count(*) as passages from gone group by term
      ), forgotten as (
        delete from ${shelf}_term counted using lost where counted.term = lost.term and counted.passages <= lost.passages
      )
      update ${shelf}_term counted set passages = counted.passages - lost.passages
      from lost where counted.term = lost.term and counted.passages > lost.passages`),
    discount: db.prepare(`
      update ${shelf}_total set passages = ${shelf}_total.passages - lost.passages, words = ${shelf}_total.words - lost.words
      from (
        select count(*) as passages, coalesce(sum(words), 0) as words
        from ${shelf}_passage where seq = any (@numbers::bigint[])
      ) lost where one = 1`),
    total: db.prepare(`
      update ${shelf}_total set passages = passages + @passages, words = words + @words where one = 1`),
  };
}

/** In how many passages of one shelf words occur, kept as long as nobody writes there. */
interface WordStatistics {
  total: number;
  frequency: Map<string, number>;
}

export type ReadStatistics = (stems: readonly string[]) => Promise<WordStatistics>;

/** A long-lived process is asked about many words. */
const MOST_KEPT = 10_000;

export function wordStatistics(db: OpenDatabase, shelf: Shelf): ReadStatistics {
  const frequencies = db.prepareRaw<[number, string | null]>(`
    select (select passages from ${shelf}_total where one = 1), (
      select json_object_agg(term, passages)::text from ${shelf}_term where term = any (@terms::text[]))`);
  const kept = db.kept([`passages ${shelf}`], async () => ({ total: -1, frequency: new Map<string, number>() }));
  return async (stems) => {
    const known = await kept();
    const terms = new Map(stems.map((stem) => [stem, storedTerm(stem)]));
    if (known.frequency.size > MOST_KEPT) known.frequency.clear();
    const unknown = [...new Set(terms.values())].filter((term) => !known.frequency.has(term));
    if (unknown.length > 0 || known.total < 0) {
      const [total, found] = (await frequencies.get({ terms: unknown }))!;
      const counts = new Map(Object.entries(JSON.parse(found ?? "{}") as Record<string, number>));
      known.total = total;
      for (const term of unknown) known.frequency.set(term, counts.get(term) ?? 0);
    }
    const frequency = new Map([...terms].map(([stem, term]) => [stem, known.frequency.get(term) ?? 0]));
    return { total: known.total, frequency };
  };
}

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

interface RankedPage {
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
        size,
        offset,
        among,
        first,
        ...reachable(filter),
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
