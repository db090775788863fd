/** Reads the queues of passages pending embedding, one queue per embedder. */
import type { QuantisedVector, QueuedPassage } from "../../model/journal/change.ts";
import type { Shelf } from "../../model/memory/shelf.ts";

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
