/** The system's keyring, which keeps small texts for one user. It fails with `unavailable` where it is locked or there is none. */
export interface Keyring {
  /** Null if it holds nothing of this name. */
  read(name: string): Promise<string | null>;
  write(name: string, text: string): Promise<void>;
  /** Whether there was something to remove. */
  remove(name: string): Promise<boolean>;
}
