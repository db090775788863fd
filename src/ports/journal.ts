/** The store's journal: what was changed, by which call, and the chain that proves it. */
import type { ChainEntry, ChainHead, ChangeRecord } from "../model/journal/journal.ts";
import type { Shelf } from "../model/memory/shelf.ts";

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

export interface JournalReads {
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
  /** Calls that start with this text, or whose handle does; only those made from one project, if given. */
  callsWithPrefix(text: string, query: { space?: string | undefined; limit: number }): Promise<string[]>;
  /** The same for every id in the journal, including those of items that are gone. */
  journaledIds(text: string, limit: number): Promise<string[]>;
}
