/** Reads the passages of one shelf: text, speakers, neighbours, and the order of writing. */
import type { Shelf, StoredPassage } from "../../memory/shelves.ts";
import type { Filter, Neighbours } from "../../recall/search.ts";
import { type PassageRow, toPassage } from "../passage-row.ts";
import type { PassageOfItem, PassagePage } from "../store.ts";
import type { Database } from "./database.ts";
import { filterClause, filterParameters } from "./filter.ts";

interface PassageReader {
  passages(numbers: readonly number[]): Promise<StoredPassage[]>;
  /** All passages of these items, in order, and whether any of an item's is embedded. */
  ofItems(ids: readonly string[]): Promise<Map<string, { passages: StoredPassage[]; embed: boolean }>>;
  newest(filter: Filter, page: PassagePage): Promise<PassageOfItem[]>;
  firsts(ids: readonly string[]): Promise<PassageOfItem[]>;
  neighbours(numbers: readonly number[]): Promise<Neighbours[]>;
  speakers(names: readonly string[]): Promise<string[]>;
}

export function passageReader(db: Database, shelf: Shelf): PassageReader {
  const statements = prepare(db, shelf);
  return {
    passages: async (numbers) => (await statements.byNumber.all({ numbers })).map(toPassage),
    async ofItems(ids) {
      const rows = Map.groupBy(await statements.ofItems.all({ ids }), ({ item_id }) => item_id);
      return new Map(
        [...rows].map(([id, own]) => [
          id,
          { passages: own.map(toPassage), embed: own.some(({ embed }) => embed === 1) },
        ]),
      );
    },
    newest: (filter, page) => statements.newest.all({ ...filterParameters(filter), ...page }),
    firsts: (ids) => statements.firsts.all({ ids }),
    neighbours: (numbers) => statements.neighbours.all({ numbers }),
    speakers: (names) => statements.speakers.all({ names }),
  };
}

function prepare(db: Database, shelf: Shelf) {
  const columns = `passage.seq as number, item.id as item_id, passage.ordinal, passage.heading, passage.start_line,
    passage.end_line, passage.text, passage.tokens, passage.embed, passage.speaker, passage.role, passage.said_at`;
  const ofItem = `${shelf}_passage passage join ${shelf}_item item on item.seq = passage.item_seq`;
  return {
    byNumber: db.prepare<PassageRow>(
      `select ${columns} from ${ofItem} where passage.seq = any (@numbers::bigint[]) order by passage.seq`,
    ),
    ofItems: db.prepare<PassageRow>(
      `select ${columns} from ${ofItem} where item.id = any (@ids::text[]) order by item.id, passage.ordinal`,
    ),
    neighbours: db.prepare<Neighbours>(`
      select passage.seq as passage, previous.seq as previous, next.seq as next
      from unnest(@numbers::bigint[]) with ordinality wanted (number, place)
      join ${shelf}_passage passage on passage.seq = wanted.number
      left join ${shelf}_passage previous
        on previous.item_seq = passage.item_seq and previous.ordinal = passage.ordinal - 1
      left join ${shelf}_passage next on next.item_seq = passage.item_seq and next.ordinal = passage.ordinal + 1
      order by wanted.place`),
    // One row per name is enough; a frequent speaker has thousands.
    speakers: db.prepareColumn<string>(`
      select found.speaker from (select distinct lower(one collate "C") as name from unnest(@names::text[]) one) wanted
      cross join lateral (
        select speaker from ${shelf}_passage
        where speaker is not null and lower(left(speaker, 200)) = left(wanted.name, 200) and lower(speaker) = wanted.name
        limit 1
      ) found order by found.speaker`),
    newest: db.prepare<PassageOfItem>(`
      select passage.seq as passage, item.id as "itemId" from ${ofItem}
      where (@before::bigint is null or passage.seq < @before) and (not @isFirst::boolean or passage.ordinal = 0)
        and ${filterClause(shelf)}
      order by passage.seq desc limit @limit`),
    firsts: db.prepare<PassageOfItem>(`
      select passage.seq as passage, item.id as "itemId" from ${ofItem}
      where passage.ordinal = 0 and item.id = any (@ids::text[]) order by item.seq`),
  };
}
