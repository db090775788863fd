/** Opens the encrypted exports that earlier versions wrote. */
import type { Through } from "./files.ts";

/** An export, and what may open it beside the keys that are at hand. */
export interface SealedSource {
  readonly path: string;
  readonly keyFile: string | null;
  readonly passphraseFile: string | null;
}

export interface Sealing {
  /**
   * Nobody is asked before the first bytes are read. What is not encrypted passes as it is, unless a key or passphrase is named for it. Without the right one it fails
   * with `locked`.
   */
  open(source: SealedSource): Through;
}
