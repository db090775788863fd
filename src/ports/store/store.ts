/**
 * The store: one writer, and reads in parts.
 *
 * Each part is an interface of its own with its own part of the conformance suite, so that an
 * engine can be built part by part and a function asks for no more than it reads.
 */
import type { AccessKind, Applied, Change, Origin } from "../../model/journal/change.ts";
import type { Scope, Status } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { CaptureReads } from "./capture.ts";
import type { CareReads } from "./care.ts";
import type { ContextReads } from "./context.ts";
import type { CorpusReads } from "./corpus.ts";
import type { DecisionReads } from "./decisions.ts";
import type { EdgeReads } from "./edges.ts";
import type { ItemReads } from "./items.ts";
import type { JournalReads } from "./journal.ts";
import type { LeaseReads } from "./leases.ts";
import type { LedgerReads } from "./ledger.ts";
import type { QueueReads } from "./queue.ts";
import type { SearchReads } from "./search.ts";
import type { SessionReads } from "./sessions.ts";
import type { SpaceReads } from "./spaces.ts";

export interface ApplyOptions {
  /** Checks and counts everything, then rolls it back. */
  dryRun?: boolean;
  /** Gives up at once when another process holds the file: for work that can be done later. */
  impatient?: boolean;
}

/** In words, with a next step. */
export interface Refusal {
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
