/**
 * The file of the encryption record. Renaming a new one over it is what encrypts, decrypts or changes the key.
 *
 * Hooks and every command look for it, so it costs one question to the system where there is none. One that cannot be understood
 * is never taken for none: that would begin an empty memory.
 */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../errors.ts";
import { type EncryptionRecord, readRecord, writeRecord } from "./record.ts";

const RECORD = "encryption.json";
const LARGEST_BYTES = 16_384;

/** Null if there is none. */
export function recordIn(home: string): EncryptionRecord | null {
  const path = join(home, RECORD);
  const found = lookAt(path);
  if (found === undefined) return null;
  const record = found.isFile() && found.size <= LARGEST_BYTES ? readRecord(readFileSync(path, "utf8")) : null;
  if (record !== null) return record;
  throw new Failure(
    "locked",
    `${path} is damaged, or of a newer version of Stele.`,
    "Put it back from a copy of the data folder; nothing can be opened without it. Nothing was changed.",
  );
}

/** Whoever cannot look into the data folder at all is told so when they open a store there. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The record, and a check whether it still names the same folder. */
export function followRecord(home: string): { record: EncryptionRecord | null; isCurrent(): boolean } {
  const state = () => {
    const found = lookAt(join(home, RECORD));
    return found === undefined ? "" : `${found.ino} ${found.mtimeMs} ${found.size}`;
  };
  let seen = state();
  const record = recordIn(home);
  return {
    record,
    isCurrent() {
      const now = state();
      if (now === seen) return true;
      // Another passphrase changes the record, but not where the stores are.
      if (folderIn(home) !== (record?.folder ?? null)) return false;
      seen = now;
      return true;
    },
  };
}

function folderIn(home: string): string | null | undefined {
  try {
    return recordIn(home)?.folder ?? null;
  } catch {
    return undefined;
  }
}

/** Complete and on the disk, or not at all. */
export function replaceRecord(home: string, record: EncryptionRecord): void {
  const path = join(home, RECORD);
  const draft = `${path}.tmp`;
  rmSync(draft, { force: true });
  writeSynced(draft, writeRecord(record));
  renameSync(draft, path);
  syncFolder(home);
}

/** A new private file, on the disk when this returns. */
export function writeSynced(path: string, content: string | Buffer): void {
  const file = openSync(path, "wx", 0o600);
  try {
    for (let rest: Buffer = Buffer.from(content); rest.length > 0; ) rest = rest.subarray(writeSync(file, rest));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncFolder(dirname(path));
}

/** So that the names in it are on the disk too. On Windows a folder cannot be opened, and needs no sync. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
