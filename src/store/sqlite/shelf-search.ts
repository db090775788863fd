/**
 * Searches one shelf: by words, by substring, by vector.
 *
 * Each gives its ranking page by page; what may be seen of it is decided while walking.
 */
import { stem } from "../../logic/stem.ts";
import type { Shelf } from "../../model/shelf.ts";
import type { Filter, Ranked, VectorQuery } from "../../ports.ts";
import type { Database } from "./database.ts";
import { filterClause, filterParameters, isSelective } from "./filter.ts";
import { pageWalk } from "./page-walk.ts";
import { vectorIndex } from "./vector-index.ts";
import { passageTotal } from "./wordpieces.ts";

/** A substring search reads text; it looks at the newest passages only. */
const SUBSTRING_PASSAGES = 20_000;

const LARGE_STORE_PASSAGES = 20_000;
/** So many passages are scored for one question at most, unless the rarest word alone has more. */
const SCORED_PASSAGES = 3_000;

export interface ShelfSearch {
  keyword(terms: readonly string[], filter: Filter, limit: number): Ranked[];
  substring(text: string, filter: Filter, limit: number): Ranked[];
  nearest(query: VectorQuery, filter: Filter, limit: number): Ranked[];
  cosines(query: VectorQuery, passages: readonly number[]): (number | null)[];
}

export function shelfSearch(db: Database, shelf: Shelf): ShelfSearch {
  const vectors = vectorIndex(db, shelf);
  const statements = prepare(db, shelf);
  const paged = pageWalk(db, shelf);
  const passageCount = passageTotal(db, shelf);
  const isEmpty = () => statements.any.get() === undefined;

  /** What the index is asked. In a large store only passages with one of the rarer words are looked at, but all words count. */
  function expression(terms: readonly string[]): string {
    const any = (list: readonly string[]) => list.map(quoted).join(" OR ");
    const isLarge = terms.length > 1 && passageCount() >= LARGE_STORE_PASSAGES;
    const rare = isLarge ? rarest(terms, (term) => statements.frequency.get(stem(term)) ?? 0) : terms;
    if (rare.length === terms.length) return any(terms);
    // The rarer words stand in both parts and count twice, so the others are said twice as well.
    const others = terms.filter((term) => !rare.includes(term));
    return `(${any(rare)}) AND (${any([...terms, ...others])})`;
  }

  return {
    keyword(terms, filter, limit) {
      if (terms.length === 0 || isEmpty()) return [];
      const asked = expression(terms);
      const fetch = (size: number, offset: number) =>
        statements.match.all(asked, size, offset).map(({ passage, rank }) => ({ passage, score: -rank }));
      return paged(fetch, filter, limit);
    },
    substring(text, filter, limit) {
      // SQLite lowers ASCII only: other letters match as they are written, or against lower case.
      const parameters = { ...reachable(filter), text, lowered: text.toLowerCase() };
      const fetch = (size: number, offset: number) =>
        statements.containing.all({ ...parameters, size, offset }).map((passage) => ({ passage, score: 0 }));
      return paged(fetch, filter, limit).map((ranked, place) => ({ ...ranked, score: 1 / (1 + place) }));
    },
    nearest({ embedder, vector }, filter, limit) {
      if (isEmpty()) return [];
      vectors.refresh(embedder, vector.length);
      const bitmap = isSelective(filter) ? vectors.bitmap(statements.everyReachable.all(reachable(filter))) : undefined;
      const fetch = (size: number, offset: number) => vectors.nearest(vector, offset + size, bitmap).slice(offset);
      return paged(fetch, filter, limit);
    },
    cosines({ embedder, vector }, passages) {
      vectors.refresh(embedder, vector.length);
      return vectors.cosines(vector, passages);
    },
  };
}

/** A term as the index takes it: always a quoted word. A NUL would end the expression in its middle. */
const quoted = (term: string) => `"${term.replaceAll("\0", " ").replaceAll('"', '""')}"`;

/** The rarest words that together stand in few enough passages; at least one that stands anywhere. */
function rarest(terms: readonly string[], frequencyOf: (term: string) => number): string[] {
  const counted = terms.map((term) => ({ term, count: frequencyOf(term) })).sort((a, b) => a.count - b.count);
  const chosen: string[] = [];
  let total = 0;
  for (const { term, count } of counted) {
    if (total > 0 && total + count > SCORED_PASSAGES) break;
    chosen.push(term);
    total += count;
  }
  return chosen;
}

/** What may be found: what passes the filter, and with `viaPredecessors` also whatever was replaced. */
const reachable = (filter: Filter) => ({ ...filterParameters(filter), via: filter.viaPredecessors ? 1 : 0 });

function prepare(db: Database, shelf: Shelf) {
  const where = filterClause(shelf);
  const isReachable = `((${where}) or (@via = 1 and item.status = 'superseded'))`;
  const match = db.prepare<[string, number, number], { passage: number; rank: number }>(
    `select rowid as passage, rank from ${shelf}_fts where ${shelf}_fts match ? order by rank limit ? offset ?`,
  );
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
  const frequency = db.prepare<[string], number>(`select doc from ${shelf}_vocabulary where term = ?`).pluck();
  return { match, everyReachable, containing, any, frequency };
}
