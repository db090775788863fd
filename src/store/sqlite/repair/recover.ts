/**
 * Makes a damaged store anew, from its latest good backup and from what is still readable.
 *
 * The damaged file is kept, whole and with its log, before anything else is done. The new file
 * is built and checked beside it and takes its place by one rename, so that a process that is
 * killed leaves the old one or the new one. A file that somebody has open is refused.
 */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../../errors.ts";
import type { BackupFile, StoreName } from "../../../model/care/backup.ts";
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
import { openSqlite } from "../connection/sqlite.ts";

export interface RecoverOptions {
  path: string;
  kind: StoreName;
  /** Where the backups are, and where the damaged file is kept. */
  folder: string;
  clock: Clock;
}

const REPORT = "recovery.json";
/** The new store while it is built. It leaves its folder by the rename that ends a recovery. */
const FRESH = "recovered.db";

/** With whether the damaged file still told all that had been written to it. */
export type Recovered = Recovery & { isComplete: boolean };

export async function recoverStore(options: RecoverOptions): Promise<Recovered> {
  try {
    return await holdingBackups(options.folder, () => recoverAlone(options));
  } catch (thrown) {
    throw translate(thrown, options.path);
  }
}

async function recoverAlone(options: RecoverOptions): Promise<Recovered> {
  const { path, folder, clock } = options;
  refuseSpecial(path);
  const gate = isThere(path) ? hold(path) : null;
  try {
    const kept = join(folder, DAMAGED + timedName(clock.now()));
    ensureFolder(folder);
    const unfinished = await unfinishedIn(folder, basename(path));
    mkdirSync(kept, { mode: 0o700 });
    const recovery = await build(kept, { gate, unfinished }, options).catch((thrown: unknown) => {
      // Nothing was taken away yet, so nothing is only here.
      rmSync(kept, { recursive: true, force: true });
      throw thrown;
    });
    await putInPlace(join(kept, FRESH), path, gate);
    // What they kept is in the new file; read again, it would bring back what is removed from now on.
    for (const place of unfinished) rmSync(join(place, FRESH), { force: true });
    if (gate) await sleep(LINGER_MS);
    else rmSync(kept, { recursive: true });
    return recovery;
  } finally {
    gate?.close();
  }
}

/** Keeps the damaged file and builds the new one beside it. */
async function build(
  kept: string,
  { gate, unfinished }: { gate: Gate | null; unfinished: readonly string[] },
  { path, kind, folder, clock }: RecoverOptions,
): Promise<Recovered> {
  gate?.copyTo(join(kept, basename(path)));
  const originals = [...unfinished, ...(gate ? [kept] : [])].map((place) => salvage(join(place, basename(path))));
  const fresh = join(kept, FRESH);
  const backup = await buildOn(fresh, { path, kind, folder });
  const counts = await fill(fresh, originals, { kind, clock, call: basename(kept) });
  await refuseDamaged(fresh, fresh, "The damaged file was not touched.");
  const isComplete = originals.at(-1)?.isComplete ?? false;
  const recovery: Recovered = { kept: gate && kept, backup, ...counts, isComplete };
  if (gate) await writeFile(join(kept, REPORT), `${JSON.stringify(recovery)}\n`, { mode: 0o600 });
  return recovery;
}

/** Nobody who opened the old file before it was replaced waits longer for its lock; later ones open the new file. */
const LINGER_MS = 2 * BUSY_TIMEOUT_MS;

interface Gate {
  copyTo(target: string): void;
  close(): void;
}

/**
 * Whoever has the file open would go on writing to what is no longer there, so nobody may. SQLite asks for the
 * whole lock before it looks at the first page, if there is a log; without one nobody has written lately, and
 * who only has the file open shows in the system's list of locks, where there is one.
 */
function hold(path: string): Gate {
  const file = openSync(path, "r");
  const db = openSqlite(path, { timeout: 0, fileMustExist: true });
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

/** Whether another process holds a lock on the file, as far as the system tells. */
function isListed(path: string): boolean {
  const { ino } = statSync(path);
  const lines = isThere("/proc/locks") ? readFileSync("/proc/locks", "utf8").split("\n") : [];
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return fields.some(([, , , , pid, file]) => file?.endsWith(`:${ino}`) && pid !== String(process.pid));
}

/**
 * Folders of recoveries that were killed when all was built: the log may be gone, and is in the folder alone. One
 * that was killed before that has taken nothing away, and one that was ended has no new file in its folder any more.
 */
async function unfinishedIn(folder: string, name: string): Promise<string[]> {
  const places = (await readdir(folder))
    .filter((entry) => entry.startsWith(DAMAGED))
    .map((entry) => join(folder, entry));
  return places.filter((place) => isThere(join(place, FRESH)) && isThere(join(place, name))).sort();
}

/** Begins with the latest backup that is good; answers its id. What a restore put out of use is the last choice. */
async function buildOn(fresh: string, { path, kind, folder }: Omit<RecoverOptions, "clock">): Promise<string | null> {
  const all = (await readBackups(folder)).filter(
    ({ spaceId }) => kind === "global" || spaceId === basename(path, ".db"),
  );
  const asked = all.filter(({ reason }) => reason === "asked");
  for (const { id, files } of [...asked, ...all]) {
    const file = files.find(({ store }) => store === kind);
    if (file && (await isCopied(join(folder, id), file, fresh))) return id;
  }
  return null;
}

async function isCopied(place: string, file: BackupFile, fresh: string): Promise<boolean> {
  try {
    await checkedCopy(join(place, file.name), file, fresh);
    return true;
  } catch {
    // Whatever is wrong with this one, there may be another.
    rmSync(fresh, { force: true });
    return false;
  }
}

/** Registers a store that lost its project as the one of this place. */
export async function adoptSpace(global: string, space: Space, clock: Clock): Promise<void> {
  const store = await openSqliteStore({ path: global, kind: "global", clock });
  try {
    await store.apply([{ kind: "insert_space", space }], { ...RECOVERY_ORIGIN, call: space.id });
  } finally {
    await store.close();
  }
}

async function putInPlace(fresh: string, path: string, gate: Gate | null): Promise<void> {
  ensureFolder(dirname(path));
  await syncFile(fresh);
  // Windows replaces no file that is open.
  if (process.platform === "win32") gate?.close();
  // A log that stayed behind would be taken for the new file's own.
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
  renameSync(fresh, path);
}
