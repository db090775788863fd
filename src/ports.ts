/**
 * Ports: what the engine needs from the world.
 *
 * Everything is asynchronous, so that a networked store fits as well as a file. A port is
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
  /** Entries of the access log, by kind. */
  accesses: Record<AccessKind, number>;
}

export interface WaitingPassage extends QueuedPassage {
  /** The text to embed: the title followed by the passage. */
  text: string;
}

/** Selects changes of the journal. An absent field means no restriction. */
export interface JournalQuery {
  itemIds?: readonly string[];
  calls?: readonly string[];
  verb?: string;
  shelf?: Shelf;
  after?: number;
  before?: number;
  /** No entry after this number. */
  through?: number;
}

/** An item with everything that belongs to it, ready for another store. */
export interface WholeItem {
  item: Item;
  passages: Passage[];
  embed: boolean;
}

/** Selects edges of an item. An absent field means no restriction. */
export interface EdgeQuery {
  statuses?: readonly EdgeStatus[];
  /** Only edges whose other end has one of these statuses. */
  neighbours?: readonly Status[];
  /** Per requested item. */
  limit: number;
}

/** Evidence that may be old enough to archive. */
export interface AgedEvidence extends Pick<Item, "id" | "updatedAt"> {
  /** The length of its text. */
  bytes: number;
}

export interface ApplyOptions {
  /** Checks and counts everything, then rolls it back. */
  rehearse?: boolean;
  /** Gives up at once when another process holds the file: for work that can be done later. */
  impatient?: boolean;
}

export interface Store extends CorpusReads, IdReads {
  readonly readOnly: boolean;

  /** The only writer. All or nothing. */
  apply(changes: readonly Change[], origin: Origin, options?: ApplyOptions): Promise<Applied>;

  items(shelf: Shelf, ids: readonly string[]): Promise<Item[]>;
  /** Only the fields a ranking uses; also for items that can no longer be read completely. */
  outlines(shelf: Shelf, ids: readonly string[]): Promise<Outline[]>;
  /** The active or pending item with this content, if any, even when expired; for evidence also the archived one. */
  sameContent(shelf: Shelf, scope: Scope, hash: string): Promise<Item | null>;
  /** The active file at this path. */
  fileAt(shelf: Shelf, path: string): Promise<Item | null>;
  list(
    shelf: Shelf,
    filter: Filter,
    page: { limit: number; offset: number },
  ): Promise<{ items: Item[]; total: number }>;
  /** The predecessors of these items, nearest first: what they replaced, what those replaced, and so on. */
  replacedBy(shelf: Shelf, ids: readonly string[]): Promise<Item[]>;
  /** Items to remove before one more fits: expired ones, then the session's least recently used. */
  leaving(shelf: Shelf, room: { session: string; capacity: number; now: number }): Promise<string[]>;
  /** Expired working items, the longest expired first. */
  expired(shelf: Shelf, now: number): Promise<string[]>;

  /** Edges that begin or end at these items, strongest first. */
  edgesOf(shelf: EdgeShelf, ids: readonly string[], query: EdgeQuery): Promise<Edge[]>;
  /** By their own ids. */
  edges(shelf: EdgeShelf, ids: readonly string[]): Promise<Edge[]>;
  /** Edges ordered by id, those after `after`. */
  walkEdges(shelf: EdgeShelf, page: { after: string | null; limit: number }): Promise<Edge[]>;

  /** The shelves that hold anything: one read here saves searching the empty ones. */
  filledShelves(): Promise<Shelf[]>;
  keyword(shelf: Shelf, query: KeywordQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  substring(shelf: Shelf, text: string, filter: Filter, limit: number): Promise<Ranked[]>;
  nearest(shelf: Shelf, query: VectorQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  /** Cosines of the given passages, in their order; null for one without a vector. */
  cosines(shelf: Shelf, query: VectorQuery, passages: readonly number[]): Promise<(number | null)[]>;
  /** How well each passage covers the question's wordpieces, similar ones included, in their order; 0 if it has none. */
  wordpieceScores(shelf: Shelf, query: WordpieceQuery, passages: readonly number[]): Promise<number[]>;
  /** Among the newest passages, those that cover the wordpieces best. */
  nearestByWordpieces(shelf: Shelf, query: WordpieceQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  passages(shelf: Shelf, passages: readonly number[]): Promise<StoredPassage[]>;
  neighbours(shelf: Shelf, passages: readonly number[]): Promise<Neighbours[]>;
  /** Which of these names are speakers on this shelf, ignoring case, each once. */
  speakers(shelf: Shelf, names: readonly string[]): Promise<string[]>;
  /** Every decision that has not expired, without its text. */
  decisionOutlines(now: number): Promise<DecisionOutline[]>;
  /** Ids of the decisions that list this one as related. */
  decisionsRelatingTo(id: string): Promise<string[]>;
  /** The subjects of decisions that rest on evidence. Reads no decision. */
  subjectsOfEvidence(): Promise<string[]>;
  /** The evidence behind decisions about these subjects, each as its first passage, newest first. */
  evidenceAbout(subjects: readonly string[], filter: Filter, limit: number): Promise<Ranked[]>;
  /** The number of passages each stemmed word occurs in, and the number of all passages. */
  wordStatistics(shelf: Shelf, stems: readonly string[]): Promise<{ total: number; frequency: Map<string, number> }>;

  /** When this embedder was last recorded as in use, or null when it was never adopted. */
  embedderUsedAt(embedder: string): Promise<number | null>;
  /** Pending passages; only those of `shelves` when given. */
  waiting(query: {
    embedder: string;
    limit: number;
    now: number;
    shelves?: readonly Shelf[] | undefined;
  }): Promise<WaitingPassage[]>;
  waitingCount(embedder: string, shelves?: readonly Shelf[]): Promise<number>;
  cachedVectors(embedder: string, hashes: readonly string[]): Promise<Map<string, QuantisedVector>>;

  /** Queries that led to these items being shown or read. */
  queriesFor(ids: readonly string[]): Promise<string[]>;

  /** Changes, newest first. */
  journal(
    query: JournalQuery,
    page: { limit: number; offset: number },
  ): Promise<{ records: ChangeRecord[]; total: number }>;
  /** The calls that changed something, newest first; only those from `space` when given. */
  latestCalls(limit: number, space?: string): Promise<{ call: string; at: number }[]>;
  /** Entries of the chain in order, from this number on. */
  chain(from: number, limit: number): Promise<ChainEntry[]>;
  chainHead(): Promise<ChainHead>;
  /** Items with everything that belongs to them. */
  whole(shelf: Shelf, ids: readonly string[]): Promise<WholeItem[]>;
  /** Items ordered by id, those after `after`. */
  walk(shelf: Shelf, page: { after: string | null; limit: number }): Promise<WholeItem[]>;

  /** The current holder of this lease, if any. */
  leaseHolder(name: string, now: number): Promise<string | null>;
  /** Active evidence last kept before this time, oldest first. */
  agedEvidence(before: number, page: { after: AgedEvidence | null; limit: number }): Promise<AgedEvidence[]>;
  /** Ids of archived evidence, newest first, those after `after`. Its text is in no index. */
  archivedEvidence(filter: Filter, page: { after: string | null; limit: number }): Promise<string[]>;
  /** The size of archived evidence. */
  archivedBytes(ids: readonly string[]): Promise<number>;

  spaces(): Promise<Space[]>;
  report(): Promise<StoreReport>;
  /** Rewrites the file without traces of erased data; false when other processes hold it too long. */
  compact(): Promise<boolean>;
  close(): Promise<void>;
}

export interface Embedder {
  /**
   * Identifies weights, graph and text preparation. Vectors of different identities never mix. Known before loading.
   */
  readonly identity: string;
  readonly dimensions: number;
  /** "absent": can never embed (provider none, native runtime missing). */
  state(): "cold" | "loading" | "ready" | "absent";
  /** Starts loading; resolves when ready; rejects with Failure("unavailable") when loading fails. Idempotent. */
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

/** Shows a person the progress of long work. */
export interface Progress {
  report(done: number, total: number, what: string): void;
}

/** Work done after the answer: it delays nobody, and its failure is logged, not thrown. */
export interface Afterwards {
  add(what: string, work: () => Promise<unknown>): void;
  settle(): Promise<void>;
  /** Whether `settle` is waiting, as before the process exits: long work then stops early. */
  isSettling(): boolean;
}

/** The project being worked on. */
export interface Place {
  readonly root: string;
  /** The folder of the files; in a worktree, the worktree's own. */
  readonly checkout: string;
  readonly spaceId: string;
  /** The branch checked out now, read from git's files; null outside git or on a detached head. */
  branch(): string | null;
}

/** The part of the configuration that verbs depend on. */
export interface Settings extends CorpusSettings {
  readonly evidence: { readonly archiveDays: number };
  readonly decisions: {
    /** unattended: where nobody can be asked, a decision is ratified anyway. */
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
    /** Whether hits show what they replaced. */
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
  /** Null when no notes folder is set. */
  readonly notes: NoteFiles | null;
  readonly parser: Parser;
  readonly patterns: PatternSearch;
  readonly backups: Backups;
  readonly otherSpaces: OtherSpaces;
  readonly settings: Settings;
  readonly origin: Origin;
}
