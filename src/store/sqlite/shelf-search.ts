/**
 * Searches one shelf: by words, by substring, by vector.
 *
 * Rank first, filter afterwards: the index gives its best hundred, the filter looks only
 * at those, and the next, larger page is fetched only when too few remain. Each item
 * stands in a list once, by its best passage.
 */
import type { Shelf } from "../../model/shelf.ts";
import type { Filter, Ranked } from "../../ports.ts";
import type { Database } from "./database.ts";
import { filterClause, filterParameters, isSelective } from "./filter.ts";
import { vectorIndex } from "./vector-index.ts";

const PAGES = [100, 400, 1_600, 6_400, 25_600, 102_400];
/** A substring search reads text; it looks at the newest passages only. */
const SUBSTRING_PASSAGES = 20_000;

interface Scored {
  passage: number;
  score: number;
}

export interface ShelfSearch {
  keyword(terms: readonly string[], filter: Filter, limit: number): Ranked[];
  substring(text: string, filter: Filter, limit: number): Ranked[];
  nearest(query: { embedder: string; vector: Float32Array }, filter: Filter, limit: number): Ranked[];
}

export function shelfSearch(db: Database, shelf: Shelf): ShelfSearch {
  const vectors = vectorIndex(db, shelf);
  const statements = prepare(db, shelf);

  /** Fetches growing pages until `limit` distinct items have passed the filter. */
  function paged(fetch: (limit: number, offset: number) => Scored[], filter: Filter, limit: number): Ranked[] {
    const parameters = filterParameters(filter);
    const found = new Map<string, Ranked>();
    let offset = 0;
    for (const size of PAGES) {
      const page = fetch(size, offset);
      const passages = JSON.stringify(page.map(({ passage }) => passage));
      const items = new Map(
        statements.allowed.all({ ...parameters, passages }).map((row) => [row.passage, row.item_id]),
      );
      for (const { passage, score } of page) {
        const itemId = items.get(passage);
        if (itemId !== undefined && !found.has(itemId)) found.set(itemId, { itemId, passage, score });
        if (found.size >= limit) return [...found.values()];
      }
      if (page.length < size) break;
      offset += size;
    }
    return [...found.values()];
  }

  return {
    keyword(terms, filter, limit) {
      if (terms.length === 0) return [];
      // A NUL would end the expression in the middle of a quoted term.
      const expression = terms.map((term) => `"${term.replaceAll("\0", " ").replaceAll('"', '""')}"`).join(" OR ");
      const fetch = (size: number, offset: number) =>
        statements.match.all(expression, size, offset).map(({ passage, rank }) => ({ passage, score: -rank }));
      return paged(fetch, filter, limit);
    },
    substring(text, filter, limit) {
      // SQLite lowers ASCII only: other letters match as they are written, or against lower case.
      const rows = statements.containing.all({ ...filterParameters(filter), text, lowered: text.toLowerCase(), limit });
      return rows.map(({ passage, item_id: itemId }, place) => ({ itemId, passage, score: 1 / (1 + place) }));
    },
    nearest({ embedder, vector }, filter, limit) {
      vectors.refresh(embedder, vector.length);
      const bitmap = isSelective(filter)
        ? vectors.bitmap(statements.everyAllowed.all(filterParameters(filter)))
        : undefined;
      const fetch = (size: number, offset: number) => vectors.nearest(vector, offset + size, bitmap).slice(offset);
      return paged(fetch, filter, limit);
    },
  };
}

function prepare(db: Database, shelf: Shelf) {
  const where = filterClause(shelf);
  const match = db.prepare<[string, number, number], { passage: number; rank: number }>(
    `select rowid as passage, rank from ${shelf}_fts where ${shelf}_fts match ? order by rank limit ? offset ?`,
  );
  const allowed = db.prepare<[object], { passage: number; item_id: string }>(`
    select passage.seq as passage, item.id as item_id
    from json_each(@passages) wanted
    join ${shelf}_passage passage on passage.seq = wanted.value
    join ${shelf}_item item on item.seq = passage.item_seq
    where ${where}`);
  const everyAllowed = db
    .prepare<
      [object],
      number
    >(`select passage.seq from ${shelf}_item item join ${shelf}_passage passage on passage.item_seq = item.seq where ${where}`)
    .pluck();
  const containing = db.prepare<[object], { passage: number; item_id: string }>(`
    select max(passage.seq) as passage, item.id as item_id
    from (select seq, item_seq, text from ${shelf}_passage order by seq desc limit ${SUBSTRING_PASSAGES}) passage
    join ${shelf}_item item on item.seq = passage.item_seq
    where (
      instr(lower(passage.text), lower(@text)) > 0 or instr(lower(passage.text), @lowered) > 0
      or instr(lower(item.title), lower(@text)) > 0 or instr(lower(item.title), @lowered) > 0
    ) and ${where}
    group by item.seq order by passage desc limit @limit`);
  return { match, allowed, everyAllowed, containing };
}
