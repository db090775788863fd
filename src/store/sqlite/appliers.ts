/**
 * How each change is carried out: the only code that writes.
 *
 * An applier answers null when its expectation held, else the reason why not; then the
 * whole change set is taken back. A kind without an applier does not compile.
 */
import { type Change, type ChangeKind, type Origin } from "../../model/change.ts";
import type { Item } from "../../model/item.ts";
import { SHELVES, type Shelf } from "../../model/shelf.ts";
import type { Database } from "./database.ts";
import { type Journal, journal } from "./journal.ts";
import { QUEUE_RANK } from "./passage-writer.ts";
import { type ShelfWriter, shelfWriter } from "./shelf-writer.ts";
import { spaceWriter } from "./spaces.ts";
import { type VectorWriter, vectorWriter } from "./vector-index.ts";

/** The log tells what is used lately; older entries only grow. */
export const ACCESS_LOG_LIMIT_ENTRIES = 100_000;
export const CACHE_LIMIT_ENTRIES = 20_000;

export interface ChangeSet {
  at: number;
  origin: Origin;
}

type Reason = string | null;
type Appliers = { [K in ChangeKind]: (change: Extract<Change, { kind: K }>, set: ChangeSet) => Reason };

export interface Applier {
  apply(change: Change, set: ChangeSet): Reason;
  /** Ends the set; answers its number in the journal, or null. */
  flush(): number | null;
  discard(): void;
}

export function createApplier(db: Database): Applier {
  const shelves = new Map<Shelf, ShelfWriter>();
  const shelf = (name: Shelf) => shelves.get(name) ?? remember(shelves, name, shelfWriter(db, name));
  const log = journal(db);
  const appliers: Appliers = { ...itemAppliers(db, shelf, log), ...vectorAppliers(db, shelf), ...spaceWriter(db) };
  return {
    // The table above is complete by its type; TypeScript cannot follow the pairing through a union.
    apply: (change, set) => (appliers[change.kind] as (change: Change, set: ChangeSet) => Reason)(change, set),
    flush() {
      for (const writer of shelves.values()) writer.flush();
      return log.flush();
    },
    discard() {
      for (const writer of shelves.values()) writer.discard();
      log.discard();
    },
  };
}

function remember<K, V>(map: Map<K, V>, key: K, value: V): V {
  map.set(key, value);
  return value;
}

type ShelfOf = (name: Shelf) => ShelfWriter;

function itemAppliers(
  db: Database,
  shelf: ShelfOf,
  log: Journal,
): Pick<Appliers, "insert_item" | "revise_item" | "remove_item" | "touch_items"> {
  const logAccess = db.prepare(`
    insert into access_log (at, shelf, item_id, how, relevance, query) values (@at, @shelf, @id, @how, @relevance, @query)`);
  const trimLog = db.prepare<[number]>(`delete from access_log where seq <= (select max(seq) from access_log) - ?`);
  return {
    insert_item({ kind, shelf: name, item, passages, embed }, set) {
      const writer = shelf(name);
      if (writer.find(item.id)) return `${name} ${item.id} exists already`;
      const counts = item.status === "active" || item.status === "pending";
      if (counts && writer.hasContent(item.scope, item.hash)) return `equal content is there already`;
      writer.insert(item, passages, embed);
      log.write({ kind, shelf: name, before: null, after: item }, set);
      return null;
    },
    revise_item({ kind, shelf: name, id, expectedVersion, set: revision, passages, embed }, set) {
      const writer = shelf(name);
      const found = writer.find(id);
      if (!found) return `${name} ${id} is gone`;
      if (found.item.version !== expectedVersion) return `${name} ${id} was changed in the meantime`;
      const after: Item = { ...found.item, ...revision, version: expectedVersion + 1 };
      const moved =
        after.scope !== found.item.scope || after.hash !== found.item.hash || after.status !== found.item.status;
      const counts = after.status === "active" || after.status === "pending";
      if (moved && counts && writer.hasContent(after.scope, after.hash, found.seq))
        return `equal content is there already`;
      writer.update(found.seq, after);
      if (passages) writer.replacePassages(found.seq, after, passages, embed);
      log.write({ kind, shelf: name, before: found.item, after }, set);
      return null;
    },
    remove_item({ kind, shelf: name, id, expectedVersion }, set) {
      const writer = shelf(name);
      const found = writer.find(id);
      if (!found) return `${name} ${id} is gone`;
      if (found.item.version !== expectedVersion) return `${name} ${id} was changed in the meantime`;
      writer.remove(found.seq);
      log.write({ kind, shelf: name, before: found.item, after: null }, set);
      return null;
    },
    touch_items({ shelf: name, touches, query, at }) {
      for (const { id, how, relevance } of touches) {
        const isThere = shelf(name).touch(id, at, how === "read");
        if (isThere) logAccess.run({ at, shelf: name, id, how, relevance, query });
      }
      trimLog.run(ACCESS_LOG_LIMIT_ENTRIES);
      return null;
    },
  };
}

function vectorAppliers(
  db: Database,
  shelf: ShelfOf,
): Pick<Appliers, "lease_passages" | "store_vectors" | "adopt_embedder" | "cache_vectors"> {
  const writers = new Map<Shelf, VectorWriter>();
  const vectors = (name: Shelf) => writers.get(name) ?? remember(writers, name, vectorWriter(db, name));
  const lease = db.prepare(`
    update passage_queue set lease_owner = @owner, lease_until = @until
    where rank = @rank and shelf = @shelf and passage = @passage and (lease_until <= @at or lease_owner = @owner)`);
  const isLeasedBy = db.prepare<[number, string, number, string], { passage: number }>(
    `select passage from passage_queue where rank = ? and shelf = ? and passage = ? and lease_owner = ?`,
  );
  const dequeue = db.prepare<[number, string, number]>(
    `delete from passage_queue where rank = ? and shelf = ? and passage = ?`,
  );
  const adopt = db.prepare<[string]>(`
    insert into fact (key, value) values ('embedder', ?) on conflict (key) do update set value = excluded.value`);
  const cache = db.prepare(`
    insert into embedding_cache (embedder, text_hash, at, scale, vector) values (@embedder, @hash, @at, @scale, @vector)
    on conflict (embedder, text_hash) do update set at = excluded.at`);
  const trim = db.prepare<[number]>(`
    delete from embedding_cache where (embedder, text_hash) in (
      select embedder, text_hash from embedding_cache order by at desc limit -1 offset ?)`);
  return {
    lease_passages({ passages, owner, at, until }) {
      for (const { shelf: name, passage } of passages) {
        const taken = lease.run({ rank: QUEUE_RANK[name], shelf: name, passage, owner, at, until }).changes;
        if (taken === 0) return `passage ${passage} is leased or done`;
      }
      return null;
    },
    store_vectors({ embedder, owner, vectors: all }) {
      const held = all.filter(({ shelf: name, passage }) => isLeasedBy.get(QUEUE_RANK[name], name, passage, owner));
      for (const [name, ofShelf] of Map.groupBy(held, (entry) => entry.shelf)) {
        vectors(name).write(embedder, ofShelf);
        for (const { passage } of ofShelf) dequeue.run(QUEUE_RANK[name], name, passage);
      }
      return null;
    },
    adopt_embedder({ embedder }) {
      adopt.run(embedder);
      for (const name of SHELVES) {
        vectors(name).keepOnly(embedder);
        shelf(name).queueAll();
      }
      return null;
    },
    cache_vectors({ embedder, at, entries }) {
      for (const { hash, vector } of entries) {
        cache.run({ embedder, hash, at, scale: vector.scale, vector: Buffer.from(vector.values) });
      }
      trim.run(CACHE_LIMIT_ENTRIES);
      return null;
    },
  };
}
