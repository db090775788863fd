/**
 * Change: every write, as a value.
 *
 * Planners return changes; the store applies them in one transaction or not at all. Each change says what it expects to
 * find, so that two processes cannot overwrite each other. The union is closed: a store that misses a case does not
 * compile.
 */
import type { KeptSurface, SurfaceRun } from "../briefing/surface-lines.ts";
import type { CodeSymbol, FileState, LastLook } from "../files/corpus.ts";
import type { Edge, EdgeShelf } from "../graph/edges.ts";
import type { ClockMarks } from "../maintenance/figures.ts";
import type { Item, Revision } from "../memory/item.ts";
import type { NearPair } from "../memory/near-pair.ts";
import type { Passage, Shelf } from "../memory/shelves.ts";
import type { Space } from "../memory/space.ts";
import type { Usage, UsageCaps } from "../remote/provider.ts";
import type { Handover, KeptSession, NoteVerdict } from "../sessions/card.ts";
import type { Checkpoint, SessionRecord } from "../sessions/session.ts";
import type { ChainEntry } from "./journal.ts";

export interface QuantisedVector {
  values: Int8Array;
  scale: number;
}

export interface QueuedPassage {
  shelf: Shelf;
  passage: number;
}

/** An item without its secrets. */
export interface RedactedItem {
  id: string;
  /** Null if only the journal knows the item. */
  expectedVersion: number | null;
  /** Null removes it; without it the row stays, and only its earlier states are redacted. */
  after?: { item: Item; passages: Passage[]; embed: boolean } | null;
}

export const ACCESS_KINDS = ["get", "search", "shown"] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

interface Touch {
  id: string;
  /** "get" and "search" count as access; "shown", for a duplicate, only updates the time. */
  how: AccessKind;
  relevance: number | null;
}

export type Change =
  /** Expects the id to be free, and no second item where content or path must be unique. */
  | { kind: "insert_item"; shelf: Shelf; item: Item; passages: Passage[]; embed: boolean }
  /**
   * Expects exactly this version, and if given its update time: a version number may recur after a rollback. As for an
   * inserted item, its successors must not lead back to it.
   */
  | {
      kind: "revise_item";
      shelf: Shelf;
      id: string;
      expectedVersion: number;
      expectedUpdatedAt?: number;
      /** Expects that its new successor is active once the transaction is complete. */
      expectsSuccessor?: true;
      /** The new version; expected version plus one if omitted. */
      version?: number;
      set: Revision;
      /** Null keeps the existing ones. */
      passages: Passage[] | null;
      embed: boolean;
    }
  | { kind: "remove_item"; shelf: Shelf; id: string; expectedVersion: number; expectedUpdatedAt?: number }
  /** Expects both ends on its shelf of this store, no equal relation between them yet, and no replacement in reverse. */
  | { kind: "insert_edge"; edge: Edge }
  /** Expects that it exists. Edges of a removed item are removed with it, on record, and need no change. */
  | { kind: "remove_edge"; shelf: EdgeShelf; id: string }
  /**
   * Expects that memories are linked up to `after`, so that none is linked twice. Removes made edges by their ids and
   * adds others, except where an end is gone. Never journaled: they can be made again from the texts.
   */
  | { kind: "link_memories"; after: number; upTo: number; removed: string[]; made: Edge[] }
  /** Expects nothing: what this item was found near is replaced. Never journaled: it follows from the texts. */
  | { kind: "note_near"; id: string; pairs: NearPair[] }
  /**
   * Expects nothing: everything left of these ids and queries is erased, wherever it is kept, and with it what was
   * captured in the sessions that the items come from. `sessions` are those that another store knows of.
   */
  | { kind: "purge_items"; ids: string[]; queries: string[]; sessions?: string[] }
  /**
   * Expects exactly these versions. Each item is replaced by its redacted form; a file's item is removed instead, so that
   * the file is read again. Earlier states in the journal that hold a secret are erased, with the vectors of all texts
   * and every kept surface.
   */
  | { kind: "redact_items"; shelf: Shelf; items: RedactedItem[] }
  /** Expects nothing: of an event that is gone, nothing is left to redact. Never journaled. */
  | { kind: "redact_events"; events: Pick<SessionRecord, "id" | "payload">[] }
  /** Expects nothing: every kept surface is dropped, with the runs for these branches and these hand-overs. */
  | { kind: "drop_surfaces"; branches: string[]; handovers: string[] }
  /** Expects nothing. Everything in the store has been redacted by these rules. */
  | { kind: "note_redaction"; rules: string }
  /** Expects nothing: a row removed in the meantime needs no touch. */
  | {
      kind: "touch_items";
      shelf: Shelf;
      touches: Touch[];
      query: string | null;
      at: number;
      /** What the query found besides. It does not count as read and is left as it is; erasing it erases the query too. */
      besides?: { id: string; relevance: number }[];
      /** Multiplies the confidence, up to 1; only for shelves without a journal, which does not record touches. */
      boost?: number;
    }
  /**
   * Expects nothing: working items already gone need no eviction. With `expiredAt`, only items that had expired by then
   * are removed, from every table.
   */
  | { kind: "evict_items"; shelf: Shelf; ids: string[]; expiredAt?: number }
  /** Expects that nobody else holds a lease at `at`. */
  | { kind: "lease_passages"; embedder: string; passages: QueuedPassage[]; owner: string; at: number; until: number }
  /** Expects that `owner` still holds the lease; passages removed meanwhile are skipped. */
  | {
      kind: "store_vectors";
      embedder: string;
      owner: string;
      /** With the hash of the text if the vector is worth caching for that text. */
      vectors: (QueuedPassage & { vector: QuantisedVector; hash?: string })[];
    }
  /**
   * Expects nothing: the first time queues every passage for this embedder, later times only record that it is in use.
   */
  | { kind: "adopt_embedder"; embedder: string; at: number }
  /** Expects nothing: entries of the access log that are gone need no dropping. */
  | { kind: "drop_accesses"; numbers: number[] }
  /** Expects nothing: the previous states of these journal entries are dropped, and the journal says so. */
  | { kind: "drop_payloads"; numbers: number[] }
  /** Expects nothing. */
  | { kind: "note_maintenance"; at: number; marks: ClockMarks }
  | { kind: "cache_vectors"; embedder: string; at: number; entries: { hash: string; vector: QuantisedVector }[] }
  /** Expects an empty journal: a chain that began elsewhere continues here. */
  | { kind: "adopt_journal"; entries: ChainEntry[] }
  /** Expects nothing: the known state of these files is replaced. */
  | { kind: "note_files"; files: FileState[] }
  /** Expects nothing: unknown files need no dropping. Their items stay. */
  | { kind: "drop_files"; paths: string[] }
  /** Expects nothing. The whole project was checked, and everything there was to index is indexed. */
  | ({ kind: "note_look" } & LastLook)
  /** Expects the code file; all its symbols are replaced. */
  | { kind: "put_symbols"; itemId: string; symbols: CodeSymbol[] }
  /** Expects the document; its references are replaced by these, as written. Ranking resolves them. */
  | { kind: "put_references"; itemId: string; written: string[] }
  /**
   * Expects nothing: the ranks of all documents are replaced; one removed meanwhile needs none. `upTo` is the number of
   * changes that were considered; later ones still need ranking.
   */
  | {
      kind: "rank_documents";
      ranks: { id: string; rank: number }[];
      links: { itemId: string; written: string; target: string | null }[];
      upTo: number;
    }
  /** Expects nothing: each pair of these, found by one question, is counted once more. */
  | { kind: "count_together"; shelf: "document"; ids: string[]; at: number }
  /** Expects that no event has this id yet. Never journaled. */
  | { kind: "note_event"; event: SessionRecord }
  /** Expects nothing: all events from before this time are dropped, and what was injected or surfaced before it. */
  | { kind: "drop_events"; before: number }
  /**
   * Expects exactly this offset, or no checkpoint if it is null, so that no line is read twice; and if given its update
   * time: an erasure empties the state, but the offset stays. Never journaled.
   */
  | { kind: "save_checkpoint"; checkpoint: Checkpoint; expectedOffset: number | null; expectedUpdatedAt?: number }
  /** Expects nothing: unknown transcripts need no dropping. */
  | { kind: "drop_checkpoints"; transcripts: string[] }
  /**
   * Expects, with `caps`, that session and day stay within them. A request is noted before it is made, and again under
   * its id with what it used. Only in the global store, and never journaled.
   */
  | { kind: "note_usage"; usage: Usage; caps?: UsageCaps }
  /**
   * Expects that the journal still ends with this hash: what was erased meanwhile must not come back. Replaces the
   * surface of the branch. Never journaled, like the next three.
   */
  | { kind: "keep_surface"; surface: KeptSurface; expectedHead: string }
  /** Expects nothing: the oldest runs are dropped for it. */
  | { kind: "note_surface_run"; run: SurfaceRun }
  /**
   * What the session has been given already keeps its time. If `isFirst`, expects that it has been given none of it: a
   * hook that is loaded twice runs twice at once.
   */
  | { kind: "note_injected"; session: string; keys: string[]; at: number; isFirst?: true }
  /** Expects nothing. */
  | { kind: "clear_injected"; session: string }
  /**
   * Expects exactly this evidence of the session, each item as its id and version, in order; what was made of it before is
   * replaced. Never journaled, like the next four.
   */
  | { kind: "keep_session"; kept: KeptSession; evidence: readonly string[] }
  /** Expects nothing: the last verdict on a note counts; null takes it back. */
  | { kind: "judge_note"; note: string; verdict: NoteVerdict | null }
  /** Expects that nothing was handed over under this id: a hook that is loaded twice runs twice at once. */
  | { kind: "note_handover"; handover: Handover }
  /** Expects nothing. */
  | { kind: "settle_handover"; id: string; use: NonNullable<Handover["use"]> }
  /** Expects nothing: hand-overs to and from these sessions, and of these items. */
  | { kind: "drop_handovers"; items: string[]; sessions: string[] }
  /** Expects that nobody else holds it at `at`. */
  | { kind: "take_lease"; name: string; owner: string; at: number; until: number }
  /** Expects nothing: a new holder keeps it. */
  | { kind: "release_lease"; name: string; owner: string }
  /** Expects that no space has this key yet. */
  | { kind: "insert_space"; space: Space }
  /** Expects the space under `expectedKey`. */
  | { kind: "move_space"; id: string; expectedKey: string; space: Space };

export type ChangeKind = Change["kind"];

/** The origin of a transaction: who made it, and how. The journal keeps it. */
export interface Origin {
  verb: string;
  host: string;
  session: string;
  /** One run of a verb, which may write several transactions, in two stores. `rollback` undoes a call. */
  call: string;
  /** The project it was made from; the other part of a call is in that project's store. */
  space: string;
  /** An agent runs the shell, or nobody is at the terminal. Not in the journal. */
  byAgent?: boolean;
}

export type Applied =
  /** `transaction` is null if none of it is journaled. */
  { status: "applied"; transaction: number | null } | { status: "conflict"; kind: ChangeKind; reason: string };

/**
 * Words for the changes that people asked for: one vocabulary for `audit` and dry runs.
 *
 * The other changes (access, leases, vectors) are housekeeping and not reported.
 */
export const CHANGE_WORDS = {
  insert_item: { did: "added", would: "add" },
  revise_item: { did: "changed", would: "change" },
  remove_item: { did: "removed", would: "remove" },
  insert_edge: { did: "added", would: "add" },
  remove_edge: { did: "removed", would: "remove" },
  purge_items: { did: "erased", would: "erase" },
  redact_items: { did: "redacted", would: "redact" },
  drop_payloads: { did: "dropped", would: "drop" },
  evict_items: { did: "removed", would: "remove" },
  insert_space: { did: "added", would: "add" },
  move_space: { did: "moved", would: "move" },
} as const satisfies Partial<Record<ChangeKind, { did: string; would: string }>>;

type ReportedKind = keyof typeof CHANGE_WORDS;
export type ReportedChange = Extract<Change, { kind: ReportedKind }>;

export const isReported = (change: Change): change is ReportedChange => Object.hasOwn(CHANGE_WORDS, change.kind);

/** What was done, from the journal; a kind that somebody edited by hand has no word. */
export const wordOf = (kind: string): string | undefined =>
  Object.hasOwn(CHANGE_WORDS, kind) ? CHANGE_WORDS[kind as ReportedKind].did : undefined;
