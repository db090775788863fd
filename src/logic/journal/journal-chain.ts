/**
 * How the journal is linked: each entry's hash covers the one before it.
 *
 * A payload counts only by its salted hash, so that it can be erased without breaking the
 * chain, and what is left of it cannot be guessed.
 */
import { hash } from "node:crypto";
import type { ChainEntry } from "../../model/journal/journal.ts";

/** What stands before the first entry. */
export const CHAIN_START = "0".repeat(64);

export function entryHash(previous: string, entry: Omit<ChainEntry, "hash" | "payload">): string {
  const { seq, transaction, at, verb, host, session, call, kind, shelf, itemId, payloadHash, space } = entry;
  // Where no call was noted the row has none either; both spellings of that link alike.
  const fields = [seq, transaction, at, verb, host, session, call || null, kind, shelf, itemId, payloadHash];
  // Entries from before spaces were noted link as they always did.
  return hash("sha256", previous + JSON.stringify(space ? [...fields, space] : fields));
}

export function payloadHash({ salt, text }: NonNullable<ChainEntry["payload"]>): string {
  return hash("sha256", salt + text);
}
