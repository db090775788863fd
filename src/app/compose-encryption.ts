/**
 * What `encrypt`, `decrypt`, `rekey` and `unlock` work with.
 *
 * Separate from `compose.ts`, because nothing else needs it. The order of the steps is what makes them safe: the new key is on the
 * disk before anything is encrypted with it, the record is replaced last, and only then is the former folder removed.
 */
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SURFACE_FILE } from "../briefing/write-surface.ts";
import type { Encryption } from "../cli/encryption.ts";
import {
  type Beforehand,
  beforehandLines,
  type Changed,
  changedLines,
  type KeyChoice,
} from "../encryption/encrypting.ts";
import { holdKey } from "../encryption/key-holder.ts";
import { systemKeyring } from "../encryption/keyring.ts";
import { keepInKeyring, keyOnSheet, refuseShort, wrapKey, writeKeyFile } from "../encryption/keys.ts";
import { leftStores, refuseHalf, refuseLinks, removeStores, storesBeside } from "../encryption/left-stores.ts";
import { followRecord, recordIn, replaceRecord, syncFolder } from "../encryption/record-file.ts";
import { type EncryptionRecord, type KeptKey, type KeyRecord, proofOf } from "../encryption/record.ts";
import { sheetLines } from "../encryption/recovery-sheet.ts";
import { reportsKeyOf } from "../encryption/reports.ts";
import { dropFormerSecret, keepFormerSecret, resealReports, waitingReports } from "../encryption/seal-inbox.ts";
import { hexOf, KEY_BYTES, type StoreFolder, type StoreKey, storeKeyOf } from "../encryption/store-key.ts";
import { Failure } from "../errors.ts";
import { isInside } from "../files/disk/project-files.ts";
import { temporaryCopies } from "../machine/home.ts";
import { systemRandom } from "../machine/ids.ts";
import type { Keyring } from "../ports.ts";
import { holdingBackups, readBackups } from "../store/sqlite/backup/backup-folder.ts";
import { convertStores, isWhole, storesIn } from "../store/sqlite/convert.ts";
import { examineSpaces, invalidBackups } from "../store/sqlite/examine.ts";
import { lockFile } from "../store/sqlite/file-lock.ts";
import { keysFolder } from "./environment.ts";
import { keyOf, keyPlace, type KeySources, usableHome } from "./store-folder.ts";

/** Hooks that looked at the former record have written their report by then. */
const LATE_HOOKS_MS = 1_000;
const CLEAR_PATIENCE_MS = 1_000;

interface EncryptionSources {
  home?: string | undefined;
  lateHooksMs?: number;
  /** In place of the system's. */
  keyring?: Keyring | undefined;
}

export function openEncryption(options: EncryptionSources = {}): Encryption {
  const home = usableHome(options.home);
  const { record, isCurrent } = followRecord(home);
  refuseHalf(home, record);
  const path = record === null ? home : join(home, record.folder);
  const change = (from: StoreKey | null, choice: KeyChoice | null, onFile?: (path: string) => void) =>
    changeKey({ path, key: from, isCurrent }, choice, {
      home,
      record,
      lateHooksMs: options.lateHooksMs ?? LATE_HOOKS_MS,
      onFile,
      keyring: options.keyring ?? systemKeyring(),
    });
  return {
    keyId: record?.key?.id ?? null,
    kept: record?.key?.kept.kind ?? null,
    key: (ask) => currentKey(home, record, { ask, keyring: options.keyring }),
    keyFrom: (sheet) => keyFromSheet(record, sheet),
    sheet: sheetLines,
    refuseShort,
    explain: beforehandLines,
    report: changedLines,
    beforehand: (key) => beforehand(home, record, { path, key }),
    change,
    async removeLeft() {
      const remove = async () => void removeStores(leftStores(home, record));
      await holdingBackups(join(path, "backups"), remove, CLEAR_PATIENCE_MS);
      if (record?.key) resealReports(home, null, record.key.reports);
    },
    hold: (key) => holdKey(key, { place: keyPlace(home), lock: lockFile }),
  };
}

async function currentKey(
  home: string,
  record: EncryptionRecord | null,
  sources: KeySources,
): Promise<StoreKey | null> {
  return record?.key ? keyOf(home, { ...record, key: record.key }, sources) : null;
}

function keyFromSheet(record: EncryptionRecord | null, sheet: string): StoreKey {
  const key = keyOnSheet(sheet);
  if (record?.key?.id === key.id) return key;
  throw new Failure("locked", "This is the recovery sheet of another key.", `The key has the id ${record?.key?.id}.`);
}

interface Change {
  home: string;
  record: EncryptionRecord | null;
  lateHooksMs: number;
  onFile: ((path: string) => void) | undefined;
  keyring: Keyring;
}

async function changeKey(from: StoreFolder, choice: KeyChoice | null, change: Change): Promise<Changed> {
  const { home, record, lateHooksMs, onFile, keyring } = change;
  refuseLinks(home, record);
  const formerly = [...leftStores(home, record), ...(record === null ? storesBeside(home) : [from.path])];
  const folder = `stores-${hexOf(systemRandom(6))}`;
  const made = choice && (await makeKey({ home, folder, keyring }, choice));
  const to = { path: join(home, folder), key: made?.key ?? null };
  const reports = made?.record.reports ?? null;
  const switchOver = () => {
    // Whatever happens next, reports that wait can be opened: by the new key, or because they are plain.
    if (from.key && reports !== null) keepFormerSecret(home, from.key, reports);
    if (from.key && reports === null) resealReports(home, from.key, null);
    syncFolder(home);
    replaceRecord(home, { folder, key: made?.record ?? null });
  };
  const converted = await convertStores({ from, to, switchOver, ...(onFile && { onFile }) }).catch(
    async (thrown: unknown) => {
      // Nothing is encrypted with it, unless the last step was done after all.
      if (made !== null && !isInForce(home, made.key)) {
        if (made.keyFile) removeStores([made.keyFile]);
        // What is told is why it failed, not what became of the keyring since.
        if (made.record.kept.kind === "keyring") await keyring.remove(made.key.id).catch(() => false);
      }
      throw thrown;
    },
  );
  const left = removeStores(formerly);
  resealReports(home, from.key, reports);
  await delay(lateHooksMs);
  resealReports(home, from.key, reports);
  dropFormerSecret(home);
  const former = record?.key ?? null;
  return {
    ...converted,
    key: to.key,
    kept: choice?.kind ?? null,
    keyFile: made?.keyFile ?? null,
    left,
    formerKeyFile: former?.kept.kind === "file" ? former.kept.path : null,
    formerInKeyring: former?.kept.kind === "keyring" ? former.id : null,
  };
}

/** A record that cannot be read may name it. */
function isInForce(home: string, { id }: StoreKey): boolean {
  try {
    return recordIn(home)?.key?.id === id;
  } catch {
    return true;
  }
}

/** A key file is on the disk when this returns, and a key in the keyring was read from it again. */
async function makeKey(
  { home, folder, keyring }: { home: string; folder: string; keyring: Keyring },
  choice: KeyChoice,
): Promise<{ key: StoreKey; record: KeyRecord; keyFile: string | null }> {
  const bytes = systemRandom(KEY_BYTES);
  const key = storeKeyOf(bytes);
  const keyFile = choice.kind === "file" ? (choice.path ?? join(keysFolder(), `${key.id}.key`)) : null;
  if (choice.kind === "keyring") await keepInKeyring(key, keyring);
  const kept = await keptAs(choice, { bytes, keyFile });
  if (keyFile !== null) {
    refuseBeside(keyFile, home);
    writeKeyFile(keyFile, bytes);
  }
  const record = { id: key.id, kept, reports: reportsKeyOf(key) };
  return { key, record: { ...record, proof: proofOf(folder, record, bytes) }, keyFile };
}

async function keptAs(
  choice: KeyChoice,
  { bytes, keyFile }: { bytes: Uint8Array; keyFile: string | null },
): Promise<KeptKey> {
  if (choice.kind === "file") return { kind: "file", path: keyFile! };
  if (choice.kind === "keyring") return { kind: "keyring" };
  return { kind: "passphrase", wrapped: await wrapKey(bytes, choice.passphrase) };
}

/** Links on the way to it are followed as far as they exist. */
function refuseBeside(keyFile: string, home: string): void {
  const real = (path: string): string =>
    existsSync(path) ? realpathSync(path) : join(real(dirname(path)), basename(path));
  if (!isInside(real(home), real(keyFile))) return;
  const hint = "Name a file elsewhere with --key-file: whoever copies the data folder must not get the key with it.";
  throw new Failure("invalid_input", `${keyFile} is in the data folder, beside what it protects.`, hint);
}

async function beforehand(
  home: string,
  record: EncryptionRecord | null,
  { path, key }: { path: string; key: StoreKey | null },
): Promise<Beforehand> {
  refuseLinks(home, record);
  const stores = await storesIn(path);
  const folder = join(path, "backups");
  const backups = await readBackups(folder);
  const whole = await Promise.all(backups.map((backup) => isWhole(join(folder, backup.id), backup)));
  const altered = backups.filter((_, index) => !whole[index]).map(({ id }) => join(folder, id));
  const { reports, unreadable } = waitingReports(home);
  const others = (await invalidBackups(folder)).map((name) => join(folder, name));
  return {
    home,
    keyId: record?.key?.id ?? null,
    stores: stores.length,
    bytes: stores.reduce((sum, store) => sum + statSync(store.path).size, 0),
    backups: whole.filter(Boolean).length,
    reports,
    removed: [...altered, ...others, ...unreadable, ...leftStores(home, record)],
    plain: await plainBeside(home, join(path, "global.db"), key),
  };
}

/** What stays readable although the memory is encrypted, as far as it is known. */
async function plainBeside(home: string, global: string, key: StoreKey | null): Promise<string[]> {
  const spaces = (existsSync(global) ? await examineSpaces(global, key) : null) ?? [];
  const surfaces = spaces.map(({ root }) => join(root, SURFACE_FILE));
  const own = ["daily", "hosts", "hook.log", "run/http-token"].map((name) => join(home, name));
  return [...own, ...surfaces, ...temporaryCopies(["read", "edit"])].filter((path) => existsSync(path));
}
