/**
 * Applies each kind of change, within one transaction: the only code that writes.
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
import { keepsPassages, type Random, type Tip, type TransactionOrigin } from "../journal-link.ts";
import { adoptEmbedder, finishPassages, leasePassages } from "../queue.ts";
import { sharedWriters } from "../rooms.ts";
import { eraseSessions } from "../sessions.ts";
import { type SuccessionGuard, successionGuard } from "../succession.ts";
import { accessLog } from "./access-log.ts";
import type { Database } from "./database.ts";
import { cacheWriter } from "./embedding-cache.ts";
import { type ShelfWriter, shelfWriter } from "./item-writer.ts";
import { type Journal, journal } from "./journal-writer.ts";
import { writing } from "./statements.ts";
import { symbolWriter } from "./symbol-writer.ts";
import { vectorWriter } from "./vector-index.ts";

type Reason = Promise<string | null>;
type Appliers = { [K in ChangeKind]: (change: Extract<Change, { kind: K }>, transaction: TransactionOrigin) => Reason };

export interface Refusal {
  kind: ChangeKind;
  reason: string;
}

/** Notes a change that is under way: the next one may begin before it is known whether it was refused. */
type Doubt = (kind: ChangeKind, reason: Reason) => void;

export interface Applier {
  apply(change: Change, transaction: TransactionOrigin): Reason;
  /** The first of the changes so far that was refused after `apply` had let the next one begin. */
  doubted(): Promise<Refusal | null>;
  /** Checks what only the whole transaction shows, and writes what all its changes share. */
  end(): Promise<Refusal | null>;
  /** The number of the transaction in the journal, or null. */
  transactionNumber(): number | null;
}

/** `tip` is the end of the journal's chain. */
export function createApplier(db: Database, tip: Promise<Tip>, random?: Random): Applier {
  const doubts: { kind: ChangeKind; reason: Reason }[] = [];
  const doubt: Doubt = (kind, reason) => {
    reason.catch(() => undefined);
    doubts.push({ kind, reason });
  };
  const written: ShelfWriter[] = [];
  const shelf = perShelf((name) => {
    const writer = shelfWriter(db, name);
    written.push(writer);
    return writer;
  });
  const log = journal(db, tip, random);
  const edges = edgeRoom(log);
  const purge = erasing({
    shelf,
    log: { ...log, settle: log.flush },
    sweep: (name) => sweep(db, name),
    onCacheDrop: () => db.note("cached vectors"),
  });
  const succession = successionGuard();
  const appliers: Appliers = {
    ...itemAppliers(db, shelf, log, { edges, succession, doubt }),
    ...removalAppliers(db, shelf, log, { edges, purge }),
    ...writing(purge.writers, db),
    ...writing(edges.writers, db),
    ...vectorAppliers(db),
    ...symbolWriter(db),
    ...writing(sharedWriters({ ...log, settle: log.flush }), db),
  };
  async function doubted(): Promise<Refusal | null> {
    for (const { kind, reason: answer } of doubts) {
      const reason = await answer;
      if (reason !== null) return { kind, reason };
    }
    return null;
  }

  return {
    // The type makes the table above complete; TypeScript cannot pair a union member with its applier.
    apply: (change, transaction) =>
      (appliers[change.kind] as (change: Change, transaction: TransactionOrigin) => Reason)(change, transaction),
    doubted,
    async end() {
      const refusal = (await doubted()) ?? (await db.drive(succession.refusal()));
      if (refusal) return refusal;
      for (const writer of written) await writer.flush();
      await log.flush();
      return null;
    },
    transactionNumber: () => log.transactionNumber(),
  };
}

type ShelfOf = (name: Shelf) => ShelfWriter;

function itemAppliers(
  db: Database,
  shelf: ShelfOf,
  log: Journal,
  { edges, succession, doubt }: { edges: EdgeRoom; succession: SuccessionGuard; doubt: Doubt },
): Pick<Appliers, "insert_item" | "revise_item" | "remove_item" | "touch_items"> {
  const accesses = accessLog(db);
  return {
    async insert_item({ kind, shelf: name, item, passages, embed }, transaction) {
      doubt(kind, shelf(name).insert(item, passages, embed));
      succession.note(name, null, item, false);
      log.write({ kind, shelf: name, before: null, after: item }, transaction);
      return null;
    },
    async revise_item(change, transaction) {
      const { kind, shelf: name, id, expectedVersion, version, set: revision, passages, embed } = change;
      const writer = shelf(name);
      const found = await writer.find(id);
      if (!found) return `${name} ${handleOf(id)} is gone`;
      if (!isExpected(found.item, change)) return `${name} ${handleOf(id)} was changed in the meantime`;
      const after: Item = { ...found.item, ...revision, version: version ?? expectedVersion + 1 };
      const clash = isSameKind(found.item, after) ? null : await writer.clash(after, found.seq);
      if (clash) return clash;
      await writer.revise(found, after, passages && { passages, embed });
      succession.note(name, found.item, after, change.expectsSuccessor ?? false);
      log.write({ kind, shelf: name, before: found.item, after }, transaction);
      return null;
    },
    async remove_item(change, transaction) {
      const { kind, shelf: name, id } = change;
      const writer = shelf(name);
      const found = await writer.find(id);
      if (!found) return `${name} ${handleOf(id)} is gone`;
      if (!isExpected(found.item, change)) return `${name} ${handleOf(id)} was changed in the meantime`;
      const passages = keepsPassages(name) ? await writer.passages(found) : undefined;
      await db.drive(edges.removeOf(name, id, transaction));
      await writer.remove(found.seq, id);
      // What was made of it must not outlive it until the session is made again.
      if (name === "evidence") await db.drive(eraseSessions([id], [found.item.session]));
      log.write({ kind, shelf: name, before: found.item, after: null, passages }, transaction);
      return null;
    },
    async touch_items(touches) {
      accesses.note(touches);
      return null;
    },
  };
}

/** Whether no rule of uniqueness can tell the two apart. */
const isSameKind = (before: Item, after: Item): boolean =>
  before.hash === after.hash &&
  before.path === after.path &&
  before.scope === after.scope &&
  before.status === after.status;

function removalAppliers(
  db: Database,
  shelf: ShelfOf,
  log: Journal,
  { edges, purge }: { edges: EdgeRoom; purge: Erasing },
): Pick<Appliers, "evict_items" | "purge_items" | "adopt_journal"> {
  return {
    async evict_items({ shelf: name, ids, expiredAt }, transaction) {
      for (const id of ids) {
        const found = await shelf(name).find(id);
        if (found?.item.scope !== "working") continue;
        // Remembering it again may have extended its lifetime meanwhile.
        if (expiredAt !== undefined && !isExpired(found.item, expiredAt)) continue;
        await db.drive(edges.removeOf(name, id, transaction));
        if (expiredAt !== undefined) await db.drive(purge.tracesOf(id));
        await shelf(name).remove(found.seq, id);
      }
      if (expiredAt !== undefined) await db.drive(purge.sweep([name]));
      return null;
    },
    async purge_items({ ids, queries, sessions = [] }, transaction) {
      // First, while the texts are still there to be looked for.
      await db.drive(purge.captured(ids, sessions, transaction));
      for (const id of ids) await db.drive(edges.eraseOf(id, transaction));
      const touched = await db.drive(purge.items(ids, transaction));
      await db.drive(purge.queries(queries));
      // Reads every block of vectors, so shelves without any of the items are left alone.
      await db.drive(purge.sweep(touched));
      return null;
    },
    adopt_journal: async ({ entries }) => ((await log.adopt(entries)) ? null : "a journal is there already"),
  };
}

async function sweep(db: Database, shelf: Shelf): Promise<void> {
  await vectorWriter(db, shelf).sweep();
  const mayErase = db.prepareColumn<boolean>(`select has_table_privilege('${shelf}_wordpiece', 'delete')`);
  // Whoever may not write on a shelf has erased nothing from it. A wordpiece left with a count of 0 would reveal that some
  // text contained it.
  if (await mayErase.get()) await db.prepare(`delete from ${shelf}_wordpiece where passages <= 0`).run();
}

function vectorAppliers(
  db: Database,
): Pick<Appliers, "lease_passages" | "store_vectors" | "adopt_embedder" | "cache_vectors"> {
  const vectors = perShelf((name) => vectorWriter(db, name));
  const cache = cacheWriter(db);
  return {
    async lease_passages({ embedder, passages, ...terms }) {
      const refused = await db.drive(leasePassages(embedder, passages, terms));
      return refused ? `passage ${refused.passage} is leased or done` : null;
    },
    async store_vectors({ embedder, owner, vectors: all }, { at }) {
      // A text erased while it was being embedded must leave no trace, not even its hash.
      db.note("queue");
      const held = await db.drive(finishPassages(embedder, all, owner));
      const entries = held.flatMap(({ hash, vector }) => (hash === undefined ? [] : [{ hash, vector }]));
      cache.keep(embedder, at, entries);
      for (const [name, ofShelf] of Map.groupBy(held, (entry) => entry.shelf))
        await vectors(name).write(embedder, ofShelf);
      return null;
    },
    async adopt_embedder({ embedder, at }) {
      db.note("queue");
      await db.drive(adoptEmbedder(embedder, at));
      return null;
    },
    async cache_vectors({ embedder, at, entries }) {
      cache.keep(embedder, at, entries);
      return null;
    },
  };
}
