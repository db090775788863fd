/**
 * Restores a store that cannot be used any more from a backup, or begins it anew where it held nothing.
 *
 * First the damaged file is kept, complete and with its log. The new file is built and
 * checked next to it and replaces the old one by one rename, so that a killed process
 * leaves either the old or the new one. A file that another process has open is refused.
 */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StoreKey } from "../../encryption/store-key.ts";
import { Failure } from "../../errors.ts";
import type { Backup, BackupFile, StoreName } from "../../maintenance/backup.ts";
import type { Recovery } from "../../maintenance/finding.ts";
import type { Space } from "../../memory/space.ts";
import type { Clock } from "../../world.ts";
import { refuseDamaged } from "./backup/backup-copy.ts";
import { DAMAGED } from "./backup/backup-erase.ts";
import { holdingBackups, readBackups, timedName } from "./backup/backup-folder.ts";
import { checkedCopy, refuseUnfit } from "./backup/backup-restore.ts";
import { copyLocked, ensureFolder, isThere, refuseSpecial, syncFile } from "./data-file.ts";
import { BUSY_TIMEOUT_MS, codeOf, translate } from "./database.ts";
import { openKeyed } from "./sqlite.ts";
import { openSqliteStore } from "./store.ts";

interface RecoverOptions {
  path: string;
  kind: StoreName;
  /** The backup folder, where the damaged file is kept too. */
  folder: string;
  /** The backup to restore, as `soundBackup` found it; null for a store that begins empty. */
  backup: string | null;
  clock: Clock;
  /** Null or none if the store is not encrypted. */
  key?: StoreKey | null;
}

const REPORT = "recovery.json";
/** The new store while it is being built. The rename that ends a recovery moves it out of its folder. */
const FRESH = "recovered.db";

export async function recoverStore(options: RecoverOptions): Promise<Recovery> {
  try {
    return await holdingBackups(options.folder, () => recoverAlone(options));
  } catch (thrown) {
    throw translate(thrown, options.path, options.key);
  }
}

async function recoverAlone(options: RecoverOptions): Promise<Recovery> {
  const { path, folder, clock, key = null } = options;
  refuseSpecial(path);
  const gate = isThere(path) ? hold(path, key) : null;
  try {
    const kept = join(folder, DAMAGED + timedName(clock.now()));
    ensureFolder(folder);
    const unfinished = await unfinishedIn(folder, basename(path));
    mkdirSync(kept, { mode: 0o700 });
    const recovery = await build(kept, gate, options).catch((thrown: unknown) => {
      // Nothing has been moved yet, so this folder holds only copies.
      rmSync(kept, { recursive: true, force: true });
      throw thrown;
    });
    await putInPlace(join(kept, FRESH), path, gate);
    // Nobody needs the copies that these made any more.
    for (const place of [kept, ...unfinished]) removeCopy(place);
    if (gate) await sleep(LINGER_MS);
    else rmSync(kept, { recursive: true });
    return recovery;
  } finally {
    gate?.close();
  }
}

function removeCopy(place: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(place, FRESH + suffix), { force: true });
}

/** Keeps the damaged file and builds the new one next to it. */
async function build(kept: string, gate: Gate | null, options: RecoverOptions): Promise<Recovery> {
  const { path, kind, clock, backup, key = null } = options;
  gate?.copyTo(join(kept, basename(path)));
  const fresh = join(kept, FRESH);
  if (backup !== null) await copyBackup(backup, { target: fresh, key }, options);
  const items = await itemsIn(fresh, { kind, clock, key });
  await refuseDamaged({ copy: fresh, origin: fresh, key, hint: "The damaged file was not touched." });
  const recovery: Recovery = { kept: gate && kept, backup, items };
  if (gate) await writeFile(join(kept, REPORT), `${JSON.stringify(recovery)}\n`, { mode: 0o600 });
  return recovery;
}

async function copyBackup(
  id: string,
  copying: { target: string; key: StoreKey | null },
  { path, kind, folder }: Pick<RecoverOptions, "path" | "kind" | "folder">,
): Promise<void> {
  const backup = (await backupsOf({ path, kind, folder })).find((known) => known.id === id);
  const file = backup?.files.find(({ store }) => store === kind);
  if (!file) throw new Failure("not_found", `There is no backup ${id} any more.`, "Run `stele doctor` again.");
  await checkedCopy(join(folder, id, file.name), file, copying);
}

/** Opening a store that is not there yet creates it. */
async function itemsIn(
  path: string,
  opening: { kind: StoreName; clock: Clock; key: StoreKey | null },
): Promise<number> {
  const store = await openSqliteStore({ path, ...opening });
  try {
    return (await store.report()).counts.reduce((sum, { count }) => sum + count, 0);
  } finally {
    await store.close();
  }
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

/** Folders of recoveries that were killed after the new file was built. A finished one has no new file left in its folder. */
async function unfinishedIn(folder: string, name: string): Promise<string[]> {
  const places = (await readdir(folder))
    .filter((entry) => entry.startsWith(DAMAGED))
    .map((entry) => join(folder, entry));
  return places.filter((place) => isThere(join(place, FRESH)) && isThere(join(place, name)));
}

type Backed = Pick<RecoverOptions, "path" | "kind" | "folder">;

/** Backups that hold the store, newest first. States replaced by a restore are the last choice. */
async function backupsOf({ path, kind, folder }: Backed): Promise<Backup[]> {
  const all = (await readBackups(folder)).filter(
    ({ spaceId, files }) =>
      files.some(({ store }) => store === kind) && (kind === "global" || spaceId === basename(path, ".db")),
  );
  const isReplaced = ({ reason }: Backup) => reason === "replaced";
  return [...all.filter((backup) => !isReplaced(backup)), ...all.filter(isReplaced)];
}

/** The newest backup from which the store can be restored: unaltered, with sound pages and a schema of ours. */
export async function soundBackup(
  { path, kind, folder }: Backed,
  key: StoreKey | null = null,
): Promise<Pick<Backup, "id" | "at"> | null> {
  for (const { id, at, files } of await backupsOf({ path, kind, folder })) {
    const file = files.find(({ store }) => store === kind)!;
    if (await isFit(join(folder, id, file.name), file, key)) return { id, at };
  }
  return null;
}

async function isFit(path: string, file: BackupFile, key: StoreKey | null): Promise<boolean> {
  try {
    await refuseUnfit(path, file, key);
    return true;
  } catch {
    // This backup is unusable, but there may be another.
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
    await store.apply([{ kind: "insert_space", space }], {
      verb: "recover",
      host: "doctor",
      session: "",
      space: "",
      call: space.id,
    });
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
