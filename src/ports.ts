/**
 * Ports: what the engine needs from the world.
 *
 * All of it is asynchronous, so that a networked store fits as well as a file. A port is
 * an interface plus a conformance suite that every adapter passes.
 */
import type { AccessKind, Applied, Change, Origin, QuantisedVector, QueuedPassage } from "./model/journal/change.ts";
import type { Edge, EdgeShelf, EdgeStatus } from "./model/memory/edge.ts";
import type { RecipeName } from "./model/recall/ranking.ts";
import type { Item, Scope, Status } from "./model/memory/item.ts";
import type { ChainEntry, ChainHead, ChangeRecord } from "./model/journal/journal.ts";
import type {
  DecisionOutline,
  Filter,
  KeywordQuery,
  Neighbours,
  Outline,
  Ranked,
  VectorQuery,
  WordpieceQuery,
} from "./model/recall/search.ts";
import type { Passage, Shelf, StoredPassage } from "./model/memory/shelf.ts";
import type { Space } from "./model/memory/space.ts";
import type { Backups, OtherSpaces } from "./ports/backups.ts";
import type { CorpusReads, CorpusSettings, NoteFiles, Parser, PatternSearch, ProjectFiles } from "./ports/corpus.ts";
import type { Files } from "./ports/files.ts";
import type { IdReads } from "./ports/ids.ts";

export type * from "./ports/backups.ts";
export type * from "./ports/corpus.ts";
export type * from "./ports/files.ts";
export type * from "./ports/ids.ts";
export type { DecisionOutline, Filter, KeywordQuery, Neighbours, Outline, Ranked, VectorQuery, WordpieceQuery };

export interface ShelfCount {
  shelf: Shelf;
  scope: Scope;
  type: string;
  status: Status;
  count: number;
}

export interface StoreReport {
  path: string;
  bytes: number;
  schema: number;
  counts: ShelfCount[];
  /** Passages that have or may have a vector. */
  embeddable: number;
  embedders: { identity: string; waiting: number }[];
  journalLength: number;
  /** What the access log still knows of, by kind. */
  accesses: Record<AccessKind, number>;
}

export interface WaitingPassage extends QueuedPassage {
  /** What is embedded: the title on top of the passage. */
  text: string;
}

/** Which changes of the journal. Absent means no restriction. */
export interface JournalQuery {
  itemIds?: readonly string[];
  calls?: readonly string[];
  verb?: string;
  shelf?: Shelf;
  after?: number;
  before?: number;
  /** No entry behind this number. */
  through?: number;
}

/** An item with everything that hangs on it, as it leaves for another store. */
export interface WholeItem {
  item: Item;
  passages: Passage[];
  embed: boolean;
}

/** Which edges of an item. Absent means no restriction. */
export interface EdgeQuery {
  statuses?: readonly EdgeStatus[];
  /** Only those whose other end has one of these. */
  neighbours?: readonly Status[];
  /** For each item that is asked for. */
  limit: number;
}

/** Evidence that may be old enough to be archived. */
export interface AgedEvidence extends Pick<Item, "id" | "updatedAt"> {
  /** The length of its text. */
  bytes: number;
}

export interface ApplyOptions {
  /** Checks and counts everything, then takes it back. */
  rehearse?: boolean;
  /** Gives up at once when another process holds the file: for what may as well be done later. */
  impatient?: boolean;
}

export interface Store extends CorpusReads, IdReads {
  readonly readOnly: boolean;

  /** The only writer. All or nothing. */
  apply(changes: readonly Change[], origin: Origin, options?: ApplyOptions): Promise<Applied>;

  items(shelf: Shelf, ids: readonly string[]): Promise<Item[]>;
  /** As much of them as a ranking weighs; also of what can no longer be read whole. */
  outlines(shelf: Shelf, ids: readonly string[]): Promise<Outline[]>;
  /** The active or pending item of this content, if any, even when it has expired; of evidence the archived one too. */
  sameContent(shelf: Shelf, scope: Scope, hash: string): Promise<Item | null>;
  /** The active file under this path. */
  fileAt(shelf: Shelf, path: string): Promise<Item | null>;
  list(
    shelf: Shelf,
    filter: Filter,
    page: { limit: number; offset: number },
  ): Promise<{ items: Item[]; total: number }>;
  /** What the given items replaced, nearest first, and what those replaced, and so on. */
  replacedBy(shelf: Shelf, ids: readonly string[]): Promise<Item[]>;
  /** Expired items, then the least recently used ones of a session that must go before one more fits in. */
  leaving(shelf: Shelf, room: { session: string; capacity: number; now: number }): Promise<string[]>;
  /** Working items whose time is over, the longest first. */
  expired(shelf: Shelf, now: number): Promise<string[]>;

  /** Edges that begin or end at these items, strongest first. */
  edgesOf(shelf: EdgeShelf, ids: readonly string[], query: EdgeQuery): Promise<Edge[]>;
  /** By their own ids. */
  edges(shelf: EdgeShelf, ids: readonly string[]): Promise<Edge[]>;
  /** In the order of their ids, those behind `after`. */
  walkEdges(shelf: EdgeShelf, page: { after: string | null; limit: number }): Promise<Edge[]>;

  /** Where there is anything to find: asking this once spares asking every shelf everything. */
  filledShelves(): Promise<Shelf[]>;
  keyword(shelf: Shelf, query: KeywordQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  substring(shelf: Shelf, text: string, filter: Filter, limit: number): Promise<Ranked[]>;
  nearest(shelf: Shelf, query: VectorQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  /** Cosines of given passages, in their order; null where there is no vector. */
  cosines(shelf: Shelf, query: VectorQuery, passages: readonly number[]): Promise<(number | null)[]>;
  /** How much of a question's wordpieces each passage has, or has near ones of, in their order; 0 without wordpieces. */
  wordpieceScores(shelf: Shelf, query: WordpieceQuery, passages: readonly number[]): Promise<number[]>;
  /** Of the newest passages, those that have most of the wordpieces or near ones. */
  nearestByWordpieces(shelf: Shelf, query: WordpieceQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  passages(shelf: Shelf, passages: readonly number[]): Promise<StoredPassage[]>;
  neighbours(shelf: Shelf, passages: readonly number[]): Promise<Neighbours[]>;
  /** Which of these names somebody on this shelf speaks under, in whichever case, once each. */
  speakers(shelf: Shelf, names: readonly string[]): Promise<string[]>;
  /** Every decision that has not expired, without what it says. */
  decisionOutlines(now: number): Promise<DecisionOutline[]>;
  /** Ids of the decisions that name this one as related. */
  decisionsRelatingTo(id: string): Promise<string[]>;
  /** What decisions are about that rest on evidence. No decision is read. */
  subjectsOfEvidence(): Promise<string[]>;
  /** The evidence on which decisions about these subjects rest, each by its first passage, the newest first. */
  evidenceAbout(subjects: readonly string[], filter: Filter, limit: number): Promise<Ranked[]>;
  /** In how many passages each stemmed word occurs, and how many passages there are. */
  wordStatistics(shelf: Shelf, stems: readonly string[]): Promise<{ total: number; frequency: Map<string, number> }>;

  /** When this embedder was last said to be in use, or null when it is not adopted. */
  embedderUsedAt(embedder: string): Promise<number | null>;
  /** Of some shelves where they are named: then no other is looked at. */
  waiting(query: {
    embedder: string;
    limit: number;
    now: number;
    shelves?: readonly Shelf[] | undefined;
  }): Promise<WaitingPassage[]>;
  waitingCount(embedder: string, shelves?: readonly Shelf[]): Promise<number>;
  cachedVectors(embedder: string, hashes: readonly string[]): Promise<Map<string, QuantisedVector>>;

  /** Questions for which these items were shown or read. */
  queriesFor(ids: readonly string[]): Promise<string[]>;

  /** Changes, newest first. */
  journal(
    query: JournalQuery,
    page: { limit: number; offset: number },
  ): Promise<{ records: ChangeRecord[]; total: number }>;
  /** The calls that changed something, newest first; those made from one project where it is named. */
  latestCalls(limit: number, space?: string): Promise<{ call: string; at: number }[]>;
  /** Entries of the chain in their order, from this number on. */
  chain(from: number, limit: number): Promise<ChainEntry[]>;
  chainHead(): Promise<ChainHead>;
  /** Items with everything that hangs on them. */
  whole(shelf: Shelf, ids: readonly string[]): Promise<WholeItem[]>;
  /** Items in the order of their ids, those behind `after`. */
  walk(shelf: Shelf, page: { after: string | null; limit: number }): Promise<WholeItem[]>;

  /** Who does this work at this time, if anybody. */
  leaseHolder(name: string, now: number): Promise<string | null>;
  /** Active evidence that was kept before a time, oldest first. */
  agedEvidence(before: number, page: { after: AgedEvidence | null; limit: number }): Promise<AgedEvidence[]>;
  /** Ids of archived evidence, the last first, those behind `after`. No index knows what it says. */
  archivedEvidence(filter: Filter, page: { after: string | null; limit: number }): Promise<string[]>;
  /** How much room archived evidence takes. */
  archivedBytes(ids: readonly string[]): Promise<number>;

  spaces(): Promise<Space[]>;
  report(): Promise<StoreReport>;
  /** Rewrites the file without traces of what was erased; false when others hold it too long. */
  compact(): Promise<boolean>;
  close(): Promise<void>;
}

export interface Embedder {
  /** Names weights, graph and preparation of text. Vectors of different identities never mix. Known without loading. */
  readonly identity: string;
  readonly dimensions: number;
  /** "absent": can never embed (provider none, native runtime missing). */
  state(): "cold" | "loading" | "ready" | "absent";
  /** Starts loading; resolves when ready; rejects with Failure("unavailable") when it cannot be. Idempotent. */
  load(): Promise<void>;
  /** Unit vectors, in the order of the texts. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export interface Tokenizer {
  /** Wordpiece ids of each text, without markers. */
  encode(texts: readonly string[]): Promise<Uint16Array[]>;
}

export interface Clock {
  now(): number;
}

export interface Ids {
  next(): string;
}

export interface Log {
  debug(message: string): void;
  warn(message: string): void;
}

/** Tells a person how far long work has come. */
export interface Progress {
  report(done: number, total: number, what: string): void;
}

/** Work that follows the answer: it delays nobody, and its failure is logged, not thrown. */
export interface Afterwards {
  add(what: string, work: () => Promise<unknown>): void;
  settle(): Promise<void>;
  /** Whether somebody waits for all of it to end, as a process does that is about to: long work then stops halfway. */
  isSettling(): boolean;
}

/** Where the work takes place. */
export interface Place {
  readonly root: string;
  /** The folder whose files are meant: of a worktree its own. */
  readonly checkout: string;
  readonly spaceId: string;
  /** The branch checked out now, read from git's files; null outside git or on a detached head. */
  branch(): string | null;
}

/** The part of the configuration that verbs depend on. */
export interface Settings extends CorpusSettings {
  readonly evidence: { readonly archiveDays: number };
  readonly decisions: {
    /** unattended: where nobody can be asked, a decision is ratified all the same. */
    readonly ratify: "asked" | "unattended";
  };
  readonly working: { readonly ttlSeconds: number; readonly capacity: number };
  readonly recall: {
    readonly recipe: RecipeName;
    readonly vectorWeight: number;
    readonly keywordWeight: number;
    readonly rrfDamping: number;
    /** Default number of hits of a search. */
    readonly limit: number;
    /** Whether hits show what no longer holds. */
    readonly history: "on" | "off";
    readonly rrfEntityWeight: number;
    readonly rrfTemporalWeight: number;
    readonly validityWindowDays: number;
    readonly drainPassages: number;
    readonly modelWaitMs: number;
  };
}

export interface World {
  readonly project: Store;
  readonly global: Store;
  readonly place: Place;
  readonly embedder: Embedder;
  readonly tokenizer: Tokenizer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly progress: Progress;
  readonly afterwards: Afterwards;
  readonly files: Files;
  readonly projectFiles: ProjectFiles;
  /** Null where nobody named a folder of notes. */
  readonly notes: NoteFiles | null;
  readonly parser: Parser;
  readonly patterns: PatternSearch;
  readonly backups: Backups;
  readonly otherSpaces: OtherSpaces;
  readonly settings: Settings;
  readonly origin: Origin;
}
