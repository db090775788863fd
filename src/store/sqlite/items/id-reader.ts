/**
 * Looks up ids by a prefix of the id or of its handle.
 *
 * Items have an index for either. Handles in the journal are found by scanning an index of full ids: another index of
 * random digits would slow down every write for a lookup that is rare.
 */
import { HANDLE_LENGTH } from "../../../model/memory/handles.ts";
import { SHELVES, type Shelf } from "../../../model/memory/shelves.ts";
import type { ItemReads } from "../../../ports/store/items.ts";
import type { JournalReads } from "../../../ports/store/journal.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

/** Sorts after every text that has the same prefix. */
const LAST = "\u{10ffff}";
const rangeOf = (text: string) => ({ from: text, to: text + LAST });

const handleIn = (column: string) => `substr(${column}, -${HANDLE_LENGTH})`;
const within = (value: string) => `${value} >= @from and ${value} < @to`;

type ItemIds = Pick<Sync<ItemReads>, "idsWithPrefix" | "newestIds">;
type JournaledIds = Pick<Sync<JournalReads>, "callsWithPrefix" | "journaledIds">;

export function itemIds(db: Database): ItemIds {
  const items = new Map(SHELVES.map((shelf) => [shelf, prepareItems(db, shelf)]));
  return {
    idsWithPrefix: (shelf, text, { now, limit }) => items.get(shelf)!.beginning.all({ ...rangeOf(text), now, limit }),
    newestIds: (shelf, limit) => items.get(shelf)!.newest.all(limit),
  };
}

export function journaledIds(db: Database): JournaledIds {
  const calls = prepareJournal(db, "call", "call <> '' and (@space is null or space = @space)");
  const ids = prepareJournal(db, "item_id", "true");
  return {
    callsWithPrefix: (text, { space = null, limit }: { space?: string | null | undefined; limit: number }) =>
      calls[wayOf(text)].all({ ...rangeOf(text), space, limit }),
    journaledIds: (text, limit) => ids[wayOf(text)].all({ ...rangeOf(text), limit }),
  };
}

/** A text longer than a handle cannot be a prefix of one, so nothing needs to be scanned. */
const wayOf = (text: string) => (text.length > HANDLE_LENGTH ? "byId" : "byEither");

/** Each part has its own limit, so that a short prefix makes neither of them slow. */
function prepareItems(db: Database, shelf: Shelf) {
  const notExpired = `(@now is null or expires_at is null or expires_at > @now)`;
  const part = (value: string) =>
    `select id from (select id from ${shelf}_item where ${within(value)} and ${notExpired} order by ${value} limit @limit)`;
  const beginning = db.prepare<[object], string>(`${part("id")} union ${part(handleIn("id"))} order by id`).pluck();
  const newest = db
    .prepare<[number], string>(`select id from ${shelf}_item order by created_at desc, id limit ?`)
    .pluck();
  return { beginning, newest };
}

function prepareJournal(db: Database, column: string, condition: string) {
  const beginning = `select ${column} from journal where ${within(column)} and ${condition}`;
  const ending = `select ${column} from journal
    where substr(${column}, -${HANDLE_LENGTH}, length(@from)) = @from and ${condition}`;
  return {
    byId: db.prepare<[object], string>(`${beginning} group by 1 order by 1 limit @limit`).pluck(),
    byEither: db.prepare<[object], string>(`${beginning} union ${ending} order by 1 limit @limit`).pluck(),
  };
}
