/**
 * Erases items, and takes secrets out of them.
 *
 * An erased item loses its row, passages, words, vectors, its journal payloads, its entries in the access log with their
 * queries, the embeddings of its texts, what was captured in its session, and every kept surface. A redacted one gets its
 * redacted form instead, and of its earlier states those with a secret go, because the chain holds their hashes and they
 * cannot be edited; an entry says so.
 *
 * The chain stays intact, because it holds only salted hashes of payloads. Bytes that SQLite leaves in free space are
 * removed when the file is compacted afterwards; a server reuses the space, and may have them in its logs and backups.
 */
import { Failure } from "../errors.ts";
import type { RedactedItem } from "../journal/change.ts";
import { handleOf } from "../memory/handles.ts";
import type { Item } from "../memory/item.ts";
import { type Passage, type Shelf, SHELVES } from "../memory/shelves.ts";
import { SETTLED, withoutVerdicts } from "../memory/verdict.ts";
import { contentHash, hashAt } from "../text/content-hash.ts";
import { captureReads, eraseCaptured } from "./capture.ts";
import { eraseContext } from "./context.ts";
import { among, contains, hint } from "./dialect.ts";
import {
  contentIn,
  detailsIn,
  type EdgeLog,
  holdsSecret,
  isJournaled,
  textsIn,
  type TransactionOrigin,
  withTitle,
} from "./journal-link.ts";
import { eraseSessions } from "./sessions.ts";
import { column, elsewhere, rows, send, sql, type Steps, type Writers } from "./sql.ts";

type Soon<T> = T | Promise<T>;

export interface FoundItem {
  seq: number;
  item: Item;
}

/** What each database does its own way. */
interface ErasingTools {
  shelf(name: Shelf): {
    find(id: string): Soon<FoundItem | null>;
    seqOf(id: string): Soon<number | null>;
    clash(item: Item, except?: number): Soon<string | null>;
    revise(found: FoundItem, after: Item, cut: { passages: readonly Passage[]; embed: boolean } | null): Soon<void>;
    passages(found: FoundItem): Soon<readonly Passage[]>;
    remove(seq: number, id: string): Soon<void>;
  };
  log: Pick<EdgeLog, "writeErasure"> & { settle?(): Soon<void> };
  /** Erases vectors and wordpieces of removed passages, including earlier ones. */
  sweep(shelf: Shelf): Soon<void>;
  /** Called when cached vectors are dropped. */
  onCacheDrop?(): void;
}

export interface Erasing {
  /** Returns the shelves that may have held them; all of them if nothing tells. */
  items(ids: readonly string[], transaction: TransactionOrigin): Steps<readonly Shelf[]>;
  /** Erases cached embeddings and access entries of an item about to be removed; the journal stays unchanged. */
  tracesOf(id: string): Steps<void>;
  /** Erases events, states of extractors and surfaces that hold something of these items, or come from their sessions. */
  captured(ids: readonly string[], sessions: readonly string[], transaction: TransactionOrigin): Steps<void>;
  /** Erases queries that found erased items, and their embeddings. */
  queries(queries: readonly string[]): Steps<void>;
  sweep(shelves: readonly Shelf[]): Steps<void>;
  writers: Writers<"redact_items">;
}

const ownEntries = (ids: readonly string[]) => sql`select seq from journal where item_id ${among(ids)}`;
const payloadsOf = (ids: readonly string[]) =>
  column<string>(sql`select payload from journal_payload where seq in (${ownEntries(ids)})`);

export function erasing({ shelf, log, sweep, onCacheDrop }: ErasingTools): Erasing {
  /** Damaged items are erased too. */
  function* unlessDamaged<T>(read: Steps<T[]>): Steps<T[]> {
    try {
      return yield* read;
    } catch (thrown) {
      if (thrown instanceof Failure) return [];
      throw thrown;
    }
  }

  /** The texts exactly as they were embedded. */
  function* textsOn(name: Shelf, id: string): Steps<string[]> {
    const found = yield* elsewhere(() => shelf(name).find(id));
    if (!found) return [];
    return (yield* elsewhere(() => shelf(name).passages(found))).map(({ text }) => withTitle(found.item, text));
  }

  function* contentOn(name: Shelf, id: string): Steps<string[]> {
    return (yield* foundOn(name, id)).map(({ item }) => item.content);
  }

  function* dropCached(texts: readonly string[]): Steps<void> {
    if (texts.length === 0) return;
    onCacheDrop?.();
    yield* send(sql`delete from embedding_cache where text_hash ${among([...new Set(texts)].map(contentHash))}`);
  }

  function* tracesOf(id: string): Steps<void> {
    for (const name of SHELVES) yield* dropCached(yield* unlessDamaged(textsOn(name, id)));
    yield* send(sql`delete from access_log where item_id = ${id}`);
  }

  /** What was settled of a memory and an erased decision is kept with the memory, and in its earlier states. */
  function* dropVerdicts(ids: readonly string[], transaction: TransactionOrigin): Steps<void> {
    const mark = JSON.stringify(SETTLED);
    const states = yield* rows<{ seq: number; id: string; payload: string }>(sql`
      select kept.seq, entry.item_id as id, kept.payload from journal_payload kept
      join journal entry on entry.seq = kept.seq where entry.shelf = 'memory' and ${contains("kept.payload", mark)}`);
    const naming = states.filter(({ payload }) => detailsIn(payload).some((one) => withoutVerdicts(one, ids) !== null));
    yield* send(sql`delete from journal_payload where seq ${among(naming.map(({ seq }) => seq))}`);
    const current = yield* column<string>(sql`select id from memory_item where ${contains("details", mark)}`);
    for (const id of new Set([...naming.map((state) => state.id), ...current])) {
      const [found] = yield* unlessDamaged(foundOn("memory", id));
      const details = found ? withoutVerdicts(found.item.details, ids) : null;
      if (found && details) yield* elsewhere(() => shelf("memory").revise(found, { ...found.item, details }, null));
      const isNamed = details !== null || naming.some((state) => state.id === id);
      if (isNamed && found?.item.scope !== "working") log.writeErasure("memory", id, transaction, "redact_items");
    }
  }

  function* foundOn(name: Shelf, id: string): Steps<FoundItem[]> {
    const found = yield* elsewhere(() => shelf(name).find(id));
    return found ? [found] : [];
  }

  function* removeItem(id: string, transaction: TransactionOrigin): Steps<readonly Shelf[]> {
    const named = yield* column<string>(sql`select distinct shelf from journal where item_id = ${id}`);
    // Shelves name tables, and in a shared store anybody may have written this.
    const known = new Set(SHELVES.filter((name) => named.includes(name)));
    for (const name of SHELVES) {
      const seq = yield* elsewhere(() => shelf(name).seqOf(id));
      if (seq === null) continue;
      yield* elsewhere(() => shelf(name).remove(seq, id));
      known.add(name);
    }
    // Erasures of unjournaled items are recorded too, so that a recovery can repeat them.
    for (const name of known) log.writeErasure(name, id, transaction);
    return known.size === 0 ? SHELVES : [...known];
  }

  /** Erases what is kept beside the row. */
  function* eraseBeside(name: Shelf, id: string, found: FoundItem | null): Steps<void> {
    yield* elsewhere(() => log.settle?.());
    const states = yield* rows<{ seq: number; payload: string }>(sql`
      select kept.seq, kept.payload from journal entry ${hint("indexed by journal_item")}
      join journal_payload kept on kept.seq = entry.seq where entry.item_id = ${id}`);
    const held = states.filter(({ payload }) => holdsSecret(payload));
    yield* send(sql`delete from journal_payload where seq ${among(held.map(({ seq }) => seq))}`);
    const current = found ? yield* unlessDamaged(textsOn(name, id)) : [];
    yield* dropCached([...held.flatMap(({ payload }) => textsIn(payload)), ...current]);
    yield* eraseContext(found ? [contentHash(found.item.content)] : [], []);
    yield* eraseSessions([id], found ? [found.item.session] : []);
  }

  function* replace(name: Shelf, { after }: RedactedItem, found: FoundItem): Steps<void> {
    if (after === undefined) return;
    if (after === null) {
      yield* tracesOf(found.item.id);
      yield* elsewhere(() => shelf(name).remove(found.seq, found.item.id));
      return;
    }
    const { item, passages, embed } = after;
    // Without its secret it may say what another item says already; both stay.
    const isOnce = (yield* elsewhere(() => shelf(name).clash(item, found.seq))) === null;
    const hash = isOnce ? item.hash : hashAt(item.id, item.content);
    yield* elsewhere(() => shelf(name).revise(found, { ...item, hash }, { passages, embed }));
  }

  function* sweepAll(shelves: readonly Shelf[]): Steps<void> {
    for (const name of shelves) yield* elsewhere(() => sweep(name));
  }

  return {
    tracesOf,
    *items(ids, transaction) {
      yield* elsewhere(() => log.settle?.());
      for (const id of ids) yield* tracesOf(id);
      yield* dropCached((yield* payloadsOf(ids)).flatMap(textsIn));
      yield* send(
        sql`delete from journal_payload where seq in (${ownEntries(ids)})`,
        sql`delete from evidence_link where evidence_id ${among(ids)}`,
      );
      const touched = new Set<Shelf>();
      yield* dropVerdicts(ids, transaction);
      for (const id of ids) for (const name of yield* removeItem(id, transaction)) touched.add(name);
      return [...touched];
    },
    *captured(ids, sessions, { at }) {
      yield* elsewhere(() => log.settle?.());
      const contents = (yield* payloadsOf(ids)).flatMap(contentIn);
      for (const id of ids) for (const name of SHELVES) contents.push(...(yield* unlessDamaged(contentOn(name, id))));
      const from = [...new Set([...sessions, ...(yield* captureReads.sessionsOf(ids))])];
      yield* eraseCaptured({ ids, contents, sessions: from }, at);
      yield* eraseContext([...ids, ...contents.map(contentHash)], from);
      yield* eraseSessions(ids, from);
    },
    *queries(queries) {
      if (queries.length === 0) return;
      yield* send(sql`update access_log set query = null where query ${among(queries)}`);
      yield* dropCached(queries);
    },
    sweep: sweepAll,
    writers: {
      *redact_items({ shelf: name, items }, transaction) {
        for (const one of items) {
          const found = yield* elsewhere(() => shelf(name).find(one.id));
          if ((found?.item.version ?? null) !== one.expectedVersion)
            return `${name} ${handleOf(one.id)} was changed in the meantime`;
          yield* eraseBeside(name, one.id, found);
          if (found) yield* replace(name, one, found);
          if (isJournaled(name) && found?.item.scope !== "working")
            log.writeErasure(name, one.id, transaction, "redact_items");
        }
        yield* sweepAll([name]);
        return null;
      },
    },
  };
}
