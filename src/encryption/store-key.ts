/**
 * How encrypted files name their key.
 *
 * The cipher keeps the first 16 bytes of a file free for a salt, which a key of full length does not need. Ours hold a mark and the
 * id of the key, so that a missing or wrong key is never taken for damage.
 */
import { hmacSha256 } from "../text/sha256.ts";

/** The key of encrypted stores. */
export interface StoreKey {
  /** Names the key without telling it: every file that is encrypted with it begins with this. */
  readonly id: string;
  /** Its 32 bytes, as hexadecimal digits. */
  readonly hex: string;
}

export const KEY_BYTES = 32;

/** Where the stores of a data folder are, and what opens them. */
export interface StoreFolder {
  readonly path: string;
  /** Null if they are not encrypted. */
  readonly key: StoreKey | null;
  /** Whether they are still there: encrypting, decrypting and another key put them elsewhere. */
  isCurrent(): boolean;
}

export const HEAD_BYTES = 16;
const MARK = "7374656c6501";
const ID_DIGITS = 20;
const PLAIN = "SQLite format 3\0";

export function storeKeyOf(bytes: Uint8Array): StoreKey {
  const id = hexOf(derived(bytes, "stele key id")).slice(0, ID_DIGITS);
  return { id, hex: hexOf(bytes) };
}

/** Another key for another purpose, from which the first cannot be told. */
export const derived = (key: Uint8Array, purpose: string): Uint8Array =>
  hmacSha256(key, new TextEncoder().encode(purpose));

/** The key and the first bytes of its files, as SQLite takes them. */
export const rawKey = ({ id, hex }: StoreKey): string => `raw:${hex}${MARK}${id}`;

/** What the first bytes of a file say: not encrypted, the id of its key, or nothing that we know. */
export function headOf(bytes: Uint8Array): { keyId: string } | "plain" | "unknown" {
  if (bytes.length < HEAD_BYTES) return "unknown";
  const hex = hexOf(bytes.subarray(0, HEAD_BYTES));
  if (hex.startsWith(MARK)) return { keyId: hex.slice(MARK.length) };
  return hex === hexOf(new TextEncoder().encode(PLAIN)) ? "plain" : "unknown";
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
