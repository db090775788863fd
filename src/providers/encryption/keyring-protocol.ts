/** What a process asks its helper about the system's keyring, and what it hears. */
export interface KeyringQuestion {
  ask: "read" | "write" | "remove";
  name: string;
  /** To be written; empty otherwise. */
  text: string;
}

export type KeyringAnswer = { value: string | boolean | null } | { fault: string };
