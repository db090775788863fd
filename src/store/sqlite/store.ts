/**
 * The store on SQLite: reads are methods, `apply` is the only writer.
 *
 * One connection per store. Statements are compiled when they are first used, so opening
 * costs little. Every call waits for a busy file without blocking.
 */
import { statSync } from "node:fs";
import { SHELVES, type Shelf } from "../../model/memory/shelf.ts";
import type { Clock, IdReads, Store } from "../../ports.ts";
import type { CorpusReads } from "../../ports/corpus.ts";
import { accessLog } from "./items/access-log.ts";
import { archiveReader } from "./items/archive.ts";
import type { Committer } from "./committer.ts";
import { corpusReader } from "./corpus/corpus-reader.ts";
import { sameFileAt } from "./connection/data-file.ts";
import { type Database, type OpenDatabase, type WhenFree, openDatabase } from "./connection/database.ts";
import { decisionOutlines } from "./items/decision-outlines.ts";
import { edgeReader } from "./items/edges.ts";
import { compactFile } from "./connection/file-work.ts";
import { idReader } from "./items/id-reader.ts";
import { evidenceLinks } from "./items/evidence-links.ts";
import type { JournalReader } from "./journal/journal-reader.ts";
import { leaseHolder } from "./connection/lease.ts";
import { type SpaceKind, migrate, refuseUnknown, version } from "./connection/migrate.ts";
import { cacheReader } from "./search/embedding-cache.ts";
import { queueReader } from "./search/passage-queue.ts";
import { passageReader } from "./search/passage-reader.ts";
import { type ShelfReader, shelfReader } from "./items/shelf-reader.ts";
import { filledShelves, shelfSearch } from "./search/shelf-search.ts";
import { wordpieceSearch } from "./search/wordpiece-search.ts";
import { readSpaces } from "./items/spaces.ts";
import { symbolReader } from "./corpus/symbol-reader.ts";
import { readOnlyFailure, removedFailure } from "./connection/write-failures.ts";

export interface SqliteStoreOptions {
  path: string;
  kind: SpaceKind;
  clock: Clock;
  /** How long to wait for a file that another process holds. */
  patienceMs?: number;
}

export async function openSqliteStore({ path, kind, clock, patienceMs }: SqliteStoreOptions): Promise<Store> {
  const opened = await openDatabase(path, { inspect: refuseUnknown, isRequired: kind === "global", patienceMs });
  try {
    return await opened.whenFree(() => {
      migrate(opened.db, kind);
      return storeOn(opened, { path, clock });
    });
  } catch (thrown) {
    opened.close();
    throw thrown;
  }
}

function storeOn(
  { db, readOnly, whenFree, close }: OpenDatabase,
  { path, clock }: { path: string; clock: Clock },
): Store {
  const reader = perShelf((shelf) => shelfReader(db, shelf));
  const queue = queueReader(db);
  const holder = leaseHolder(db);
  const isOurs = sameFileAt(path);
  // Many processes only read, and the writing half of the store is the larger one.
  let writer: Promise<Committer> | null = null;
  const committing = () => {
    writer ??= import("./committer.ts").then(({ committer }) => committer(db, clock, whenFree));
    // A failed import may succeed the next time.
    writer.catch(() => (writer = null));
    return writer;
  };

  return {
    readOnly,
    async apply(changes, origin, options) {
      if (readOnly) throw readOnlyFailure();
      if (changes.length === 0) return { status: "applied", transaction: null };
      if (!isOurs()) throw removedFailure(path);
      return (await committing()).commit(changes, origin, options ?? {});
    },
    items: (shelf, ids) => whenFree(() => reader(shelf).items(ids)),
    outlines: (shelf, ids) => whenFree(() => reader(shelf).outlines(ids)),
    sameContent: (shelf, scope, hash) => whenFree(() => reader(shelf).sameContent(scope, hash)),
    fileAt: (shelf, path) => whenFree(() => reader(shelf).fileAt(path)),
    list: (shelf, filter, page) => whenFree(() => reader(shelf).list(filter, page)),
    replacedBy: (shelf, ids) => whenFree(() => reader(shelf).replacedBy(ids)),
    ...working(reader, whenFree),
    ...idLookups(db, whenFree),
    ...relating(db, whenFree),
    ...searching(db, whenFree),
    ...deciding(db, whenFree),
    ...embedding(queue, cacheReader(db), whenFree),
    ...past(db, whenFree, reader),
    ...corpus(db, whenFree),
    leaseHolder: (name, now) => whenFree(() => holder(name, now)),
    ...wholeItems(reader, whenFree),
    async compact() {
      if (readOnly) throw readOnlyFailure();
      await (await writer)?.settle();
      await whenFree(() => undefined);
      return compactFile(path);
    },
    ...archived(db, whenFree),
    spaces: () => whenFree(() => readSpaces(db)),
    ...reporting(path, db, whenFree, reader),
    async close() {
      try {
        await (await writer)?.settle();
      } finally {
        close();
      }
    },
  };
}

function embedding(
  queue: ReturnType<typeof queueReader>,
  cached: ReturnType<typeof cacheReader>,
  whenFree: WhenFree,
): Pick<Store, "embedderUsedAt" | "waiting" | "waitingCount" | "cachedVectors"> {
  return {
    embedderUsedAt: (embedder) => whenFree(() => queue.usedAt(embedder)),
    waiting: (query) => whenFree(() => queue.waiting(query)),
    waitingCount: (embedder, shelves) => whenFree(() => queue.count(embedder, shelves)),
    cachedVectors: (embedder, hashes) => whenFree(() => cached(embedder, hashes)),
  };
}

function perShelf<T>(make: (shelf: Shelf) => T): (shelf: Shelf) => T {
  const made = new Map<Shelf, T>();
  return (shelf) => {
    const known = made.get(shelf);
    if (known !== undefined) return known;
    const fresh = make(shelf);
    made.set(shelf, fresh);
    return fresh;
  };
}

/** Working items to remove. */
function working(reader: (shelf: Shelf) => ShelfReader, whenFree: WhenFree): Pick<Store, "leaving" | "expired"> {
  return {
    leaving: (shelf, room) => whenFree(() => reader(shelf).leaving(room)),
    expired: (shelf, now) => whenFree(() => reader(shelf).expired(now)),
  };
}

/** Ids by a prefix of the id or of its handle. */
function idLookups(db: Database, whenFree: WhenFree): IdReads {
  const reader = idReader(db);
  return {
    idsWithPrefix: (shelf, text, query) => whenFree(() => reader.beginning(shelf, text, query)),
    newestIds: (shelf, limit) => whenFree(() => reader.newest(shelf, limit)),
    callsWithPrefix: (text, query) => whenFree(() => reader.calls(text, query)),
    journaledIds: (text, limit) => whenFree(() => reader.journaled(text, limit)),
  };
}

/** Edges between items. */
function relating(db: Database, whenFree: WhenFree): Pick<Store, "edgesOf" | "edges" | "walkEdges"> {
  const reader = edgeReader(db);
  return {
    edgesOf: (shelf, ids, query) => whenFree(() => reader.edgesOf(shelf, ids, query)),
    edges: (shelf, ids) => whenFree(() => reader.edges(shelf, ids)),
    walkEdges: (shelf, page) => whenFree(() => reader.walk(shelf, page)),
  };
}

type Searches =
  | ("filledShelves" | "keyword" | "substring" | "nearest" | "cosines" | "wordpieceScores" | "nearestByWordpieces")
  | ("neighbours" | "speakers" | "passages" | "wordStatistics" | "subjectsOfEvidence" | "evidenceAbout");

/** Searches and what they need. */
function searching(db: Database, whenFree: WhenFree): Pick<Store, Searches> {
  const reader = perShelf((shelf) => passageReader(db, shelf));
  const search = perShelf((shelf) => shelfSearch(db, shelf, reader(shelf)));
  const byWordpieces = perShelf((shelf) => wordpieceSearch(db, shelf));
  const filled = filledShelves(db);
  const links = evidenceLinks(db);
  return {
    filledShelves: () => whenFree(filled),
    keyword: (shelf, query, filter, limit) => whenFree(() => search(shelf).keyword(query, filter, limit)),
    substring: (shelf, text, filter, limit) => whenFree(() => search(shelf).substring(text, filter, limit)),
    nearest: (shelf, query, filter, limit) => whenFree(() => search(shelf).nearest(query, filter, limit)),
    cosines: (shelf, query, passages) => whenFree(() => search(shelf).cosines(query, passages)),
    subjectsOfEvidence: () => whenFree(() => links.subjects()),
    evidenceAbout: (subjects, filter, limit) => whenFree(() => links.about(subjects, filter, limit)),
    wordpieceScores: (shelf, query, passages) => whenFree(() => byWordpieces(shelf).scores(query, passages)),
    nearestByWordpieces: (shelf, query, filter, limit) =>
      whenFree(() => byWordpieces(shelf).nearest(query, filter, limit)),
    neighbours: (shelf, passages) => whenFree(() => reader(shelf).neighbours(passages)),
    speakers: (shelf, names) => whenFree(() => reader(shelf).speakers(names)),
    passages: (shelf, passages) => whenFree(() => reader(shelf).passages(passages)),
    wordStatistics: (shelf, stems) => whenFree(() => reader(shelf).wordStatistics(stems)),
  };
}

/** Data about the project's files. */
function corpus(db: Database, whenFree: WhenFree): CorpusReads {
  const files = corpusReader(db);
  const symbols = symbolReader(db);
  return {
    fileStates: (which) => whenFree(() => files.states(which)),
    lastLook: () => whenFree(() => files.lastLook()),
    symbols: (query, limit) => whenFree(() => symbols.find(query, limit)),
    symbolsOf: (itemIds) => whenFree(() => symbols.ofItems(itemIds)),
    references: () => whenFree(() => files.references()),
    unranked: () => whenFree(() => files.unranked()),
    linkedTo: (path) => whenFree(() => files.linkedTo(path)),
    linksFrom: (itemId) => whenFree(() => files.linksFrom(itemId)),
    foundTogetherWith: (itemId, limit) => whenFree(() => files.foundTogetherWith(itemId, limit)),
  };
}

/** Data about decisions without reading them. */
function deciding(db: Database, whenFree: WhenFree): Pick<Store, "decisionOutlines" | "decisionsRelatingTo"> {
  const outlines = decisionOutlines(db);
  return {
    decisionOutlines: (now) => whenFree(() => outlines.all(now)),
    decisionsRelatingTo: (id) => whenFree(() => outlines.relatingTo(id)),
  };
}

function archived(
  db: Database,
  whenFree: WhenFree,
): Pick<Store, "agedEvidence" | "archivedEvidence" | "archivedBytes"> {
  const archive = archiveReader(db, "evidence");
  return {
    agedEvidence: (before, page) => whenFree(() => archive.aged(before, page)),
    archivedEvidence: (filter, page) => whenFree(() => archive.ids(filter, page)),
    archivedBytes: (ids) => whenFree(() => archive.bytes(ids)),
  };
}

/** Items with everything that belongs to them. */
function wholeItems(reader: (shelf: Shelf) => ShelfReader, whenFree: WhenFree): Pick<Store, "whole" | "walk"> {
  return {
    whole: (shelf, ids) => whenFree(() => reader(shelf).whole(ids)),
    walk: (shelf, page) => whenFree(() => reader(shelf).walk(page)),
  };
}

/** The journal and the access log, loaded on first use, because few processes need them. */
function past(
  db: Database,
  whenFree: WhenFree,
  reader: (shelf: Shelf) => ShelfReader,
): Pick<Store, "queriesFor" | "journal" | "latestCalls" | "chain" | "chainHead"> {
  const accesses = accessLog(db);
  const edges = edgeReader(db);
  const items = (shelf: Shelf, ids: readonly string[]) => reader(shelf).readable(ids);
  let known: JournalReader | null = null;
  const history = async <T>(work: (reader: JournalReader) => T): Promise<T> => {
    const { journalReader } = await import("./journal/journal-reader.ts");
    return whenFree(() => work((known ??= journalReader(db, { items, edges: edges.edges }))));
  };
  return {
    queriesFor: (ids) => whenFree(() => accesses.queriesFor(ids)),
    journal: (query, page) => history(({ records }) => records(query, page)),
    latestCalls: (limit, space) => history(({ latestCalls }) => latestCalls(limit, space ?? null)),
    chain: (from, limit) => history(({ chain }) => chain(from, limit)),
    chainHead: () => history(({ head }) => head()),
  };
}

/** What is stored and what is pending. */
function reporting(
  path: string,
  db: Database,
  whenFree: WhenFree,
  reader: (shelf: Shelf) => ShelfReader,
): Pick<Store, "report"> {
  const queue = queueReader(db);
  return {
    async report() {
      const { journalLength } = await import("./journal/journal-reader.ts");
      return whenFree(() => ({
        path,
        bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
        schema: version(db),
        counts: SHELVES.flatMap((shelf) => reader(shelf).counts()),
        embeddable: queue.embeddable(),
        embedders: queue.embedders(),
        journalLength: journalLength(db),
        accesses: accessLog(db).counts(),
      }));
    },
  };
}
