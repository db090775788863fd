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
