/**
 * Looks up ids by a prefix of the id or of its handle.
 *
 * Items have an index for either. Handles in the journal are found by scanning an index of full ids: another index of
 * random digits would slow down every write for a lookup that is rare.
 */
import { HANDLE_LENGTH } from "../memory/handles.ts";
import { upTo } from "./dialect.ts";
import { allOf, column, either, raw, type Room, type Sql, sql } from "./sql.ts";
import type { ItemReads, JournalReads } from "./store.ts";

/** Sorts after every text that has the same prefix. */
const LAST = "\u{10ffff}";

const handleIn = (column: string) =>
  either(raw(`substr(${column}, -${HANDLE_LENGTH})`), raw(`right(${column}, ${HANDLE_LENGTH})`));
const within = (value: Sql, text: string) => sql`${value} >= ${text} and ${value} < ${text + LAST}`;

export const itemIds: Room<Pick<ItemReads, "idsWithPrefix" | "newestIds">> = {
  idsWithPrefix(shelf, text, { now, limit }) {
    const isThere = now == null ? raw("true") : sql`(expires_at is null or expires_at > ${now})`;
    // Each part has its own limit, so that a short prefix makes neither of them slow.
    const part = (value: Sql) => sql`
      select id from (
        select id from ${raw(shelf)}_item where ${within(value, text)} and ${isThere} order by ${value} ${upTo(limit)}
      ) found`;
    return column(sql`${part(raw("id"))} union ${part(handleIn("id"))} order by id`);
  },
  newestIds: (shelf, limit) =>
    column(sql`select id from ${raw(shelf)}_item order by created_at desc, id ${upTo(limit)}`),
};

export const journaledIds: Room<Pick<JournalReads, "callsWithPrefix" | "journaledIds">> = {
  callsWithPrefix: (text, { space, limit }) =>
    inJournal("call", text, limit, allOf([raw("call <> ''"), space != null && sql`space = ${space}`])),
  journaledIds: (text, limit) => inJournal("item_id", text, limit, raw("true")),
};

function inJournal(name: string, text: string, limit: number, condition: Sql) {
  const own = raw(name);
  const beginning = sql`select ${own} from journal where ${within(own, text)} and ${condition}`;
  // A text longer than a handle cannot be a prefix of one, so nothing needs to be scanned.
  if (text.length > HANDLE_LENGTH) return column<string>(sql`${beginning} group by 1 order by 1 ${upTo(limit)}`);
  const isEnding = either(
    sql`substr(${own}, -${raw(String(HANDLE_LENGTH))}, length(${text})) = ${text}`,
    sql`starts_with(${handleIn(name)}, ${text})`,
  );
  return column<string>(sql`
    ${beginning} union select ${own} from journal where ${isEnding} and ${condition} order by 1 ${upTo(limit)}`);
}
