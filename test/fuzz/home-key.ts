/** Homes that are encrypted from the beginning, and what opens their files. */
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { openEncryption } from "../../src/app/compose-encryption.ts";
import { readKeyFile } from "../../src/encryption/keys.ts";
import { recordIn } from "../../src/encryption/record-file.ts";
import { type StoreKey, storeKeyOf } from "../../src/encryption/store-key.ts";

/** Makes copies of an empty encrypted home. */
export async function encryptedHomes(folder: string): Promise<(home: string) => void> {
  const template = join(folder, "encrypted");
  mkdirSync(template, { recursive: true, mode: 0o700 });
  const keyFile = join(folder, "keys", "stele.key");
  await openEncryption({ home: template, lateHooksMs: 0 }).change(null, { kind: "file", path: keyFile });
  return (home) => cpSync(template, home, { recursive: true });
}

/** Where the stores of a home are, and their key. */
export function storesOf(home: string): { folder: string; key: StoreKey | null } {
  const record = recordIn(home);
  const kept = record?.key?.kept;
  const key = kept?.kind === "file" ? storeKeyOf(readKeyFile(kept.path)) : null;
  return { folder: record === null ? home : join(home, record.folder), key };
}
