/** Encrypts exports, and opens encrypted ones. */
import type { Through } from "./files.ts";

/** To the memory's own key, or to a passphrase: in a file, or one that the person at the terminal types. */
export type SealTo = { readonly by: "key" } | { readonly by: "passphrase"; readonly file: string | null };

/** An export, and what may open it beside the keys that are at hand. */
export interface SealedSource {
  readonly path: string;
  readonly keyFile: string | null;
  readonly passphraseFile: string | null;
}

export interface Sealing {
  /** Nobody is asked before the first bytes are read. */
  seal(to: SealTo): Through;
  /**
   * What is not encrypted passes as it is, unless a key or passphrase is named for it. Without the right one it fails
   * with `locked`.
   */
  open(source: SealedSource): Through;
}
