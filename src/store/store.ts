/**
 * The store: one writer, and reads in parts.
 *
 * Each part is an interface of its own with its own part of the conformance suite, so that an
 * engine can be built part by part and a function asks for no more than it reads.
 */
import type { KeptSurface, SurfaceRun } from "../briefing/surface-lines.ts";
import type { ConventionCounts, FileState, LastLook } from "../files/corpus.ts";
import type { Edge, EdgeShelf, EdgeStatus, InDegrees, Relation } from "../graph/edges.ts";
import type { AccessKind, Applied, Change, Origin, QuantisedVector, QueuedPassage } from "../journal/change.ts";
import type { ChainEntry, ChainHead, ChangeRecord } from "../journal/journal.ts";
import type { AgingMemory, ClockMarks, StoreStatistics } from "../maintenance/figures.ts";
import type { Item, Scope, Status } from "../memory/item.ts";
import type { NearPair } from "../memory/near-pair.ts";
import type { Passage, Shelf, StoredPassage } from "../memory/shelves.ts";
import type { Space } from "../memory/space.ts";
import type {
  DecisionOutline,
  FileQuery,
  Filter,
  FoundSymbol,
  FoundTogether,
  KeywordQuery,
  Linked,
  Neighbours,
  Outline,
  Ranked,
  Reference,
  SymbolQuery,
  VectorQuery,
  WordpieceOverlap,
  WordpieceQuery,
} from "../recall/search.ts";
import type { UsageSum } from "../remote/provider.ts";
import type { Handover, MetError, NoteVerdict, ReadSession, RecurringError } from "../sessions/card.ts";
import type { Checkpoint, RecordKind, SessionOutline, SessionRecord, SessionTrace } from "../sessions/session.ts";

// Reads what is noted of sessions, and how far their transcripts have been read.

/** Selects events. An absent field means no restriction. */
export interface EventQuery {
  ids?: readonly string[];
  session?: string;
  kinds?: readonly RecordKind[];
  /** Only events at or after this time. */
  since?: number;
  /** Only events before this time. */
  before?: number;
}

export interface CaptureCounts {
  events: number;
  checkpoints: number;
  /** Null if there is no event. */
  lastEventAt: number | null;
}

export interface EvidenceSize {
  items: number;
  /** As stored: archived evidence is compressed. */
  bytes: number;
}

export interface CaptureReads {
  /** The sessions of the last events, changes and memories, each bounded; what was extracted later is no trace. */
  sessionTraces(): Promise<SessionTrace[]>;
  /** Sessions that left something before this time, the last first; of each kind of trace only the latest are looked at. */
  sessionOutlines(page: { before: number; limit: number }): Promise<SessionOutline[]>;
  /** Which of these events are noted already. */
  knownEvents(ids: readonly string[]): Promise<Set<string>>;
  /** Newest first. */
  events(query: EventQuery & { limit: number }): Promise<SessionRecord[]>;
  /** All events, by id. */
  walkEvents(page: { after: string; limit: number }): Promise<SessionRecord[]>;
  /** All checkpoints, by transcript. */
  walkCheckpoints(page: { after: string; limit: number }): Promise<Checkpoint[]>;
  eventCount(query: EventQuery): Promise<number>;
  checkpoint(transcript: string): Promise<Checkpoint | null>;
  /** The transcripts of open checkpoints that were last saved before this time, oldest first. */
  openCheckpoints(before: number, limit: number): Promise<string[]>;
  captureCounts(): Promise<CaptureCounts>;
  /** Evidence that was added at or after this time, active or archived. */
  evidenceSize(since: number): Promise<EvidenceSize>;
  /** Whether all evidence takes fewer bytes than this. It is counted only if nothing cheaper tells. */
  isEvidenceBelow(bytes: number): Promise<boolean>;
  /** The sessions in which these items were written, as far as this store knows. */
  sessionsOf(ids: readonly string[]): Promise<string[]>;
}

// Reads what maintenance and `inspect` need: memories as they age, old records, statistics and sizes.

/** So many rows are looked at, whatever their number of results, so that no page takes long. */
interface RowPage {
  /** The row number to begin after; 0 for the first page. */
  after: number;
  rows: number;
}

/** A previous state in the journal, as it is stored. */
interface KeptState {
  seq: number;
  shelf: Shelf;
  itemId: string;
  payload: string;
}

export interface CareReads {
  /**
   * Lasting memories that are active, archived or pruned, not pinned, and were last changed before this time. `next` is
   * where the next page begins, or null.
   */
  aging(before: number, page: RowPage): Promise<{ memories: AgingMemory[]; next: number | null }>;
  /** Numbers of entries of the access log from before this time, oldest first. */
  agedAccesses(before: number, page: { after: number; limit: number }): Promise<number[]>;
  /** Numbers of journal entries from before this time whose previous state is kept; without decisions and proposals. */
  agedPayloads(before: number, page: { after: number; limit: number }): Promise<number[]>;
  /** Ages are those at `now`. Tags and texts are only of memories that the project `visibleIn` sees, if it is given. */
  statistics(now: number, visibleIn?: string): Promise<StoreStatistics>;
  /** The rules by which everything here was last redacted; null if unknown. */
  redactedBy(): Promise<string | null>;
  /** Previous states in the journal, in order. */
  keptStates(page: { after: number; limit: number }): Promise<KeptState[]>;
  /** Questions in the access log, in order, each with its number. */
  keptQuestions(page: { after: number; limit: number }): Promise<{ seq: number; query: string }[]>;
  /** The times that maintenance noted. */
  clockMarks(): Promise<ClockMarks>;
  /** The size of the file, and how much of it is free. */
  size(): Promise<{ bytes: number; freeBytes: number }>;
}

// Reads what sessions are handed: candidates for the surface, the surface as it was last made, and what was injected.

/** Selects memories that may be worth a line of the surface: a bounded number, however many there are. */
interface SurfaceQuery {
  now: number;
  types: readonly string[];
  /** The project that looks; see `Filter`. */
  visibleIn?: string | undefined;
  /** How many of each type, those worth the most first. */
  ofEachType: number;
  newest: number;
  /** How many of the most linked ones, and of those read most often. */
  notable: number;
}

interface SurfaceCandidates {
  /** Active, lasting memories that hold now, each once. */
  ids: string[];
  /** Those that were written last, newest first; among the others too. */
  newest: string[];
  /** Of any active memory. */
  mostAccesses: number;
}

export interface ContextReads {
  surfaceCandidates(query: SurfaceQuery): Promise<SurfaceCandidates>;
  /** As it was last made for this branch, fresh or not. */
  keptSurface(branch: string): Promise<KeptSurface | null>;
  /** Of all branches. */
  keptSurfaces(): Promise<Pick<KeptSurface, "branch" | "text">[]>;
  /** Newest first. */
  surfaceRuns(limit: number): Promise<SurfaceRun[]>;
  /** Ids and hashes of what this session has been given. */
  injectedIn(session: string): Promise<Set<string>>;
  /** The same with the time, earliest first. */
  injections(session: string): Promise<{ key: string; at: number }[]>;
}

/** Reads data about files that their items do not contain: state, definitions and references. */
type WrittenFile = Pick<FileState, "path" | "modifiedAt">;

export interface CorpusReads {
  /** By path; all files when omitted. */
  fileStates(which?: FileQuery): Promise<FileState[]>;
  /** The last check of the whole project; null before the first indexing. */
  lastLook(): Promise<LastLook | null>;
  /** Definitions in active files. */
  symbols(query: SymbolQuery, limit: number): Promise<FoundSymbol[]>;
  /** All definitions of these files, ordered by line. */
  symbolsOf(itemIds: readonly string[]): Promise<FoundSymbol[]>;
  /** How code is named, over so many of the files that were indexed last; all of their paths. */
  conventionCounts(files: number): Promise<ConventionCounts>;
  /** Indexed files that were written after this time, the latest first, and how many there are. */
  filesWrittenAfter(time: number, limit: number): Promise<{ files: WrittenFile[]; total: number }>;
  /** The references of every active document. */
  references(): Promise<Reference[]>;
  /** The number of document changes, if some are not in the ranks yet; else null. */
  unranked(): Promise<number | null>;
  /** Active documents that refer to this path. */
  linkedTo(path: string): Promise<Linked[]>;
  /** Paths of the documents that this one refers to. */
  linksFrom(itemId: string): Promise<string[]>;
  /** Active documents that questions found together with this one, most often first. */
  foundTogetherWith(itemId: string, limit: number): Promise<FoundTogether[]>;
}

// Reads decisions without their text, the evidence behind them, and old or archived evidence.

/** Evidence that may be old enough to archive. */
export interface AgedEvidence extends Pick<Item, "id" | "updatedAt"> {
  /** The length of its text. */
  bytes: number;
}

export interface DecisionReads {
  /** Every decision that has not expired, without its text. */
  decisionOutlines(now: number): Promise<DecisionOutline[]>;
  /** Ids of the decisions that list this one as related. */
  decisionsRelatingTo(id: string): Promise<string[]>;
  /** The subjects of decisions that rest on evidence. Reads no decision. */
  subjectsOfEvidence(): Promise<string[]>;
  /** The evidence behind decisions about these subjects, each as its first passage, newest first. */
  evidenceAbout(subjects: readonly string[], filter: Filter, limit: number): Promise<Ranked[]>;
  /** Active evidence last kept before this time, oldest first. */
  agedEvidence(before: number, page: { after: AgedEvidence | null; limit: number }): Promise<AgedEvidence[]>;
  /** Ids of archived evidence after `after`, newest first. Its text is not indexed. */
  archivedEvidence(filter: Filter, page: { after: string | null; limit: number }): Promise<string[]>;
  /** The size of archived evidence. */
  archivedBytes(ids: readonly string[]): Promise<number>;
}

// Reads edges: relations between items.

/** Selects edges of an item. An absent field means no restriction. */
export interface EdgeQuery {
  statuses?: readonly EdgeStatus[];
  relations?: readonly Relation[];
  minimumStrength?: number;
  /** Only made edges, or only stated ones. */
  made?: boolean;
  /** From these items or to them; edges that hold in both directions are both. */
  direction?: "outgoing" | "incoming";
  /** Only edges whose other end has one of these statuses. */
  neighbours?: readonly Status[];
  /** Per requested item. */
  limit: number;
}

export interface EdgeReads {
  /** Edges that begin or end at these items, strongest first. */
  edgesOf(shelf: EdgeShelf, ids: readonly string[], query: EdgeQuery): Promise<Edge[]>;
  /** By their own ids. */
  edges(shelf: EdgeShelf, ids: readonly string[]): Promise<Edge[]>;
  /** Those of this status between two active items, the last made first. */
  newestEdges(shelf: EdgeShelf, status: EdgeStatus, limit: number): Promise<Edge[]>;
  /** Stated edges after `after`, ordered by id. */
  walkEdges(shelf: EdgeShelf, page: { after: string | null; limit: number }): Promise<Edge[]>;
  /**
   * From how many active, lasting memories active, stated edges lead to each of these, and to the one with the most. What
   * leads to a memory that was replaced leads to its successor too; each source counts once.
   */
  inDegrees(ids: readonly string[]): Promise<InDegrees>;
  /** What these items are near, whichever is the older one. */
  nearPairs(ids: readonly string[]): Promise<NearPair[]>;
  /** The next memories to link, or null if all are linked; after the store's mark, unless another is given. */
  unlinked(limit: number, after?: number): Promise<Unlinked | null>;
  /** Those of these memories that are to be linked after this mark. */
  unlinkedAmong(ids: readonly string[], after: number): Promise<string[]>;
}

/** Memories whose text is new since the linker's last turn: a stretch of passages, in the order of writing. */
export interface Unlinked {
  /** Everything up to this passage is linked. */
  after: number;
  /** The last passage of the stretch. */
  upTo: number;
  /** A memory that continues after the stretch belongs to a later one. */
  ids: string[];
}

// Reads items: by id, content or id prefix, in lists, and with everything that belongs to them.

/** An item with everything that belongs to it, ready for another store. */
export interface WholeItem {
  item: Item;
  passages: Passage[];
  embed: boolean;
}

export interface ListedPage {
  limit: number;
  offset: number;
  /** The highest total that matters: one that is reached means so many or more. */
  countMost?: number | undefined;
}

export interface ItemReads {
  items(shelf: Shelf, ids: readonly string[]): Promise<Item[]>;
  /** Only the fields a ranking uses; also for items that can no longer be read completely. */
  outlines(shelf: Shelf, ids: readonly string[]): Promise<Outline[]>;
  /** The active or pending item with this content, if any, even when expired; for evidence also the archived one. */
  sameContent(shelf: Shelf, scope: Scope, hash: string): Promise<Item | null>;
  /** The active file at this path. */
  fileAt(shelf: Shelf, path: string): Promise<Item | null>;
  /** Newest first. Counting all that pass takes as long as there are many; it stops at `countMost`, if given. */
  list(shelf: Shelf, filter: Filter, page: ListedPage): Promise<{ items: Item[]; total: number }>;
  /** Among the last `rows` items of the shelf, those that pass the filter, newest first: its cost does not grow. */
  newest(shelf: Shelf, filter: Filter, page: { limit: number; rows: number }): Promise<Item[]>;
  /** The predecessors of these items, nearest first: what they replaced, what those replaced, and so on. */
  replacedBy(shelf: Shelf, ids: readonly string[]): Promise<Item[]>;
  /** For each of these items the end of the chain of its successors; itself if nothing replaced it. */
  heads(shelf: Shelf, ids: readonly string[]): Promise<Map<string, Pick<Item, "id" | "status">>>;
  /** Items to remove before one more fits: expired ones, then the session's least recently used. */
  leaving(shelf: Shelf, room: { session: string; capacity: number; now: number }): Promise<string[]>;
  /** Expired working items, the longest expired first. */
  expired(shelf: Shelf, now: number): Promise<string[]>;
  /** Items with everything that belongs to them. */
  whole(shelf: Shelf, ids: readonly string[]): Promise<WholeItem[]>;
  /** Items after `after`, ordered by id. */
  walk(shelf: Shelf, page: { after: string | null; limit: number }): Promise<WholeItem[]>;
  /** Ids that start with this text, or whose handle does; without items that have expired by `now`, if given. */
  idsWithPrefix(shelf: Shelf, text: string, query: { now: number | null; limit: number }): Promise<string[]>;
  /** Newest first, expired or not. */
  newestIds(shelf: Shelf, limit: number): Promise<string[]>;
  /** Queries that led to these items being shown or read. */
  queriesFor(ids: readonly string[]): Promise<string[]>;
}

// Reads the journal: changes, the calls that made them, and the hash chain.

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

export interface JournalReads {
  /** Changes, newest first. */
  journal(
    query: JournalQuery,
    page: { limit: number; offset: number },
  ): Promise<{ records: ChangeRecord[]; total: number }>;
  /** The calls that changed something, newest first; only those from `space` when given. */
  latestCalls(limit: number, space?: string): Promise<{ call: string; at: number }[]>;
  /** The number of calls of a verb that changed something after the last call of another verb did. */
  callsSince(verb: string, last: string): Promise<number>;
  /** Entries of the chain in order, from this number on. */
  chain(from: number, limit: number): Promise<ChainEntry[]>;
  chainHead(): Promise<ChainHead>;
  /** Calls that start with this text, or whose handle does; only those made from one project, if given. */
  callsWithPrefix(text: string, query: { space?: string | undefined; limit: number }): Promise<string[]>;
  /** The same for every id in the journal, including those of removed items. */
  journaledIds(text: string, limit: number): Promise<string[]>;
}

/** Leases ensure that only one process at a time does a piece of work. */
export interface LeaseReads {
  /**
   * The current holder of this lease, if any. One that ends more than a minute later than a lease taken now, which
   * would last `lastsMs`, was taken while the clock was ahead; nobody holds it.
   */
  leaseHolder(name: string, now: number, lastsMs: number): Promise<string | null>;
}

/** Reads the ledger of remote providers. Only the global store has it, because caps hold in all projects. */
export interface LedgerReads {
  /** By provider, model and purpose. */
  usage(since: number): Promise<UsageSum[]>;
}

/** Reads the queues of passages pending embedding, one queue per embedder. */
export interface WaitingPassage extends QueuedPassage {
  /** The text to embed: the title followed by the passage. */
  text: string;
}

export interface QueueReads {
  /** When this embedder was last recorded as in use, or null when it was never adopted. */
  embedderUsedAt(embedder: string): Promise<number | null>;
  /** Pending passages; only those of `shelves` when given. */
  waiting(query: {
    embedder: string;
    limit: number;
    now: number;
    /** How long a lease lasts; one that ends more than a minute later than a lease taken now is ignored. */
    leaseMs?: number;
    shelves?: readonly Shelf[] | undefined;
  }): Promise<WaitingPassage[]>;
  waitingCount(embedder: string, shelves?: readonly Shelf[]): Promise<number>;
  cachedVectors(embedder: string, hashes: readonly string[]): Promise<Map<string, QuantisedVector>>;
}

/** Searches by words, substrings, vectors and wordpieces, and reads the passages found. */
export interface PassageOfItem {
  passage: number;
  itemId: string;
}

export interface PassagePage {
  /** Only passages below this number. */
  before: number | null;
  limit: number;
  /** Only the first passage of each item. */
  isFirst: boolean;
}

export interface SearchReads {
  /** The shelves that hold anything: one read here saves searching the empty ones. */
  filledShelves(): Promise<Shelf[]>;
  keyword(shelf: Shelf, query: KeywordQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  substring(shelf: Shelf, text: string, filter: Filter, limit: number): Promise<Ranked[]>;
  nearest(shelf: Shelf, query: VectorQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  /** Cosines of the given passages, in their order; null for one without a vector. */
  cosines(shelf: Shelf, query: VectorQuery, passages: readonly number[]): Promise<(number | null)[]>;
  /** How well each passage covers the question's wordpieces, similar ones included, in order; 0 if it has none. */
  wordpieceScores(shelf: Shelf, query: WordpieceQuery, passages: readonly number[]): Promise<number[]>;
  /** Among the newest passages, those that cover the wordpieces best. */
  nearestByWordpieces(shelf: Shelf, query: WordpieceQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  /**
   * How well the wordpieces of a text are covered by each of the others, and theirs by it, similar ones included, from 0
   * to 1. Every piece counts the same.
   */
  wordpieceOverlap(pieces: readonly number[], others: readonly (readonly number[])[]): Promise<WordpieceOverlap[]>;
  passages(shelf: Shelf, passages: readonly number[]): Promise<StoredPassage[]>;
  /** Passages of items that pass the filter, last written first. */
  newestPassages(shelf: Shelf, filter: Filter, page: PassagePage): Promise<PassageOfItem[]>;
  /** The first passage of each of these items. */
  firstPassages(shelf: Shelf, ids: readonly string[]): Promise<PassageOfItem[]>;
  /** The vectors of these passages, in their order, as exactly as they are stored; null for one without. */
  passageVectors(shelf: Shelf, embedder: string, passages: readonly number[]): Promise<(Float32Array | null)[]>;
  neighbours(shelf: Shelf, passages: readonly number[]): Promise<Neighbours[]>;
  /** Which of these names are speakers on this shelf, ignoring case, each once. */
  speakers(shelf: Shelf, names: readonly string[]): Promise<string[]>;
  /** The number of passages each stemmed word occurs in, and the number of all passages. */
  wordStatistics(shelf: Shelf, stems: readonly string[]): Promise<{ total: number; frequency: Map<string, number> }>;
}

/** Reads what was made of sessions: cards, notes, the errors they met, verdicts on notes, and what they were handed. */
interface SessionQuery {
  /** Only sessions that were on this branch. */
  branch?: string;
  sessions?: readonly string[];
  /** Only sessions with a note whose id begins so. */
  note?: string;
  limit: number;
}

export interface SessionReads {
  /** Ids of the captured evidence of a session, in the order in which it was said. */
  evidenceOf(session: string): Promise<string[]>;
  /** The last to end first. */
  sessionCards(query: SessionQuery): Promise<ReadSession[]>;
  /** Sessions whose card was not made of all their evidence by these rules. */
  staleSessions(rules: number, limit: number): Promise<string[]>;
  /** What other sessions did about an error, the latest first. */
  errorsMet(key: string, limit: number): Promise<MetError[]>;
  /** Errors of at least so many sessions on so many days. */
  recurringErrors(least: { sessions: number; days: number }, limit: number): Promise<RecurringError[]>;
  /**
   * Active memories that an earlier version captured by rules of its own, with the evidence that they were taken from, and
   * that nobody opened, changed, pinned or linked since. Imports from other tools name no evidence.
   */
  unusedCaptured(limit: number): Promise<string[]>;
  noteVerdicts(notes: readonly string[]): Promise<NoteVerdict[]>;
  /** The latest first. */
  handovers(query: { session?: string; since?: number; limit: number }): Promise<Handover[]>;
}

/** The registry of spaces: which project has which memory. */
export interface SpaceReads {
  spaces(): Promise<Space[]>;
}

export interface ApplyOptions {
  /** Checks and counts everything, then rolls it back. */
  dryRun?: boolean;
  /** Gives up at once when another process holds the file: for work that can be done later. */
  impatient?: boolean;
}

/** In words, with a next step. */
interface Refusal {
  message: string;
  hint: string;
}

export interface Writes {
  /** Whether nothing can be written. Of a shared project, what is on this machine counts: files and working memories. */
  readonly readOnly: boolean;

  /** Why the person's role allows no changes, or none of a shelf, null if it does. Only a store on a server has roles. */
  refusal?(shelf?: Shelf): Promise<Refusal | null>;

  /** Why the file is no longer the one that was opened, or no longer understood; null if it is. Cheap enough for every call. */
  fault(): string | null;

  /** The only writer. All or nothing. */
  apply(changes: readonly Change[], origin: Origin, options?: ApplyOptions): Promise<Applied>;
}

type Reads = ItemReads &
  EdgeReads &
  SearchReads &
  QueueReads &
  JournalReads &
  DecisionReads &
  CorpusReads &
  LeaseReads &
  SpaceReads &
  CareReads &
  CaptureReads &
  LedgerReads &
  SessionReads &
  ContextReads;

export interface Store extends Writes, Reads {
  /** The stores that it joins, each with a journal of its own; itself alone when omitted. `decorated.ts` wraps them too. */
  readonly parts?: readonly Store[];
  report(): Promise<StoreReport>;
  /** Other processes wait with their writes until the work is done, for a few seconds at most. */
  goFirst<T>(work: () => Promise<T>): Promise<T>;
  /** Rewrites the file without traces of erased data; false when other processes hold it too long. */
  compact(): Promise<boolean>;
  close(): Promise<void>;
}

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

/**
 * A store with some methods replaced.
 *
 * The parts of a joined store are decorated as well, because a rollback writes to them directly. Whatever is not replaced
 * is looked up when it is needed: a store may become read-only, and one on a server knows its methods only then.
 */
export function decorated(store: Store, replace: (store: Store) => Partial<Store>): Store {
  const parts = store.parts?.map((part) => decorated(part, replace));
  const replaced: Partial<Store> = { ...replace(store), ...(parts && { parts }) };
  return new Proxy(store, { get: (target, name) => Reflect.get(name in replaced ? replaced : target, name) });
}
