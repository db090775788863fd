/** In how many passages of one shelf words occur, kept as long as nobody writes there. */
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { OpenDatabase } from "../connection/database.ts";
import { storedTerm } from "./word-writer.ts";

export interface WordStatistics {
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
