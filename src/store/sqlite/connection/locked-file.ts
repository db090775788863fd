/**
 * Tells a missing or wrong key from damage, by the first bytes of a file.
 *
 * Only asked after SQLite has refused the file: closing a file releases every lock that this process holds on it.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { Failure } from "../../../errors.ts";
import { HEAD_BYTES, headOf } from "../../../logic/care/store-key.ts";
import type { StoreKey } from "../../../model/care/store-key.ts";

/** Why the key is at fault; null if it is not. */
export function keyFault(path: string, key: StoreKey | null): Failure | null {
  const head = readHead(path);
  if (head === "unknown") return null;
  if (head === "plain") return key === null ? null : notEncrypted(path);
  if (key?.id === head.keyId) return null;
  const hint = "`stele doctor` says which key this data folder has. Nothing was changed.";
  return key === null
    ? new Failure("locked", `${path} is encrypted, and there is no key for it.`, hint)
    : new Failure("locked", `${path} is encrypted with another key (${head.keyId}).`, hint);
}

/** Whether nobody can say what a file holds without opening it as a store. */
export const isEncrypted = (path: string): boolean => typeof readHead(path) === "object";

const notEncrypted = (path: string): Failure =>
  new Failure(
    "unavailable",
    `${path} is not encrypted, although this data folder is.`,
    "Somebody put it there: move it elsewhere. Nothing was changed.",
  );

function readHead(path: string): ReturnType<typeof headOf> {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      return headOf(head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0)));
    } finally {
      closeSync(file);
    }
  } catch {
    return "unknown";
  }
}
