/**
 * The journal's hash chain: each entry's hash covers the one before it.
 *
 * A payload is covered only through its salted hash, so it can be erased without breaking the chain, and the remaining
 * hash does not reveal it.
 */
import { hash } from "node:crypto";
import type { ChainEntry } from "../../model/journal/journal.ts";

/** SHA-256 of a text, in hexadecimal digits. */
export type Digest = (text: string) => string;

const digestOf: Digest = (text) => hash("sha256", text);

/** The hash before the first entry. */
export const CHAIN_START = "0".repeat(64);

export function entryHash(
  previous: string,
  entry: Omit<ChainEntry, "hash" | "payload">,
  digest: Digest = digestOf,
): string {
  const { seq, transaction, at, verb, host, session, call, kind, shelf, itemId, payloadHash, space } = entry;
  // An entry without a call may have null or ""; both hash alike.
  const fields = [seq, transaction, at, verb, host, session, call || null, kind, shelf, itemId, payloadHash];
  // Entries written before spaces were recorded hash as they always did.
  return digest(previous + JSON.stringify(space ? [...fields, space] : fields));
}

export function payloadHash({ salt, text }: NonNullable<ChainEntry["payload"]>, digest: Digest = digestOf): string {
  return digest(salt + text);
}
