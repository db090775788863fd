/**
 * Erases an item: row, passages, words, vectors, what the journal kept of it, who looked at
 * it with which question, and the embeddings of its texts.
 *
 * The chain stays whole, because it holds payloads only by their salted hashes. Bytes that
 * SQLite leaves in free space go when the file is compacted afterwards.
 */
import { Failure } from "../../../errors.ts";
import { contentHash } from "../../../logic/text/content-hash.ts";
import { cutPassages } from "../../../logic/text/passages.ts";
import type { Item } from "../../../model/memory/item.ts";
import { SHELVES, type Shelf } from "../../../model/memory/shelf.ts";
import type { Database } from "../connection/database.ts";
import type { Journal, TransactionOrigin } from "../journal/journal-writer.ts";
import type { ShelfWriter } from "./shelf-writer.ts";
import { vectorWriter } from "../search/vector-index.ts";

export interface Purge {
  item(id: string, transaction: TransactionOrigin): void;
  /** What is kept beside an item that is about to leave by itself; the journal stays as it is. */
  beside(id: string): void;
  /** Questions that led to what was erased: their words and their embeddings. */
  queries(queries: readonly string[]): void;
  /** Vectors of passages that have gone, earlier ones too. */
  sweep(shelves: readonly Shelf[]): void;
}

export function purger(db: Database, shelf: (name: Shelf) => ShelfWriter, log: Journal): Purge {
  const statements = prepare(db);

  function beside(id: string): void {
    dropCached(SHELVES.flatMap((name) => textsOn(shelf(name), id)));
    statements.dropAccess.run(id);
  }

  /** As they were embedded. */
  function dropCached(texts: readonly string[]): void {
    for (const text of texts) statements.dropCached.run(contentHash(text));
  }

  return {
    beside,
    item(id, transaction) {
      beside(id);
      dropCached(statements.payloads.all(id).flatMap(textsIn));
      statements.dropPayloads.run(id);
      statements.dropLinks.run(id);
      const known = new Set<Shelf>(statements.shelves.all(id));
      for (const name of SHELVES) {
        const seq = shelf(name).seqOf(id);
        if (seq === null) continue;
        shelf(name).remove(seq);
        known.add(name);
      }
      // Also of what is otherwise not journaled: the account of an erasure is what lets it be repeated.
      for (const name of known) log.writeErasure(name, id, transaction);
    },
    queries(queries) {
      for (const query of queries) statements.blankQuery.run(query);
      dropCached(queries);
    },
    sweep(shelves) {
      for (const name of shelves) {
        vectorWriter(db, name).sweep();
        // A piece that nothing contains any more would still tell that something did.
        db.prepare(`delete from ${name}_wordpiece where passages <= 0 and piece >= 0`).run();
      }
    },
  };
}

const withTitle = ({ title }: Pick<Item, "title">, text: string) => (title ? `${title}\n${text}` : text);

/** What is damaged is erased all the same. */
function textsOn(shelf: ShelfWriter, id: string): string[] {
  try {
    const found = shelf.find(id);
    return found ? shelf.passages(found).map(({ text }) => withTitle(found.item, text)) : [];
  } catch (thrown) {
    if (thrown instanceof Failure) return [];
    throw thrown;
  }
}

/** What somebody has tampered with is erased all the same; only its embeddings cannot be told. */
function textsIn(payload: string): string[] {
  try {
    const { before, passages } = JSON.parse(payload) as { before: Item | string | null; passages?: { text: string }[] };
    if (before === null || typeof before === "string") return [];
    return (passages ?? cutPassages(before.content)).map(({ text }) => withTitle(before, text));
  } catch {
    return [];
  }
}

function prepare(db: Database) {
  const own = `select seq from journal where item_id = ?`;
  return {
    payloads: db.prepare<[string], string>(`select payload from journal_payload where seq in (${own})`).pluck(),
    shelves: db.prepare<[string], Shelf>(`select distinct shelf from journal where item_id = ?`).pluck(),
    dropPayloads: db.prepare<[string]>(`delete from journal_payload where seq in (${own})`),
    dropLinks: db.prepare<[string]>(`delete from evidence_link where evidence_id = ?`),
    dropAccess: db.prepare<[string]>(`delete from access_log where item_id = ?`),
    blankQuery: db.prepare<[string]>(`update access_log set query = null where query = ?`),
    dropCached: db.prepare<[string]>(`delete from embedding_cache where text_hash = ?`),
  };
}
