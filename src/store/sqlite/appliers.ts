/**
 * Applies each kind of change: the only code that writes.
 *
 * An applier returns null when its expectation held, else the reason it did not; then the
 * whole transaction is rolled back. A kind without an applier does not compile.
 */
import type { Change, ChangeKind } from "../../journal/change.ts";
import { handleOf } from "../../memory/handles.ts";
import { isExpected, isExpired } from "../../memory/item-changes.ts";
import type { Item } from "../../memory/item.ts";
import type { Shelf } from "../../memory/shelves.ts";
import { type EdgeRoom, edgeRoom } from "../edges.ts";
import { type Erasing, erasing } from "../erasing.ts";
import { perShelf } from "../item-row.ts";
import { keepsPassages, type Random, type TransactionOrigin } from "../journal-link.ts";
import { adoptEmbedder, finishPassages, leasePassages } from "../queue.ts";
import { sharedWriters } from "../rooms.ts";
import { eraseSessions } from "../sessions.ts";
import { type SuccessionGuard, successionGuard } from "../succession.ts";
import { accessLog } from "./access-log.ts";
import type { Database } from "./database.ts";
import { type Drive, driveOn, writing } from "./drive.ts";
import { type ShelfWriter, shelfWriter } from "./item-writer.ts";
import { type Journal, journal } from "./journal-writer.ts";
import { type QueueWriter, queueWriter } from "./passage-writer.ts";
import { symbolWriter } from "./symbol-writer.ts";
import { cacheWriter, vectorWriter } from "./vector-index.ts";

type Reason = string | null;
type Appliers = { [K in ChangeKind]: (change: Extract<Change, { kind: K }>, transaction: TransactionOrigin) => Reason };

export interface Applier {
  apply(change: Change, transaction: TransactionOrigin): Reason;
  beginTransaction(): void;
  /** Checks what only the whole transaction shows. */
  endTransaction(): { kind: ChangeKind; reason: string } | null;
  /** The number of the current transaction in the journal, or null. */
  transactionNumber(): number | null;
  /** Discards the current transaction; earlier ones in the commit remain. */
  discard(): void;
  /** Writes data that all transactions of a commit share; called just before the commit. */
  flush(): void;
  /** Called after the commit, successful or not. */
  reset(): void;
}

export function createApplier(db: Database, random?: Random): Applier {
  const written: ShelfWriter[] = [];
  const queue = queueWriter(db);
  const shelf = perShelf((name) => {
    const writer = shelfWriter(db, name, queue);
    written.push(writer);
    return writer;
  });
  const log = journal(db, random);
  const edges = edgeRoom(log);
  const purge = erasing({ shelf, log, sweep: (name) => sweep(db, name) });
  const succession = successionGuard();
  const appliers: Appliers = {
    ...itemAppliers(db, shelf, log, { edges, succession }),
    ...removalAppliers(driveOn(db), shelf, log, { edges, purge }),
    ...writing(purge.writers, db),
    ...writing(edges.writers, db),
    ...vectorAppliers(db, queue),
    ...symbolWriter(db),
    ...writing(sharedWriters(log), db),
  };
  return {
    // The type makes the table above complete; TypeScript cannot pair a union member with its applier.
    apply: (change, transaction) =>
      (appliers[change.kind] as (change: Change, transaction: TransactionOrigin) => Reason)(change, transaction),
    beginTransaction() {
      succession.reset();
      log.beginTransaction();
    },
    endTransaction: () => driveOn(db)(succession.refusal()),
    transactionNumber: () => log.transactionNumber(),
    discard() {
      queue.reset();
      for (const writer of written) writer.discard();
      log.discard();
    },
    flush() {
      for (const writer of written) writer.flush();
      log.flush();
    },
    reset() {
      queue.reset();
      for (const writer of written) writer.discard();
      log.reset();
    },
  };
}

type ShelfOf = (name: Shelf) => ShelfWriter;

function itemAppliers(
  db: Database,
  shelf: ShelfOf,
  log: Journal,
  { edges, succession }: { edges: EdgeRoom; succession: SuccessionGuard },
): Pick<Appliers, "insert_item" | "revise_item" | "remove_item" | "touch_items"> {
  const accesses = accessLog(db);
  const drive = driveOn(db);
  return {
    insert_item({ kind, shelf: name, item, passages, embed }, transaction) {
      const refusal = shelf(name).insert(item, passages, embed);
      if (refusal) return refusal;
      succession.note(name, null, item, false);
      log.write({ kind, shelf: name, before: null, after: item }, transaction);
      return null;
    },
    revise_item(change, transaction) {
      const { kind, shelf: name, id, expectedVersion, version, set: revision, passages, embed } = change;
      const writer = shelf(name);
      const found = writer.find(id);
      if (!found) return `${name} ${handleOf(id)} is gone`;
      if (!isExpected(found.item, change)) return `${name} ${handleOf(id)} was changed in the meantime`;
      const after: Item = { ...found.item, ...revision, version: version ?? expectedVersion + 1 };
      const clash = writer.clash(after, found.seq);
      if (clash) return clash;
      writer.revise(found, after, passages && { passages, embed });
      succession.note(name, found.item, after, change.expectsSuccessor ?? false);
      log.write({ kind, shelf: name, before: found.item, after }, transaction);
      return null;
    },
    remove_item(change, transaction) {
      const { kind, shelf: name, id } = change;
      const writer = shelf(name);
      const found = writer.find(id);
      if (!found) return `${name} ${handleOf(id)} is gone`;
      if (!isExpected(found.item, change)) return `${name} ${handleOf(id)} was changed in the meantime`;
      const passages = keepsPassages(name) ? writer.passages(found) : undefined;
      drive(edges.removeOf(name, id, transaction));
      writer.remove(found.seq);
      // What was made of it must not outlive it until the session is made again.
      if (name === "evidence") drive(eraseSessions([id], [found.item.session]));
      log.write({ kind, shelf: name, before: found.item, after: null, passages }, transaction);
      return null;
    },
    touch_items({ shelf: name, touches, besides = [], query, at, boost = 1 }) {
      const found = touches.filter(({ id, how }) => shelf(name).touch(id, { at, isRead: how !== "shown", boost }));
      // A missing item may have been erased meanwhile, and the query that found it may reveal its content.
      const foundBesides = besides.filter(({ id }) => shelf(name).seqOf(id) !== null);
      const isWhole = found.length === touches.length && foundBesides.length === besides.length;
      const entry = { at, shelf: name, query: isWhole ? query : null };
      for (const touch of found) accesses.note({ ...entry, ...touch });
      for (const one of foundBesides) accesses.noteBesides({ ...entry, ...one });
      accesses.trim();
      return null;
    },
  };
}

function removalAppliers(
  drive: Drive,
  shelf: ShelfOf,
  log: Journal,
  { edges, purge }: { edges: EdgeRoom; purge: Erasing },
): Pick<Appliers, "evict_items" | "purge_items" | "adopt_journal"> {
  return {
    evict_items({ shelf: name, ids, expiredAt }, transaction) {
      for (const id of ids) {
        const found = shelf(name).find(id);
        if (found?.item.scope !== "working") continue;
        // Remembering it again may have extended its lifetime meanwhile.
        if (expiredAt !== undefined && !isExpired(found.item, expiredAt)) continue;
        drive(edges.removeOf(name, id, transaction));
        if (expiredAt !== undefined) drive(purge.tracesOf(id));
        shelf(name).remove(found.seq);
      }
      if (expiredAt !== undefined) drive(purge.sweep([name]));
      return null;
    },
    purge_items({ ids, queries, sessions = [] }, transaction) {
      // First, while the texts are still there to be looked for.
      drive(purge.captured(ids, sessions, transaction));
      for (const id of ids) drive(edges.eraseOf(id, transaction));
      const touched = drive(purge.items(ids, transaction));
      drive(purge.queries(queries));
      // Reads every block of vectors, so shelves without any of the items are left alone.
      drive(purge.sweep(touched));
      return null;
    },
    adopt_journal: ({ entries }) => (log.adopt(entries) ? null : "a journal is there already"),
  };
}

function sweep(db: Database, shelf: Shelf): void {
  vectorWriter(db, shelf).sweep();
  // A wordpiece left with a count of 0 would reveal that some text contained it.
  db.prepare(`delete from ${shelf}_wordpiece where passages <= 0 and piece >= 0`).run();
}

function vectorAppliers(
  db: Database,
  queue: QueueWriter,
): Pick<Appliers, "lease_passages" | "store_vectors" | "adopt_embedder" | "cache_vectors"> {
  const vectors = perShelf((name) => vectorWriter(db, name));
  const cache = cacheWriter(db);
  const drive = driveOn(db);
  return {
    lease_passages({ embedder, passages, ...terms }) {
      const refused = drive(leasePassages(embedder, passages, terms));
      return refused ? `passage ${refused.passage} is leased or done` : null;
    },
    store_vectors({ embedder, owner, vectors: all }, { at }) {
      // A text erased while it was being embedded must leave no trace, not even its hash.
      const held = drive(finishPassages(embedder, all, owner));
      const entries = held.flatMap(({ hash, vector }) => (hash === undefined ? [] : [{ hash, vector }]));
      if (entries.length > 0) cache.keep(embedder, at, entries);
      for (const [name, ofShelf] of Map.groupBy(held, (entry) => entry.shelf)) vectors(name).write(embedder, ofShelf);
      return null;
    },
    adopt_embedder({ embedder, at }) {
      queue.reset();
      drive(adoptEmbedder(embedder, at));
      return null;
    },
    cache_vectors({ embedder, at, entries }) {
      cache.keep(embedder, at, entries);
      return null;
    },
  };
}
