/**
 * Rebuilds a damaged store from its latest good backup and whatever is still readable.
 *
 * First the damaged file is kept, complete and with its log. The new file is built and
 * checked next to it and replaces the old one by one rename, so that a killed process
 * leaves either the old or the new one. A file that another process has open is refused.
 */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../../errors.ts";
import type { BackupFile, StoreName } from "../../../model/care/backup.ts";
import type { StoreKey } from "../../../model/care/store-key.ts";
import type { Recovery } from "../../../model/care/finding.ts";
import type { Space } from "../../../model/memory/space.ts";
import type { Clock } from "../../../ports/world.ts";
import { refuseDamaged } from "../backup/backup-copy.ts";
import { DAMAGED } from "../backup/backup-erase.ts";
import { readBackups, timedName } from "../backup/backup-folder.ts";
import { holdingBackups } from "../backup/backup-lock.ts";
import { checkedCopy } from "../backup/backup-restore.ts";
import { copyLocked, ensureFolder, isThere, refuseSpecial, syncFile } from "../connection/data-file.ts";
import { BUSY_TIMEOUT_MS, codeOf, translate } from "../connection/database.ts";
import { RECOVERY_ORIGIN, fill } from "./recover-fill.ts";
import { salvage } from "./salvage.ts";
import { openSqliteStore } from "../store.ts";
import { openKeyed } from "../connection/sqlite.ts";

export interface RecoverOptions {
  path: string;
  kind: StoreName;
  /** The backup folder, where the damaged file is kept too. */
  folder: string;
  clock: Clock;
  /** Null or none if the store is not encrypted. */
  key?: StoreKey | null;
}

const REPORT = "recovery.json";
/** The new store while it is being built. The rename that ends a recovery moves it out of its folder. */
const FRESH = "recovered.db";

/** `isComplete`: the damaged file still held everything that had been written to it. */
export type Recovered = Recovery & { isComplete: boolean };

export async function recoverStore(options: RecoverOptions): Promise<Recovered> {
  try {
    return await holdingBackups(options.folder, () => recoverAlone(options));
  } catch (thrown) {
    throw translate(thrown, options.path, options.key);
  }
}

async function recoverAlone(options: RecoverOptions): Promise<Recovered> {
  const { path, folder, clock, key = null } = options;
  refuseSpecial(path);
  const gate = isThere(path) ? hold(path, key) : null;
  try {
    const kept = join(folder, DAMAGED + timedName(clock.now()));
    ensureFolder(folder);
    const unfinished = await unfinishedIn(folder, basename(path));
    mkdirSync(kept, { mode: 0o700 });
    const recovery = await build(kept, { gate, unfinished }, options).catch((thrown: unknown) => {
      // Nothing has been moved yet, so this folder holds only copies.
      rmSync(kept, { recursive: true, force: true });
      throw thrown;
    });
    await putInPlace(join(kept, FRESH), path, gate);
    // Their content is in the new file now; salvaging it again would bring back items removed from now on.
    for (const place of unfinished) rmSync(join(place, FRESH), { force: true });
    if (gate) await sleep(LINGER_MS);
    else rmSync(kept, { recursive: true });
    return recovery;
  } finally {
    gate?.close();
  }
}

/** Keeps the damaged file and builds the new one next to it. */
async function build(
  kept: string,
  { gate, unfinished }: { gate: Gate | null; unfinished: readonly string[] },
  { path, kind, folder, clock, key = null }: RecoverOptions,
): Promise<Recovered> {
  gate?.copyTo(join(kept, basename(path)));
  // Raw pages of an encrypted file say nothing.
  const places = key === null ? [...unfinished, ...(gate ? [kept] : [])] : [];
  const originals = places.map((place) => salvage(join(place, basename(path))));
  const fresh = join(kept, FRESH);
  const backup = await buildOn(fresh, { path, kind, folder, key });
  const counts = await fill(fresh, originals, { kind, clock, key, call: basename(kept) });
  await refuseDamaged({ copy: fresh, origin: fresh, key, hint: "The damaged file was not touched." });
  const isComplete = originals.at(-1)?.isComplete ?? false;
  const recovery: Recovered = { kept: gate && kept, backup, ...counts, isComplete };
  if (gate) await writeFile(join(kept, REPORT), `${JSON.stringify(recovery)}\n`, { mode: 0o600 });
  return recovery;
}

/** Processes that opened the old file before the rename give up waiting for its lock within this time. */
const LINGER_MS = 2 * BUSY_TIMEOUT_MS;

interface Gate {
  copyTo(target: string): void;
  close(): void;
}

/**
 * Refuses while another process has the file open: it would keep writing to the removed file. With a log, SQLite
 * takes the exclusive lock before it reads the first page. Without one nobody has written lately, and a process
 * that only has the file open shows up in the system's list of locks, if the system has one.
 */
function hold(path: string, key: StoreKey | null): Gate {
  const file = openSync(path, "r");
  const db = openKeyed(path, key, { timeout: 0, fileMustExist: true });
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    db.close();
    closeSync(file);
  };
  try {
    db.pragma("locking_mode = exclusive");
    db.pragma("user_version");
  } catch (thrown) {
    if (codeOf(thrown).startsWith("SQLITE_BUSY") || isListed(path)) {
      close();
      throw new Failure(
        "conflict",
        `Another process has ${path} open.`,
        "Stop it (most likely an MCP server), then try again.",
      );
    }
  }
  return { copyTo: (target) => copyLocked(file, path, target), close };
}

/** Whether the system lists a lock of another process on the file. */
function isListed(path: string): boolean {
  const { ino } = statSync(path);
  const lines = isThere("/proc/locks") ? readFileSync("/proc/locks", "utf8").split("\n") : [];
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return fields.some(([, , , , pid, file]) => file?.endsWith(`:${ino}`) && pid !== String(process.pid));
}

/**
 * Folders of recoveries killed after the new file was built: the log may have been removed and exist only there. A
 * recovery killed earlier has removed nothing, and a finished one has no new file left in its folder.
 */
async function unfinishedIn(folder: string, name: string): Promise<string[]> {
  const places = (await readdir(folder))
    .filter((entry) => entry.startsWith(DAMAGED))
    .map((entry) => join(folder, entry));
  return places.filter((place) => isThere(join(place, FRESH)) && isThere(join(place, name))).sort();
}

/** Starts from the latest intact backup and returns its id. States replaced by a restore are the last choice. */
async function buildOn(
  fresh: string,
  { path, kind, folder, key = null }: Omit<RecoverOptions, "clock">,
): Promise<string | null> {
  const all = (await readBackups(folder)).filter(
    ({ spaceId }) => kind === "global" || spaceId === basename(path, ".db"),
  );
  const preferred = all.filter(({ reason }) => reason !== "replaced");
  for (const { id, files } of [...preferred, ...all]) {
    const file = files.find(({ store }) => store === kind);
    if (file && (await isCopied(join(folder, id), file, { target: fresh, key }))) return id;
  }
  return null;
}

async function isCopied(
  place: string,
  file: BackupFile,
  copying: { target: string; key: StoreKey | null },
): Promise<boolean> {
  try {
    await checkedCopy(join(place, file.name), file, copying);
    return true;
  } catch {
    // This backup is unusable, but there may be another.
    rmSync(copying.target, { force: true });
    return false;
  }
}

/** Registers an orphaned store as the one of this project. */
export async function adoptSpace(
  global: string,
  space: Space,
  opening: { clock: Clock; key: StoreKey | null },
): Promise<void> {
  const store = await openSqliteStore({ path: global, kind: "global", ...opening });
  try {
    await store.apply([{ kind: "insert_space", space }], { ...RECOVERY_ORIGIN, call: space.id });
  } finally {
    await store.close();
  }
}

async function putInPlace(fresh: string, path: string, gate: Gate | null): Promise<void> {
  ensureFolder(dirname(path));
  await syncFile(fresh);
  // Windows cannot replace an open file.
  if (process.platform === "win32") gate?.close();
  // A leftover log would be mistaken for the new file's own.
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
  renameSync(fresh, path);
}
