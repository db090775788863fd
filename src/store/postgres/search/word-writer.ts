/**
 * Writes the keyword index of one shelf: postings, in how many passages each word occurs, and the totals.
 *
 * A term that would not fit into an index entry is kept by its beginning and a hash of the whole.
 */
import { contentHash } from "../../../logic/text/content-hash.ts";
import { passageWords } from "../../rows/search/index-words.ts";
import { indexedText } from "../../../logic/text/words.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Database } from "../connection/database.ts";

const LONGEST_TERM = 200;

/** A term as it is stored and looked for. */
export const storedTerm = (term: string): string =>
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
  const statements = prepare(db, shelf);
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

function prepare(db: Database, shelf: Shelf) {
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
