/**
 * Writes the keyword index of one shelf: postings, in how many passages each word occurs, and the totals.
 *
 * A term that would not fit into an index entry is kept by its beginning and a hash of the whole.
 */
import { contentHash } from "../../../logic/text/content-hash.ts";
import { passageWords } from "../../rows/index-words.ts";
import { indexedText } from "../../../logic/text/words.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Database } from "../connection/database.ts";

const LONGEST_TERM = 200;

/** A term as it is stored and looked for. */
export const storedTerm = (term: string): string =>
  term.length <= LONGEST_TERM ? term : `${term.slice(0, LONGEST_TERM)} ${contentHash(term)}`;

type Words = ReturnType<typeof wordsOf>;

export const wordsOf = (text: string, { title, tags }: Pick<Item, "title" | "tags">) =>
  passageWords(indexedText({ title, text, tags }));

export interface WordWriter {
  write(passages: readonly { number: number; words: Words }[]): Promise<void>;
  /** Called before the rows are deleted. */
  remove(numbers: readonly number[]): Promise<void>;
  /** Writes the totals; called once before the commit. */
  flush(): Promise<void>;
}

export function wordWriter(db: Database, shelf: Shelf): WordWriter {
  const statements = prepare(db, shelf);
  let [passages, words] = [0, 0];
  return {
    async write(added) {
      if (added.length === 0) return;
      const postings = added.flatMap(({ number, words: own }) =>
        [...own.weights].map(([term, weight]) => ({ term: storedTerm(term), number, weight })),
      );
      passages += added.length;
      words += added.reduce((sum, one) => sum + one.words.count, 0);
      if (postings.length === 0) return;
      await statements.insert.run({
        terms: postings.map(({ term }) => term),
        numbers: postings.map(({ number }) => number),
        weights: postings.map(({ weight }) => weight),
      });
      const counts = new Map<string, number>();
      for (const { term } of postings) counts.set(term, (counts.get(term) ?? 0) + 1);
      await statements.count.run({ terms: [...counts.keys()], counts: [...counts.values()] });
    },
    async remove(numbers) {
      if (numbers.length === 0) return;
      passages -= numbers.length;
      words -= (await statements.lengths.get({ numbers })) ?? 0;
      const gone = await statements.remove.all({ numbers });
      if (gone.length > 0) await statements.forget.run({ terms: gone });
    },
    async flush() {
      if (passages !== 0 || words !== 0) await statements.total.run({ passages, words });
      [passages, words] = [0, 0];
    },
  };
}

function prepare(db: Database, shelf: Shelf) {
  return {
    insert: db.prepare(`
      insert into ${shelf}_posting (term, passage, weight)
      select term, passage, weight
      from unnest(@terms::text[], @numbers::bigint[], @weights::double precision[]) posting (term, passage, weight)`),
    count: db.prepare(`
      insert into ${shelf}_term (term, passages)
      select term, passages from unnest(@terms::text[], @counts::bigint[]) counted (term, passages)
      on conflict (term) do update set passages = ${shelf}_term.passages + excluded.passages`),
    lengths: db.prepareColumn<number>(`select sum(words) from ${shelf}_passage where seq = any (@numbers::bigint[])`),
    remove: db.prepareColumn<string>(`
      with gone as (delete from ${shelf}_posting where passage = any (@numbers::bigint[]) returning term)
      update ${shelf}_term counted set passages = counted.passages - lost.passages
      from (select term, count(*) as passages from gone group by term) lost
      where counted.term = lost.term returning counted.term`),
    forget: db.prepare(`delete from ${shelf}_term where term = any (@terms::text[]) and passages <= 0`),
    total: db.prepare(`
      update ${shelf}_total set passages = passages + @passages, words = words + @words where one = 1`),
  };
}
