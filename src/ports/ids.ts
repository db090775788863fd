/** Looks up ids by a prefix of the id or of its handle. */
import type { Shelf } from "../model/memory/shelf.ts";

export interface IdReads {
  /** Ids that start with this text, or whose handle does; without items that have expired by `now`, if given. */
  idsWithPrefix(shelf: Shelf, text: string, query: { now: number | null; limit: number }): Promise<string[]>;
  /** Newest first, expired or not. */
  newestIds(shelf: Shelf, limit: number): Promise<string[]>;
  /** The same for calls in the journal; only those made from one project, if given. */
  callsWithPrefix(text: string, query: { space?: string | undefined; limit: number }): Promise<string[]>;
  /** The same for every id in the journal, including those of removed items. */
  journaledIds(text: string, limit: number): Promise<string[]>;
}
