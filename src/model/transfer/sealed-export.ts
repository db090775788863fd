/** How the key of an encrypted export is wrapped: with the key of a memory, or with a passphrase. */
import type { WrappedKey } from "../care/encryption.ts";

/** Values are hexadecimal digits. */
export type ExportSeal =
  | { readonly by: "key"; readonly id: string; readonly nonce: string; readonly sealed: string }
  | ({ readonly by: "passphrase" } & WrappedKey);
