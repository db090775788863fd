/**
 * Change: every write, as a value.
 *
 * Planners return changes; the store applies them in one transaction or not at all.
 * Each change says what it expects to find, so that two processes cannot overwrite each
 * other. The union is closed: a store that misses a case does not compile.
 */
import type { CodeSymbol, FileState, LastLook } from "../corpus/corpus.ts";
import type { Edge, EdgeShelf } from "../memory/edge.ts";
import type { Item, Revision } from "../memory/item.ts";
import type { ChainEntry } from "./journal.ts";
import type { Passage, Shelf } from "../memory/shelf.ts";
import type { Space } from "../memory/space.ts";

export interface QuantisedVector {
  values: Int8Array;
  scale: number;
}

export interface QueuedPassage {
  shelf: Shelf;
  passage: number;
}

export const ACCESS_KINDS = ["get", "search", "shown"] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

export interface Touch {
  id: string;
  /** Asked for by id and found by a search count as access; shown as what is there already only moves the time. */
  how: AccessKind;
  relevance: number | null;
}

export type Change =
  /** Expects that the id is free, and that nothing that must be said once is said twice. */
  | { kind: "insert_item"; shelf: Shelf; item: Item; passages: Passage[]; embed: boolean }
  /** Expects exactly this version, and where it is told when it was made: a version that was taken back comes again. */
  | {
      kind: "revise_item";
      shelf: Shelf;
      id: string;
      expectedVersion: number;
      expectedUpdatedAt?: number;
      /** The version it gets; one more than expected when omitted. */
      version?: number;
      set: Revision;
      /** Null keeps those that are there. */
      passages: Passage[] | null;
      embed: boolean;
    }
  | { kind: "remove_item"; shelf: Shelf; id: string; expectedVersion: number; expectedUpdatedAt?: number }
  /** Expects both ends on its shelf of this store, and that the same two are not so related already. */
  | { kind: "insert_edge"; edge: Edge }
  /** Expects that it is there. Edges of an item that is removed go with it, on record, and need no change. */
  | { kind: "remove_edge"; shelf: EdgeShelf; id: string }
  /** Expects nothing: whatever is left of these ids and of these questions goes, wherever it is kept. */
  | { kind: "purge_items"; ids: string[]; queries: string[] }
  /** Expects nothing: a row that has gone in the meantime needs no touch. */
  | {
      kind: "touch_items";
      shelf: Shelf;
      touches: Touch[];
      query: string | null;
      at: number;
      /** Multiplies the confidence, which stays at most 1; only for shelves without a journal, which tells of no touch. */
      boost?: number;
    }
  /**
   * Expects nothing: working items that have gone already need no eviction. With `expiredAt` only those leave that had
   * expired by then, and nothing of them is left in any table.
   */
  | { kind: "evict_items"; shelf: Shelf; ids: string[]; expiredAt?: number }
  /** Expects that nobody else holds a lease at `at`. */
  | { kind: "lease_passages"; embedder: string; passages: QueuedPassage[]; owner: string; at: number; until: number }
  /** Expects that `owner` still holds the lease; passages that have gone are skipped. */
  | {
      kind: "store_vectors";
      embedder: string;
      owner: string;
      /** With the hash of the text where the vector is worth keeping for that text too. */
      vectors: (QueuedPassage & { vector: QuantisedVector; hash?: string })[];
    }
  /** Expects nothing: the first time queues every passage for this embedder, later only says that it is in use. */
  | { kind: "adopt_embedder"; embedder: string; at: number }
  | { kind: "cache_vectors"; embedder: string; at: number; entries: { hash: string; vector: QuantisedVector }[] }
  /** Expects an empty journal: a chain that began elsewhere goes on here. */
  | { kind: "adopt_journal"; entries: ChainEntry[] }
  /** Expects nothing: what was known of these files is replaced. */
  | { kind: "note_files"; files: FileState[] }
  /** Expects nothing: files that nothing is known of need no dropping. Their items stay. */
  | { kind: "drop_files"; paths: string[] }
  /** Expects nothing. The whole project was looked at, and what there was to take in is taken in. */
  | ({ kind: "note_look" } & LastLook)
  /** Expects the code file; all its symbols are replaced. */
  | { kind: "put_symbols"; itemId: string; symbols: CodeSymbol[] }
  /** Expects the document; its references are replaced by these, as they are written. What they mean is found by ranking. */
  | { kind: "put_references"; itemId: string; written: string[] }
  /**
   * Expects nothing: ranks of all documents are replaced, and one that has gone needs none. `upTo` is the count of
   * changes that was looked at; what changed since is still to be ranked.
   */
  | {
      kind: "rank_documents";
      ranks: { id: string; rank: number }[];
      links: { itemId: string; written: string; target: string | null }[];
      upTo: number;
    }
  /** Expects nothing: each pair of these, found by one question, is counted once more. */
  | { kind: "count_together"; shelf: "document"; ids: string[]; at: number }
  /** Expects that nobody else holds it at `at`. */
  | { kind: "take_lease"; name: string; owner: string; at: number; until: number }
  /** Expects nothing: whoever holds it by now keeps it. */
  | { kind: "release_lease"; name: string; owner: string }
  /** Expects that no space has this key yet. */
  | { kind: "insert_space"; space: Space }
  /** Expects the space under `expectedKey`. */
  | { kind: "move_space"; id: string; expectedKey: string; space: Space };

export type ChangeKind = Change["kind"];

/** Who makes a transaction and how; kept by the journal. */
export interface Origin {
  verb: string;
  host: string;
  session: string;
  /** One run of a verb, which may write several sets, and to two stores. It is what `rollback` takes back. */
  call: string;
  /** The project from which it is made; a call's other half lies in that project's store. */
  space: string;
}

export type Applied =
  /** `transaction` is null when nothing of it is journaled. */
  { status: "applied"; transaction: number | null } | { status: "conflict"; kind: ChangeKind; reason: string };
