/**
 * Looks up ids by a prefix of the id or of its handle.
 *
 * Items have an index for either. Handles in the journal are found by scanning an index of full ids: another index of
 * random digits would slow down every write for a lookup that is rare.
 */
import { HANDLE_LENGTH } from "../../../model/memory/handles.ts";
import type { Shelf } from "../../../model/memory/shelves.ts";
import type { ItemReads } from "../../../ports/store/items.ts";
import type { JournalReads } from "../../../ports/store/journal.ts";
import type { Database } from "../connection/database.ts";

/** Sorts after every text that has the same prefix. */
const LAST = "\u{10ffff}";
const rangeOf = (text: string) => ({ from: text, to: text + LAST });

const within = (value: string) => `${value} >= @from and ${value} < @to`;
const handleIn = (column: string) => `right(${column}, ${HANDLE_LENGTH})`;

export function itemIds(db: Database): Pick<ItemReads, "idsWithPrefix" | "newestIds"> {
  const notExpired = `(@now::bigint is null or expires_at is null or expires_at > @now)`;
  /** Each part has its own limit, so that a short prefix makes neither of them slow. */
  const part = (shelf: Shelf, value: string) =>
    `(select id from ${shelf}_item where ${within(value)} and ${notExpired} order by ${value} limit @limit)`;
  return {
    idsWithPrefix: (shelf, text, { now, limit }) =>
      db
        .prepareColumn<string>(`${part(shelf, "id")} union ${part(shelf, handleIn("id"))} order by id`)
        .all({ ...rangeOf(text), now, limit }),
    newestIds: (shelf, limit) =>
      db.prepareColumn<string>(`select id from ${shelf}_item order by created_at desc, id limit @limit`).all({ limit }),
  };
}

export function journaledIds(db: Database): Pick<JournalReads, "callsWithPrefix" | "journaledIds"> {
  const calls = prepareJournal(db, "call", "call <> '' and (@space::text is null or space = @space)");
  const ids = prepareJournal(db, "item_id", "true");
  return {
    callsWithPrefix: (text, { space, limit }) => calls[wayOf(text)].all({ ...rangeOf(text), space, limit }),
    journaledIds: (text, limit) => ids[wayOf(text)].all({ ...rangeOf(text), limit }),
  };
}

/** A text longer than a handle cannot be a prefix of one, so nothing needs to be scanned. */
const wayOf = (text: string) => (text.length > HANDLE_LENGTH ? "byId" : "byEither");

function prepareJournal(db: Database, column: string, condition: string) {
  const beginning = `select ${column} from journal where ${within(column)} and ${condition}`;
  const ending = `select ${column} from journal where starts_with(${handleIn(column)}, @from) and ${condition}`;
  return {
    byId: db.prepareColumn<string>(`${beginning} group by 1 order by 1 limit @limit`),
    byEither: db.prepareColumn<string>(`${beginning} union ${ending} order by 1 limit @limit`),
  };
}
