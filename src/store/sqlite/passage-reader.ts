/** Reads the passages of one shelf: text, speakers, neighbours, the order of writing, and word statistics. */
import type { Shelf, StoredPassage } from "../../memory/shelves.ts";
import type { Filter, Neighbours } from "../../recall/search.ts";
import { type PassageRow, toPassage } from "../passage-row.ts";
import type { PassageOfItem, PassagePage } from "../store.ts";
import type { Database } from "./database.ts";
import { filterClause, filterParameters } from "./filter.ts";
import { knownFrequencies, passageTotal } from "./wordpieces.ts";

export interface PassageReader {
  passages(numbers: readonly number[]): StoredPassage[];
  /** All passages of these items, in order, and whether any of an item's is embedded. */
  ofItems(ids: readonly string[]): Map<string, { passages: StoredPassage[]; embed: boolean }>;
  newest(filter: Filter, page: PassagePage): PassageOfItem[];
  firsts(ids: readonly string[]): PassageOfItem[];
  neighbours(numbers: readonly number[]): Neighbours[];
  speakers(names: readonly string[]): string[];
  wordStatistics(stems: readonly string[]): { total: number; frequency: Map<string, number> };
}

export function passageReader(db: Database, shelf: Shelf): PassageReader {
  const statements = prepare(db, shelf);
  const passageCount = passageTotal(db, shelf);
  const frequency = knownFrequencies(
    db,
    shelf,
    (stems: readonly string[]) => new Map(stems.map((stem) => [stem, statements.frequency.get(stem)?.doc ?? 0])),
  );

  return {
    passages: (numbers) => statements.byNumber.all(JSON.stringify(numbers)).map(toPassage),
    ofItems(ids) {
      const rows = Map.groupBy(statements.ofItems.all(JSON.stringify(ids)), ({ item_id }) => item_id);
      return new Map(
        [...rows].map(([id, own]) => [
          id,
          { passages: own.map(toPassage), embed: own.some(({ embed }) => embed === 1) },
        ]),
      );
    },
    newest: (filter, { isFirst, ...page }) =>
      statements.newest.all({ ...filterParameters(filter), ...page, first: isFirst ? 1 : 0 }),
    firsts: (ids) => statements.firsts.all(JSON.stringify(ids)),
    neighbours: (numbers) => statements.neighbours.all(JSON.stringify(numbers)),
    speakers: (names) => statements.speakers.all(JSON.stringify(names)),
    wordStatistics(stems) {
      const total = passageCount();
      // Most shelves are empty, and an empty one has no words.
      return { total, frequency: total === 0 ? new Map() : frequency(stems, total) };
    },
  };
}

function prepare(db: Database, shelf: Shelf) {
  const columns = `passage.seq as number, item.id as item_id, passage.ordinal, passage.heading, passage.start_line,
    passage.end_line, passage.text, passage.tokens, passage.embed, passage.speaker, passage.role, passage.said_at`;
  const byNumber = db.prepare<[string], PassageRow>(`
    select ${columns} from ${shelf}_passage passage join ${shelf}_item item on item.seq = passage.item_seq
    where passage.seq in (select value from json_each(?))`);
  const ofItems = db.prepare<[string], PassageRow>(`
    select ${columns} from ${shelf}_item item join ${shelf}_passage passage on passage.item_seq = item.seq
    where item.id in (select value from json_each(?)) order by item.id, passage.ordinal`);
  const neighbours = db.prepare<[string], Neighbours>(`
    select passage.seq as passage, previous.seq as previous, next.seq as next
    from json_each(?) wanted join ${shelf}_passage passage on passage.seq = wanted.value
    left join ${shelf}_passage previous
      on previous.item_seq = passage.item_seq and previous.ordinal = passage.ordinal - 1
    left join ${shelf}_passage next on next.item_seq = passage.item_seq and next.ordinal = passage.ordinal + 1`);
  // One row per name is enough; a frequent speaker has thousands.
  const speakers = db
    .prepare<[string], string>(
      `
    select speaker from (
      select (
        select speaker from ${shelf}_passage indexed by ${shelf}_passage_speaker
        where speaker = name.value collate nocase and speaker is not null limit 1
      ) as speaker from json_each(?) name
    ) where speaker is not null group by speaker collate nocase`,
    )
    .pluck();
  // `cross join` keeps the order of the passages, so that the first ones to pass end the search.
  const newest = db.prepare<[object], PassageOfItem>(`
    select passage.seq as passage, item.id as itemId
    from ${shelf}_passage passage cross join ${shelf}_item item on item.seq = passage.item_seq
    where (@before is null or passage.seq < @before) and (@first = 0 or passage.ordinal = 0) and ${filterClause(shelf)} order by passage.seq desc limit @limit`);
  const firsts = db.prepare<[string], PassageOfItem>(`
    select passage.seq as passage, item.id as itemId
    from ${shelf}_item item join ${shelf}_passage passage on passage.item_seq = item.seq and passage.ordinal = 0
    where item.id in (select value from json_each(?))`);
  const frequency = db.prepare<[string], { doc: number }>(`select doc from ${shelf}_vocabulary where term = ?`);
  return { byNumber, ofItems, neighbours, speakers, newest, firsts, frequency };
}
