/**
 * Searches one shelf: by words, by substring, by vector.
 *
 * Each returns its ranking page by page; the page walk filters it.
 */
import { type Shelf, SHELVES } from "../../memory/shelves.ts";
import type { Filter, KeywordQuery, Ranked, VectorQuery, WordpieceQuery } from "../../recall/search.ts";
import { shortlist } from "../../recall/shortlist.ts";
import { stem } from "../../text/words.ts";
import { perShelf } from "../item-row.ts";
import { rankedByCount } from "../page-plan.ts";
import {
  CHECKED_SHARE,
  LARGE_STORE_PASSAGES,
  SELECTIVE_PASSAGES,
  SUBSTRING_PASSAGES,
  WHOLE_RANKING,
} from "../passage-row.ts";
import type { SearchReads } from "../store.ts";
import { bestCovering, coverageScores, SOUGHT_PASSAGES, wordpieceOverlap } from "../vectors/wordpiece-scores.ts";
import type { Database, Sync } from "./database.ts";
import { filterClause, filterParameters, IS_REPLACED, isSelective } from "./filter.ts";
import { type FetchPage, pageWalk } from "./page-walk.ts";
import { type PassageReader, passageReader } from "./passage-reader.ts";
import { vectorIndex } from "./vector-index.ts";
import { knownFrequencies, passageTotal, pieceFrequency, wordpiecesOf } from "./wordpieces.ts";

const ALL = -1;

interface ShelfSearch {
  keyword(query: KeywordQuery, filter: Filter, limit: number): Ranked[];
  substring(text: string, filter: Filter, limit: number): Ranked[];
  nearest(query: VectorQuery, filter: Filter, limit: number): Ranked[];
  cosines(query: VectorQuery, passages: readonly number[]): (number | null)[];
  vectors(embedder: string, passages: readonly number[]): (Float32Array | null)[];
}

function shelfSearch(db: Database, shelf: Shelf, reader: Pick<PassageReader, "wordStatistics">): ShelfSearch {
  const vectors = vectorIndex(db, shelf);
  const statements = prepare(db, shelf);
  const paged = pageWalk(db, shelf);
  const passageCount = passageTotal(db, shelf);

  /** Ranks by words. In a large store only passages with the rarest words are candidates, but all words count. */
  function ranking(terms: readonly string[], limit: number): FetchPage {
    const asked = terms.map(quoted).join(" OR ");
    const every: FetchPage = (size, offset) => scored(statements.match.all(asked, size, offset));
    const total = terms.length > 1 ? passageCount() : 0;
    if (total < LARGE_STORE_PASSAGES) return every;
    const { frequency } = reader.wordStatistics(terms.map(stem));
    const rare = terms.filter((term) => (frequency.get(stem(term)) ?? 0) <= SELECTIVE_PASSAGES);
    const lists = rare.map((term) => statements.holding.all(quoted(term), SELECTIVE_PASSAGES + 1));
    const selective = lists.filter(({ length }) => length > 0 && length <= SELECTIVE_PASSAGES);
    if (selective.length === 0) return every;
    const { passages, isWhole } = shortlist(selective, total, limit);
    const wanted = JSON.stringify(passages);
    let isExhausted = false;
    return (size, offset) => {
      const isFirst = offset === 0;
      const among = scored(statements.matchAmong.all(asked, wanted, isFirst || isWhole ? size : ALL, offset));
      if (isWhole || among.length >= size) return among;
      // The filter leaves too few: all others follow at once, because each page would score them all again.
      const rest = isExhausted ? [] : every(WHOLE_RANKING, 0);
      isExhausted = true;
      return rest;
    };
  }

  return {
    keyword({ terms, eachPassage, isCounted }, filter, limit) {
      if (terms.length === 0 || statements.any.get() === undefined) return [];
      return paged(isCounted ? counting(terms, statements) : ranking(terms, limit), filter, { limit, eachPassage });
    },
    substring(text, filter, limit) {
      // SQLite lower-cases ASCII only: other letters match as written, or in lower case.
      const parameters = { ...reachable(filter), text, lowered: text.toLowerCase() };
      const fetch = (size: number, offset: number) =>
        statements.containing.all({ ...parameters, size, offset }).map((passage) => ({ passage, score: 0 }));
      return paged(fetch, filter, { limit }).map((ranked, place) => ({ ...ranked, score: 1 / (1 + place) }));
    },
    nearest({ embedder, vector, eachPassage }, filter, limit) {
      const rows = vectors.refresh(embedder, vector.length);
      if (rows === 0) return [];
      // The filter is run over all items only if the nearest mostly fail it, because that reads every item.
      const isNarrow = isSelective(filter);
      const allowed = () => vectors.bitmap(embedder, statements.everyReachable.all(reachable(filter)));
      const fetch = (size: number, offset: number) =>
        isNarrow && offset > CHECKED_SHARE * rows
          ? vectors.nearest(embedder, vector, offset + size, allowed())
          : vectors.nearest(embedder, vector, offset + size).slice(offset);
      return paged(fetch, filter, { limit, eachPassage });
    },
    cosines({ embedder, vector }, passages) {
      vectors.refresh(embedder, vector.length);
      return vectors.cosines(embedder, vector, passages);
    },
    vectors: (embedder, passages) => vectors.vectors(embedder, passages),
  };
}

/** Ranks by how many of the terms a passage has; of equals, the last written first. */
function counting(terms: readonly string[], { holding }: Pick<ReturnType<typeof prepare>, "holding">): FetchPage {
  const ranked = rankedByCount([...new Set(terms)].map((term) => holding.all(quoted(term), ALL)));
  return (size, offset) => ranked.slice(offset, offset + size);
}

/** The shelves that have a passage. */
function filledShelves(db: Database): () => Shelf[] {
  const filled = db
    .prepare<
      [],
      Shelf
    >(SHELVES.map((shelf) => `select '${shelf}' where exists (select 1 from ${shelf}_passage)`).join(" union all "))
    .pluck();
  return () => filled.all();
}

/** A term as the index accepts it: always quoted. A NUL would end the expression early. */
const quoted = (term: string) => `"${term.replaceAll("\0", " ").replaceAll('"', '""')}"`;

const scored = (rows: readonly [number, number][]) => rows.map(([passage, rank]) => ({ passage, score: -rank }));

/** Reachable items pass the filter or, with `viaPredecessors`, were replaced. */
const reachable = (filter: Filter) => ({ ...filterParameters(filter), via: filter.viaPredecessors ? 1 : 0 });

function prepare(db: Database, shelf: Shelf) {
  const where = filterClause(shelf);
  const isReachable = `((${where}) or (@via = 1 and ${IS_REPLACED}))`;
  // Sorting by the bare `rank` makes the index sort all matches before the limit applies.
  const ranked = (condition: string) =>
    db
      .prepare<(string | number)[], [number, number]>(
        `select rowid, +rank as score from ${shelf}_fts
        where ${shelf}_fts match ? ${condition} order by score, rowid limit ? offset ?`,
      )
      .raw();
  const match = ranked("");
  // `+rowid` compares row by row; otherwise the index would be queried again for each of them.
  const matchAmong = ranked("and +rowid in (select value from json_each(?))");
  const holding = db
    .prepare<[string, number], number>(`select rowid from ${shelf}_fts where ${shelf}_fts match ? limit ?`)
    .pluck();
  const everyReachable = db
    .prepare<[object], number>(
      `
      select passage.seq from ${shelf}_item item join ${shelf}_passage passage on passage.item_seq = item.seq
      where ${isReachable}`,
    )
    .pluck();
  const containing = db
    .prepare<[object], number>(
      `
    select max(passage.seq) as passage
    from (select seq, item_seq, text from ${shelf}_passage order by seq desc limit ${SUBSTRING_PASSAGES}) passage
    join ${shelf}_item item on item.seq = passage.item_seq
    where (
      instr(lower(passage.text), lower(@text)) > 0 or instr(lower(passage.text), @lowered) > 0
      or instr(lower(item.title), lower(@text)) > 0 or instr(lower(item.title), @lowered) > 0
    ) and ${isReachable}
    group by item.seq order by passage desc limit @size offset @offset`,
    )
    .pluck();
  const any = db.prepare<[], number>(`select 1 from ${shelf}_passage limit 1`).pluck();
  return { match, matchAmong, holding, everyReachable, containing, any };
}

/** Search by wordpieces on one shelf: compares stored wordpieces with those of a question, similar ones included. */
interface WordpieceSearch {
  /** How much of the question each passage covers, between 0 and 1. */
  scores(query: WordpieceQuery, passages: readonly number[]): number[];
  /** Among the newest passages, those that cover it best. */
  nearest(query: WordpieceQuery, filter: Filter, limit: number): Ranked[];
}

function wordpieceSearch(db: Database, shelf: Shelf): WordpieceSearch {
  const total = passageTotal(db, shelf);
  const frequency = knownFrequencies(db, shelf, pieceFrequency(db, shelf));
  const pieces = storedPieces(db, shelf);
  const paged = pageWalk(db, shelf);
  const newest = db
    .prepare<[], number>(`select seq from ${shelf}_passage order by seq desc limit ${SOUGHT_PASSAGES}`)
    .pluck();

  function scores(query: WordpieceQuery, passages: readonly number[]): number[] {
    if (query.pieces.length === 0 || passages.length === 0) return passages.map(() => 0);
    const count = total();
    const counts = { frequency: frequency(query.pieces, count), total: count };
    return coverageScores(query, counts, passages, pieces(passages));
  }

  function nearest(query: WordpieceQuery, filter: Filter, limit: number): Ranked[] {
    if (query.pieces.length === 0) return [];
    const passages = newest.all();
    const met = bestCovering(scores(query, passages), passages);
    const fetch = (size: number, offset: number) => met.slice(offset, offset + size);
    return paged(fetch, filter, { limit, eachPassage: query.eachPassage });
  }

  return { scores, nearest };
}

/** The wordpieces of passages; those without any are left out. */
function storedPieces(db: Database, shelf: Shelf): (passages: readonly number[]) => Map<number, Uint16Array> {
  // All in one blob: a buffer per row would take longer than everything else.
  const together = db
    .prepare<[string], [string, Buffer | null]>(
      `select json_group_array(json_array(seq, length(tokens))), cast(group_concat(tokens, '') as blob)
      from json_each(?) wanted cross join ${shelf}_passage on seq = wanted.value
      where tokens is not null and length(tokens) % 2 = 0`,
    )
    .raw();
  return (passages) => {
    const [lengths, bytes] = together.get(JSON.stringify([...new Set(passages)]))!;
    const found = new Map<number, Uint16Array>();
    if (!bytes) return found;
    const all = wordpiecesOf(bytes);
    let start = 0;
    for (const [passage, byteLength] of JSON.parse(lengths) as [number, number][]) {
      found.set(passage, all.subarray(start, (start += byteLength / 2)));
    }
    return found;
  };
}

/** The store's search, on all shelves. */
export function searchReads(db: Database): Sync<SearchReads> {
  const reader = perShelf((shelf) => passageReader(db, shelf));
  const search = perShelf((shelf) => shelfSearch(db, shelf, reader(shelf)));
  const byWordpieces = perShelf((shelf) => wordpieceSearch(db, shelf));
  return {
    filledShelves: filledShelves(db),
    keyword: (shelf, query, filter, limit) => search(shelf).keyword(query, filter, limit),
    substring: (shelf, text, filter, limit) => search(shelf).substring(text, filter, limit),
    nearest: (shelf, query, filter, limit) => search(shelf).nearest(query, filter, limit),
    cosines: (shelf, query, passages) => search(shelf).cosines(query, passages),
    wordpieceScores: (shelf, query, passages) => byWordpieces(shelf).scores(query, passages),
    nearestByWordpieces: (shelf, query, filter, limit) => byWordpieces(shelf).nearest(query, filter, limit),
    newestPassages: (shelf, filter, page) => reader(shelf).newest(filter, page),
    firstPassages: (shelf, ids) => reader(shelf).firsts(ids),
    passageVectors: (shelf, embedder, passages) => search(shelf).vectors(embedder, passages),
    wordpieceOverlap,
    passages: (shelf, passages) => reader(shelf).passages(passages),
    neighbours: (shelf, passages) => reader(shelf).neighbours(passages),
    speakers: (shelf, names) => reader(shelf).speakers(names),
    wordStatistics: (shelf, stems) => reader(shelf).wordStatistics(stems),
  };
}
