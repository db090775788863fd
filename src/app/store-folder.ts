/**
 * Finds the stores of a data folder, and the key that opens them.
 *
 * A data folder that was never encrypted costs one question to the system, and no cryptography is loaded.
 */
import { join } from "node:path";
import { createMeetingPlace, type MeetingPlace } from "../embed/shared-model/meeting-place.ts";
import { systemKeyring } from "../encryption/keyring.ts";
import { leftStores, refuseHalf } from "../encryption/left-stores.ts";
import { followRecord } from "../encryption/record-file.ts";
import {
  type AskPassphrase,
  type EncryptionRecord,
  type KeyRecord,
  proofOf,
  type WrappedKey,
} from "../encryption/record.ts";
import { createSealing } from "../encryption/sealing.ts";
import { type StoreFolder, type StoreKey, storeKeyOf } from "../encryption/store-key.ts";
import { Failure } from "../errors.ts";
import { createHome, isEmptied, isNothing, refuseUnusable } from "../machine/home.ts";
import type { Space } from "../memory/space.ts";
import type { Keyring, Sealing } from "../ports.ts";
import { homeFolder, keyFileNamed, keysFolder, runtimeFolder } from "./environment.ts";

/** The data folder that is named; fails if it cannot be used as one. */
export function usableHome(flag?: string): string {
  const home = homeFolder(flag);
  refuseUnusable(home);
  return home;
}

export interface OpenFolder extends StoreFolder {
  /** The key is a person's or the keyring's to give, so whoever lives long enough holds it for the others. */
  isHeld: boolean;
  isInKeyring: boolean;
  /** Stores that an interrupted command left behind, maybe in plain text. */
  hasLeft: boolean;
}

export async function openStoreFolder(home: string, ask?: AskPassphrase): Promise<OpenFolder> {
  const { record, isCurrent } = followRecord(home);
  refuseHalf(home, record);
  if (record === null) return { path: home, key: null, isCurrent, isHeld: false, isInKeyring: false, hasLeft: false };
  const { folder, key } = record;
  const hasLeft = key !== null && leftStores(home, record).length > 0;
  const kind = key?.kept.kind;
  const how = { isHeld: kind === "passphrase" || kind === "keyring", isInKeyring: kind === "keyring" };
  const opened = { path: join(home, folder), isCurrent, ...how, hasLeft };
  return { ...opened, key: key && (await keyOf(home, { folder, key }, { ask })) };
}

export interface KeySources {
  ask?: AskPassphrase | undefined;
  /** In place of the system's. */
  keyring?: Keyring | undefined;
}

/** The key that a record names; fails with what is missing. */
export async function keyOf(
  home: string,
  { folder, key: { proof, ...key } }: EncryptionRecord & { key: KeyRecord },
  sources: KeySources = {},
): Promise<StoreKey> {
  const bytes = await bytesOf(home, key, sources);
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

/** How exports of these stores are encrypted and opened. */
export const sealingOf = ({ key, isInKeyring }: OpenFolder, ask?: AskPassphrase): Sealing =>
  createSealing({ key, keysFolder: keysFolder(), ask, keyring: isInKeyring ? systemKeyring() : undefined });

async function bytesOf(
  home: string,
  { id, kept }: Pick<KeyRecord, "id" | "kept">,
  { ask, keyring }: KeySources,
): Promise<Buffer> {
  if (kept.kind === "file") return keyInFile(kept.path);
  const held = await keyHeld(home, id);
  if (held !== null) return held;
  return kept.kind === "keyring" ? keyInSystem(id, keyring) : keyByPassphrase(kept.wrapped, ask);
}

async function keyInFile(path: string): Promise<Buffer> {
  const { readKeyFile } = await import("../encryption/keys.ts");
  return readKeyFile(keyFileNamed() ?? path);
}

async function keyInSystem(id: string, given: KeySources["keyring"]): Promise<Buffer> {
  const { keyInKeyring } = await import("../encryption/keys.ts");
  return keyInKeyring(id, given ?? systemKeyring());
}

/** Where the processes of one data folder hand the key to each other. */
export const keyPlace = (home: string): MeetingPlace =>
  createMeetingPlace({ home, runtimeFolder: runtimeFolder(), what: "key" });

async function keyHeld(home: string, id: string): Promise<Buffer | null> {
  const { keyFromHolder } = await import("../encryption/key-holder.ts");
  return keyFromHolder(id, keyPlace(home));
}

async function keyByPassphrase(wrapped: WrappedKey, ask: AskPassphrase | undefined): Promise<Buffer> {
  const { unwrapAsking } = await import("../encryption/keys.ts");
  const key = await unwrapAsking(wrapped, ask, { hint: FORGOTTEN });
  if (key !== null) return key;
  throw new Failure(
    "locked",
    "The memory is encrypted with a passphrase, and no running process holds its key.",
    "Run `stele unlock` in a terminal: it asks for the passphrase and holds the key for the others until you stop it.",
  );
}

const FORGOTTEN = "Try again. If it is lost, `stele rekey --from-sheet` sets another one from the recovery sheet.";

// Refuses to begin anew where data was lost: an empty memory would look as if there had never been one.

/** A new registry would give every project a new, empty memory, as if the old ones were gone. */
export function refuseLost(stores: string): void {
  if (!createHome(stores).isGlobalLost()) return;
  throw new Failure(
    "unavailable",
    `${join(stores, "global.db")} is missing or empty, but projects have memories.`,
    "Run `stele doctor`: it can recover it from the latest backup.",
  );
}

/** A store that was emptied or has a backup is never begun anew. Otherwise a process may have died while registering it. */
export async function refuseLostSpace(stores: string, { id, createdAt }: Space): Promise<void> {
  const path = join(stores, "spaces", `${id}.db`);
  if (!isNothing(path)) return;
  if (isEmptied(path, createdAt)) throw emptied(path);
  const { readBackups } = await import("../store/sqlite/backup/backup-folder.ts");
  if (!(await readBackups(join(stores, "backups"))).some((backup) => backup.spaceId === id)) return;
  throw new Failure(
    "unavailable",
    `${path} is missing or empty, but backups of it exist.`,
    "Run `stele doctor --recover`: it restores the file from the latest sound backup.",
  );
}

const emptied = (path: string): Failure =>
  new Failure(
    "unavailable",
    `${path} is empty, but it was not when it was created.`,
    "Put the file back, or run `stele doctor --recover`: it restores the file from the latest sound backup, if there is one.",
  );
