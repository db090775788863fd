/** How a store finds ids by what people type of them. */
import type { Shelf } from "../model/shelf.ts";

export interface IdReads {
  /** Ids that begin with this text, and those whose handle does; without those that have expired by `now`, if given. */
  idsBeginning(shelf: Shelf, text: string, query: { now: number | null; limit: number }): Promise<string[]>;
  /** The latest first, expired or not. */
  newestIds(shelf: Shelf, limit: number): Promise<string[]>;
  /** The same of the calls in the journal; only those made from one project where it is named. */
  callsBeginning(text: string, query: { space?: string | undefined; limit: number }): Promise<string[]>;
  /** The same of whatever the journal tells of, even if it has gone. */
  journaledIds(text: string, limit: number): Promise<string[]>;
}
