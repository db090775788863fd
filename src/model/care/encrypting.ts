/** What encrypting, decrypting and changing the key are asked for and answer. */
import type { StoreKey } from "./store-key.ts";

export type Intent = "encrypt" | "decrypt" | "rekey";

/** How a new key is to be kept. */
export type KeyChoice =
  | { kind: "file"; path: string | null }
  | { kind: "keyring" }
  | { kind: "passphrase"; passphrase: string };

/** What is there before anything is done. */
export interface Beforehand {
  home: string;
  /** Null if the memory is not encrypted. */
  keyId: string | null;
  stores: number;
  bytes: number;
  backups: number;
  /** Reports of hooks that wait to be digested. */
  reports: number;
  /** What cannot be converted, and is removed. */
  removed: string[];
  /** What stays plain text, because it is there to be read. */
  plain: string[];
}

export interface Changed {
  stores: number;
  backups: number;
  /** The new key; null after decrypting. */
  key: StoreKey | null;
  /** How the new key is kept; null after decrypting. */
  kept: KeyChoice["kind"] | null;
  /** Where the new key is kept, if in a file. */
  keyFile: string | null;
  /** The former key file, which opens nothing here any more. */
  formerKeyFile: string | null;
  /** The id of the former key, if it is in the system's keyring. */
  formerInKeyring: string | null;
  /** Former stores that could not be removed. */
  left: string[];
}
