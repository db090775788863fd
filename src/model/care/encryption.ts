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
