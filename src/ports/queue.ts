/** The store's queue of passages that wait for a vector, one queue for each embedder. */
import type { QuantisedVector, QueuedPassage } from "../model/journal/change.ts";
import type { Shelf } from "../model/memory/shelf.ts";

export interface WaitingPassage extends QueuedPassage {
  /** What is embedded: the title on top of the passage. */
  text: string;
}

export interface QueueReads {
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
}
