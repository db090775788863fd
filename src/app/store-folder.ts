/**
 * Finds the stores of a data folder, and the key that opens them.
 *
 * A data folder that was never encrypted costs one question to the system, and no cryptography is loaded.
 */
import { join } from "node:path";
import { keyFileNamed, runtimeFolder } from "./environment.ts";
import { Failure } from "../errors.ts";
import { proofOf } from "../logic/care/encryption-record.ts";
import { storeKeyOf } from "../logic/care/store-key.ts";
import type { AskPassphrase, EncryptionRecord, KeyRecord, WrappedKey } from "../model/care/encryption.ts";
import type { StoreFolder, StoreKey } from "../model/care/store-key.ts";
import { createMeetingPlace, type MeetingPlace } from "../providers/embed/offered/meeting-place.ts";
import { leftStores, refuseHalf } from "../providers/encryption/left-stores.ts";
import { followRecord } from "../providers/encryption/record-file.ts";

export interface OpenFolder extends StoreFolder {
  /** A person gave the passphrase, so whoever lives long enough holds the key for the others. */
  isHeld: boolean;
  /** Stores that an interrupted command left behind, maybe in plain text. */
  hasLeft: boolean;
}

export async function openStoreFolder(home: string, ask?: AskPassphrase): Promise<OpenFolder> {
  const { record, isCurrent } = followRecord(home);
  refuseHalf(home, record);
  if (record === null) return { path: home, key: null, isCurrent, isHeld: false, hasLeft: false };
  const { folder, key } = record;
  const hasLeft = key !== null && leftStores(home, record).length > 0;
  const opened = { path: join(home, folder), isCurrent, isHeld: key?.kept.kind === "passphrase", hasLeft };
  return { ...opened, key: key && (await keyOf(home, { folder, key }, ask)) };
}

/** The key that a record names; fails with what is missing. */
export async function keyOf(
  home: string,
  { folder, key: { proof, ...key } }: EncryptionRecord & { key: KeyRecord },
  ask?: AskPassphrase,
): Promise<StoreKey> {
  const { kept } = key;
  const bytes =
    kept.kind === "file"
      ? await keyInFile(kept.path)
      : ((await keyHeld(home, key.id)) ?? (await keyByPassphrase(kept.wrapped, ask)));
  const found = storeKeyOf(bytes);
  if (found.id !== key.id) {
    throw new Failure("locked", "This is the key of another memory.", `The key of this one has the id ${key.id}.`);
  }
  if (proofOf(folder, key, bytes) === proof) return found;
  throw new Failure(
    "locked",
    `${join(home, "encryption.json")} was altered by somebody who does not have the key.`,
    "Put it back from a copy of the data folder. Nothing was changed.",
  );
}

async function keyInFile(path: string): Promise<Buffer> {
  const { readKeyFile } = await import("../providers/encryption/key-file.ts");
  return readKeyFile(keyFileNamed() ?? path);
}

/** Where the processes of one data folder hand the key to each other. */
export const keyPlace = (home: string): MeetingPlace =>
  createMeetingPlace({ home, runtimeFolder: runtimeFolder(), what: "key" });

async function keyHeld(home: string, id: string): Promise<Buffer | null> {
  const { keyFromHolder } = await import("../providers/encryption/key-holder.ts");
  return keyFromHolder(id, keyPlace(home));
}

async function keyByPassphrase(wrapped: WrappedKey, ask: AskPassphrase | undefined): Promise<Buffer> {
  const { unwrapAsking } = await import("../providers/encryption/passphrase.ts");
  const key = await unwrapAsking(wrapped, ask, { hint: FORGOTTEN });
  if (key !== null) return key;
  throw new Failure(
    "locked",
    "The memory is encrypted with a passphrase, and no running process holds its key.",
    "Run `stele unlock` in a terminal: it asks for the passphrase and holds the key for the others until you stop it.",
  );
}

const FORGOTTEN = "Try again. If it is lost, `stele rekey --from-sheet` sets another one from the recovery sheet.";
