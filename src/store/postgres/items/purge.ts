/**
 * Erases an item: row, passages, words, vectors, its journal payloads, its entries in the access log with their queries,
 * the embeddings of its texts, what was captured in its session, and every kept surface.
 *
 * The chain stays intact, because it holds only salted hashes of payloads. The server reuses the space of erased rows;
 * until it does, and in its own logs and backups, their bytes may still be there.
 */
import { Failure } from "../../../errors.ts";
import { contentHash } from "../../../logic/text/content-hash.ts";
import { SHELVES, type Shelf } from "../../../model/memory/shelves.ts";
import type { TransactionOrigin } from "../../rows/journal/journal-link.ts";
import { contentIn, textsIn, withTitle } from "../../rows/journal/kept-texts.ts";
import { captureReads, eraseCaptured } from "../../capture.ts";
import type { Database } from "../connection/database.ts";
import { eraseContext } from "../../context.ts";
import { eraseSessions } from "../../sessions.ts";
import type { Journal } from "../journal/journal-writer.ts";
import { vectorWriter } from "../search/vector-index.ts";
import type { ShelfWriter } from "./shelf-writer.ts";

export interface Purge {
  /** Returns the shelves that may have held them; all of them if nothing tells. */
  items(ids: readonly string[], transaction: TransactionOrigin): Promise<readonly Shelf[]>;
  /** Erases cached embeddings and access entries of an item about to be removed; the journal stays unchanged. */
  tracesOf(id: string): Promise<void>;
  /** Erases events, states of extractors and surfaces that hold something of these items, or come from their sessions. */
  captured(ids: readonly string[], sessions: readonly string[], transaction: TransactionOrigin): Promise<void>;
  /** Erases queries that found erased items, and their embeddings. */
  queries(queries: readonly string[]): Promise<void>;
  /** Erases vectors of removed passages, including earlier ones. */
  sweep(shelves: readonly Shelf[]): Promise<void>;
}

export function purger(db: Database, shelf: (name: Shelf) => ShelfWriter, log: Journal): Purge {
  const statements = prepare(db);
  const captured = capturedPurger(db, shelf, log);

  async function tracesOf(id: string): Promise<void> {
    dropCached(await onEveryShelf((name) => textsOn(shelf(name), id)));
    statements.dropAccess.send({ id });
  }

  /** The texts exactly as they were embedded. */
  function dropCached(texts: readonly string[]): void {
    if (texts.length === 0) return;
    statements.dropCached.send({ hashes: [...new Set(texts)].map(contentHash) });
    db.note("cached vectors");
  }

  async function removeItem(id: string, transaction: TransactionOrigin): Promise<readonly Shelf[]> {
    const known = new Set<Shelf>(await statements.shelves.all({ id }));
    for (const name of SHELVES) {
      const seq = await shelf(name).seqOf(id);
      if (seq === null) continue;
      await shelf(name).remove(seq, id);
      known.add(name);
    }
    // Erasures of unjournaled items are recorded too, so that a recovery can repeat them.
    for (const name of known) log.writeErasure(name, id, transaction);
    return known.size === 0 ? SHELVES : [...known];
  }

  return {
    tracesOf,
    async items(ids, transaction) {
      await log.flush();
      for (const id of ids) await tracesOf(id);
      dropCached((await statements.payloads.all({ ids })).flatMap(textsIn));
      statements.dropPayloads.send({ ids });
      statements.dropLinks.send({ ids });
      const touched = new Set<Shelf>();
      for (const id of ids) for (const name of await removeItem(id, transaction)) touched.add(name);
      return [...touched];
    },
    captured,
    async queries(queries) {
      if (queries.length === 0) return;
      statements.blankQueries.send({ queries });
      dropCached(queries);
    },
    async sweep(shelves) {
      // Whoever may not write on a shelf has erased nothing from it.
      const writable = new Set(await statements.writable.all({ shelves: [...shelves] }));
      for (const name of shelves) {
        await vectorWriter(db, name).sweep();
        // A wordpiece left with a count of 0 would reveal that some text contained it.
        if (writable.has(name)) await db.prepare(`delete from ${name}_wordpiece where passages <= 0`).run();
      }
    },
  };
}

function capturedPurger(db: Database, shelf: (name: Shelf) => ShelfWriter, log: Journal): Purge["captured"] {
  const payloads = payloadsOf(db);
  return async (ids, sessions, { at }) => {
    await log.flush();
    const contents = (await payloads.all({ ids })).flatMap(contentIn);
    for (const id of ids) contents.push(...(await onEveryShelf((name) => contentOn(shelf(name), id))));
    const from = [...new Set([...sessions, ...(await db.drive(captureReads.sessionsOf(ids)))])];
    await db.drive(eraseCaptured({ ids, contents, sessions: from }, at));
    await db.drive(eraseContext([...ids, ...contents.map(contentHash)], from));
    await db.drive(eraseSessions(ids, from));
  };
}

async function onEveryShelf<T>(read: (name: Shelf) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (const name of SHELVES) found.push(...(await read(name)));
  return found;
}

export async function textsOn(shelf: ShelfWriter, id: string): Promise<string[]> {
  return unlessDamaged(async () => {
    const found = await shelf.find(id);
    return found ? (await shelf.passages(found)).map(({ text }) => withTitle(found.item, text)) : [];
  });
}

const contentOn = (shelf: ShelfWriter, id: string): Promise<string[]> =>
  unlessDamaged(async () => {
    const found = await shelf.find(id);
    return found ? [found.item.content] : [];
  });

/** Damaged items are erased too. */
async function unlessDamaged(read: () => Promise<string[]>): Promise<string[]> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof Failure) return [];
    throw thrown;
  }
}

const OWN_ENTRIES = `select seq from journal where item_id = any (@ids::text[])`;

const payloadsOf = (db: Database) =>
  db.prepareColumn<string>(`select payload from journal_payload where seq in (${OWN_ENTRIES})`);

function prepare(db: Database) {
  return {
    payloads: payloadsOf(db),
    writable: db.prepareColumn<Shelf>(
      `select shelf from unnest(@shelves::text[]) shelf where has_table_privilege(shelf || '_wordpiece', 'delete')`,
    ),
    shelves: db.prepareColumn<Shelf>(`select distinct shelf from journal where item_id = @id`),
    dropPayloads: db.prepare(`delete from journal_payload where seq in (${OWN_ENTRIES})`),
    dropLinks: db.prepare(`delete from evidence_link where evidence_id = any (@ids::text[])`),
    dropAccess: db.prepare(`delete from access_log where item_id = @id`),
    blankQueries: db.prepare(`update access_log set query = null where query = any (@queries::text[])`),
    dropCached: db.prepare(`delete from embedding_cache where text_hash = any (@hashes::text[])`),
  };
}
