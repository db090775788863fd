/** Reads the journal: changes, the calls that made them, and the hash chain. */
import type { ChainEntry, ChainHead, ChangeRecord } from "../../model/journal/journal.ts";
import type { Shelf } from "../../model/memory/shelf.ts";

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
