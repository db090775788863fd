/**
 * Erases an item: row, passages, words, vectors, its journal payloads, its entries in the
 * access log with their queries, the embeddings of its texts, what was captured in its session, and every kept surface.
 *
 * The chain stays intact, because it holds only salted hashes of payloads. Bytes that SQLite
 * leaves in free space are removed when the file is compacted afterwards.
 */
import { Failure } from "../../../errors.ts";
import { contentHash } from "../../../logic/text/content-hash.ts";
import { SHELVES, type Shelf } from "../../../model/memory/shelves.ts";
import { contentIn, textsIn, withTitle } from "../../rows/journal/kept-texts.ts";
import type { Database } from "../connection/database.ts";
import type { Journal, TransactionOrigin } from "../journal/journal-writer.ts";
import type { ShelfWriter } from "./shelf-writer.ts";
import { captureReads, eraseCaptured } from "../../capture.ts";
import { eraseContext } from "../../context.ts";
import { eraseSessions } from "../../sessions.ts";
import { driveOn } from "../connection/drive.ts";
import { vectorWriter } from "../search/vector-index.ts";

export interface Purge {
  /** Returns the shelves that may have held them; all of them if nothing tells. */
  items(ids: readonly string[], transaction: TransactionOrigin): readonly Shelf[];
  /** Erases cached embeddings and access entries of an item about to be removed; the journal stays unchanged. */
  tracesOf(id: string): void;
  /** Erases events, states of extractors and surfaces that hold something of these items, or come from their sessions. */
  captured(ids: readonly string[], sessions: readonly string[], transaction: TransactionOrigin): void;
  /** Erases queries that found erased items, and their embeddings. */
  queries(queries: readonly string[]): void;
  /** Erases vectors of removed passages, including earlier ones. */
  sweep(shelves: readonly Shelf[]): void;
}

export function purger(db: Database, shelf: (name: Shelf) => ShelfWriter, log: Journal): Purge {
  const statements = prepare(db);
  const drive = driveOn(db);

  function tracesOf(id: string): void {
    dropCached(SHELVES.flatMap((name) => textsOn(shelf(name), id)));
    statements.dropAccess.run(id);
  }

  /** The texts exactly as they were embedded. */
  function dropCached(texts: readonly string[]): void {
    for (const text of texts) statements.dropCached.run(contentHash(text));
  }

  function removeItem(id: string, transaction: TransactionOrigin): readonly Shelf[] {
    const known = new Set<Shelf>(statements.shelves.all(id));
    for (const name of SHELVES) {
      const seq = shelf(name).seqOf(id);
      if (seq === null) continue;
      shelf(name).remove(seq);
      known.add(name);
    }
    // Erasures of unjournaled items are recorded too, so that a recovery can repeat them.
    for (const name of known) log.writeErasure(name, id, transaction);
    return known.size === 0 ? SHELVES : [...known];
  }

  return {
    tracesOf,
    items(ids, transaction) {
      const all = JSON.stringify(ids);
      ids.forEach(tracesOf);
      dropCached([...new Set(statements.payloads.all(all).flatMap(textsIn))]);
      statements.dropPayloads.run(all);
      statements.dropLinks.run(all);
      return [...new Set(ids.flatMap((id) => removeItem(id, transaction)))];
    },
    captured(ids, sessions, { at }) {
      const kept = statements.payloads.all(JSON.stringify(ids)).flatMap(contentIn);
      const contents = [...kept, ...ids.flatMap((id) => SHELVES.flatMap((name) => contentOn(shelf(name), id)))];
      const from = [...new Set([...sessions, ...drive(captureReads.sessionsOf(ids))])];
      drive(eraseCaptured({ ids, contents, sessions: from }, at));
      drive(eraseContext([...ids, ...contents.map(contentHash)], from));
      drive(eraseSessions(ids, from));
    },
    queries(queries) {
      for (const query of queries) statements.blankQuery.run(query);
      dropCached(queries);
    },
    sweep(shelves) {
      for (const name of shelves) {
        vectorWriter(db, name).sweep();
        // A wordpiece left with a count of 0 would reveal that some text contained it.
        db.prepare(`delete from ${name}_wordpiece where passages <= 0 and piece >= 0`).run();
      }
    },
  };
}

export const textsOn = (shelf: ShelfWriter, id: string): string[] =>
  unlessDamaged(() => {
    const found = shelf.find(id);
    return found ? shelf.passages(found).map(({ text }) => withTitle(found.item, text)) : [];
  });

const contentOn = (shelf: ShelfWriter, id: string): string[] =>
  unlessDamaged(() => {
    const found = shelf.find(id);
    return found ? [found.item.content] : [];
  });

/** Damaged items are erased too. */
function unlessDamaged(read: () => string[]): string[] {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof Failure) return [];
    throw thrown;
  }
}

function prepare(db: Database) {
  const own = `select seq from journal where item_id in (select value from json_each(?))`;
  return {
    payloads: db.prepare<[string], string>(`select payload from journal_payload where seq in (${own})`).pluck(),
    shelves: db.prepare<[string], Shelf>(`select distinct shelf from journal where item_id = ?`).pluck(),
    dropPayloads: db.prepare<[string]>(`delete from journal_payload where seq in (${own})`),
    dropLinks: db.prepare<[string]>(`delete from evidence_link where evidence_id in (select value from json_each(?))`),
    dropAccess: db.prepare<[string]>(`delete from access_log where item_id = ?`),
    blankQuery: db.prepare<[string]>(`update access_log set query = null where query = ?`),
    dropCached: db.prepare<[string]>(`delete from embedding_cache where text_hash = ?`),
  };
}
