/** The text of an encryption record. Checked by hand, because hooks read it, which load no schemas. */
import { hmacSha256 } from "../text/sha256.ts";
import { derived, hexOf } from "./store-key.ts";

/**
 * The record of a data folder that is or was encrypted: where its stores are, and how their key is kept.
 *
 * A data folder without a record has its stores beside it, not encrypted.
 */
export interface EncryptionRecord {
  /** The folder of the stores, in the data folder. Its name is never used again. */
  readonly folder: string;
  /** Null if the stores are not encrypted any more. */
  readonly key: KeyRecord | null;
}

export interface KeyRecord {
  readonly id: string;
  readonly kept: KeptKey;
  /** The public key to which hooks seal their reports, as hexadecimal digits. */
  readonly reports: string;
  /** A keyed hash of the rest, so that nobody without the key can alter it unnoticed. */
  readonly proof: string;
}

export type KeptKey =
  | { readonly kind: "file"; readonly path: string }
  /** In the system's keyring, under the id of the key. */
  | { readonly kind: "keyring" }
  | { readonly kind: "passphrase"; readonly wrapped: WrappedKey };

/** A key, encrypted with a passphrase. All values are hexadecimal digits. */
export interface WrappedKey {
  readonly salt: string;
  readonly nonce: string;
  readonly sealed: string;
}

/** Asks the person at the terminal, unseen; null if nobody is there, or they give none. */
export type AskPassphrase = (prompt?: string) => Promise<string | null>;

const FORMAT = 1;
export const STORES_FOLDER = /^stores-[0-9a-f]{12}$/;

export function writeRecord({ folder, key }: EncryptionRecord): string {
  return `${JSON.stringify({ format: FORMAT, folder, key: key && { ...canonical(key), proof: key.proof } }, null, 2)}\n`;
}

/** Null if it is none that this version understands. */
export function readRecord(text: string): EncryptionRecord | null {
  const { format, folder, key } = (parsed(text) ?? {}) as Partial<Record<string, unknown>>;
  if (format !== FORMAT || typeof folder !== "string" || !STORES_FOLDER.test(folder)) return null;
  if (key === null) return { folder, key };
  const found = asKey(key);
  return found && { folder, key: found };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function asKey(said: unknown): KeyRecord | null {
  const { id, kept, reports, proof } = (said ?? {}) as Partial<Record<string, unknown>>;
  const found = asKept(kept);
  if (!isHex(id) || !isHex(reports) || !isHex(proof) || found === null) return null;
  return { id, kept: found, reports, proof };
}

function asKept(said: unknown): KeptKey | null {
  const { kind, path, wrapped } = (said ?? {}) as Partial<Record<string, unknown>>;
  if (kind === "file") return typeof path === "string" ? { kind, path } : null;
  if (kind === "keyring") return { kind };
  const { salt, nonce, sealed } = (wrapped ?? {}) as Partial<Record<keyof WrappedKey, unknown>>;
  const isWrapped = kind === "passphrase" && isHex(salt) && isHex(nonce) && isHex(sealed);
  return isWrapped ? { kind, wrapped: { salt, nonce, sealed } } : null;
}

const isHex = (value: unknown): value is string => typeof value === "string" && /^(?:[0-9a-f]{2})+$/.test(value);

/** What the holder of the key vouches for. */
export function proofOf(folder: string, key: Omit<KeyRecord, "proof">, bytes: Uint8Array): string {
  const text = JSON.stringify({ format: FORMAT, folder, ...canonical(key) });
  return hexOf(hmacSha256(derived(bytes, "stele record"), new TextEncoder().encode(text)));
}

const canonical = ({ id, kept, reports }: Omit<KeyRecord, "proof">) => ({ id, kept, reports });
