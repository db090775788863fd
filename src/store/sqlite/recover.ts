/**
 * Makes a damaged store anew, from its latest good backup and from what is still readable.
 *
 * The damaged file is kept, whole and with its log, before anything else is done. The new file
 * is built and checked beside it and takes its place by one rename, so that a process that is
 * killed leaves the old one or the new one. A file that somebody has open is refused.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { Failure } from "../../errors.ts";
import type { BackupFile, StoreName } from "../../model/backup.ts";
import type { Change, Origin } from "../../model/change.ts";
import type { Recovery } from "../../model/finding.ts";
import type { Space } from "../../model/space.ts";
import { SHELVES } from "../../model/shelf.ts";
import type { Clock, Store } from "../../ports.ts";
import { refuseDamaged } from "./backup-copy.ts";
import { DAMAGED } from "./backup-erase.ts";
import { readBackups, timedName } from "./backup-folder.ts";
import { checkedCopy } from "./backup-restore.ts";
import { copyWithLog, ensureFolder, isThere, refuseSpecial, syncFile } from "./data-file.ts";
import { type Database, codeOf } from "./database.ts";
import { type Salvaged, type SalvagedItem, salvage } from "./salvage.ts";
import { openSqliteStore } from "./store.ts";

export interface RecoverOptions {
  path: string;
  kind: StoreName;
  /** Where the backups are, and where the damaged file is kept. */
  folder: string;
  clock: Clock;
}

/** Ends a recovery; a folder without it belongs to one that was cut short. */
const REPORT = "recovery.json";

export async function recoverStore({ path, kind, folder, clock }: RecoverOptions): Promise<Recovery> {
  refuseSpecial(path);
  const gate = isThere(path) ? hold(path) : null;
  try {
    const kept = join(folder, DAMAGED + timedName(clock.now()));
    ensureFolder(folder);
    mkdirSync(kept, { mode: 0o700 });
    copyWithLog(path, join(kept, basename(path)));
    const salvaged = (await originals(folder, basename(path))).map(salvage);
    const fresh = join(kept, "recovered.db");
    const backup = await buildOn(fresh, { path, kind, folder });
    const counts = await fill(fresh, salvaged, { kind, clock, call: basename(kept) });
    await refuseDamaged(fresh, fresh, "The damaged file was not touched.");
    gate?.close();
    putInPlace(fresh, path);
    const recovery: Recovery = { kept: gate && kept, backup, ...counts };
    if (gate) await writeFile(join(kept, REPORT), `${JSON.stringify(recovery)}\n`, { mode: 0o600 });
    else rmSync(kept, { recursive: true });
    return recovery;
  } finally {
    gate?.close();
  }
}

/**
 * Whoever has the file open would go on writing to what is no longer there, so nobody may. SQLite asks for the
 * whole lock before it looks at the first page, if there is a log; without one nobody has written lately, and
 * who only has the file open shows in the system's list of locks, where there is one.
 */
function hold(path: string): Database {
  const db = new Sqlite(path, { timeout: 0 });
  try {
    db.pragma("locking_mode = exclusive");
    db.pragma("user_version");
    return db;
  } catch (thrown) {
    if (!codeOf(thrown).startsWith("SQLITE_BUSY") && !isListed(path)) return db;
    db.close();
    throw new Failure(
      "conflict",
      `Another process has ${path} open.`,
      "Stop it (an MCP server, most likely), then repeat.",
    );
  }
}

/** Whether another process holds a lock on the file, as far as the system tells. */
function isListed(path: string): boolean {
  const { ino } = statSync(path);
  const lines = isThere("/proc/locks") ? readFileSync("/proc/locks", "utf8").split("\n") : [];
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return fields.some(([, , , , pid, file]) => file?.endsWith(`:${ino}`) && pid !== String(process.pid));
}

/** Every kept file of this name that no finished recovery has read: a recovery that was killed may have lost the log. */
async function originals(folder: string, name: string): Promise<string[]> {
  const places = (await readdir(folder))
    .filter((entry) => entry.startsWith(DAMAGED))
    .map((entry) => join(folder, entry));
  return places
    .filter((place) => !isThere(join(place, REPORT)) && isThere(join(place, name)))
    .map((place) => join(place, name))
    .sort();
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

const ORIGIN = { verb: "recover", host: "doctor", session: "" };

type Counts = Pick<Recovery, "fromBackup" | "salvaged" | "unreadable">;

async function fill(
  fresh: string,
  salvaged: readonly Salvaged[],
  { kind, clock, call }: { kind: StoreName; clock: Clock; call: string },
): Promise<Counts> {
  const store = await openSqliteStore({ path: fresh, kind, clock });
  const origin: Origin = { ...ORIGIN, call };
  try {
    const { counts } = await store.report();
    let merged = 0;
    for (const { journal, items, spaces } of salvaged) {
      // On top of a backup its own journal goes on.
      await store.apply([{ kind: "adopt_journal", entries: journal }], origin);
      merged += await mergeItems(store, items, origin);
      if (kind === "global") for (const space of spaces) await mergeSpace(store, space, origin);
    }
    const expected = salvaged.flatMap((part) => [...part.expected]);
    const found = await Promise.all(SHELVES.map((shelf) => store.items(shelf, expected)));
    const missing = new Set(expected);
    for (const { id } of found.flat()) missing.delete(id);
    const fromBackup = counts.reduce((sum, { count }) => sum + count, 0);
    return { fromBackup, salvaged: merged, unreadable: missing.size };
  } finally {
    await store.close();
  }
}

const ITEMS_AT_ONCE = 128;

/** How many were new, or newer than what is there. */
async function mergeItems(store: Store, items: readonly SalvagedItem[], origin: Origin): Promise<number> {
  let [merged, waiting] = [0, items];
  // Twice, because one item may stand in the way of another until it is itself brought up to date.
  for (let round = 1; round <= 2; round += 1) {
    const refused: SalvagedItem[] = [];
    for (let start = 0; start < waiting.length; start += ITEMS_AT_ONCE) {
      const group = waiting.slice(start, start + ITEMS_AT_ONCE);
      const outcomes = await Promise.all(group.map((item) => mergeItem(store, item, origin)));
      merged += outcomes.filter((outcome) => outcome === "merged").length;
      refused.push(...group.filter((_, index) => outcomes[index] === "refused"));
    }
    waiting = refused;
  }
  return merged;
}

async function mergeItem(store: Store, whole: SalvagedItem, origin: Origin): Promise<"merged" | "known" | "refused"> {
  const { shelf, item, passages, embed } = whole;
  const [present] = await store.items(shelf, [item.id]);
  if (present && present.version >= item.version) return "known";
  const { id, version, createdAt: _, accessedAt: __, accessCount: ___, ...set } = item;
  const change: Change = present
    ? { kind: "revise_item", shelf, id, expectedVersion: present.version, version, set, passages, embed }
    : { kind: "insert_item", shelf, item, passages, embed };
  try {
    return (await store.apply([change], origin)).status === "applied" ? "merged" : "refused";
  } catch (thrown) {
    // A row that breaks a rule of the schema was not whole.
    if (codeOf(thrown).startsWith("SQLITE_CONSTRAINT")) return "refused";
    throw thrown;
  }
}

async function mergeSpace(store: Store, space: Space, origin: Origin): Promise<void> {
  const present = (await store.spaces()).find(({ id }) => id === space.id);
  const change: Change = present
    ? { kind: "move_space", id: space.id, expectedKey: present.key, space }
    : { kind: "insert_space", space };
  // A conflict means that another project has this place by now.
  await store.apply([change], origin);
}

/** Registers a store that lost its project as the one of this place. */
export async function adoptSpace(global: string, space: Space, clock: Clock): Promise<void> {
  const store = await openSqliteStore({ path: global, kind: "global", clock });
  try {
    await store.apply([{ kind: "insert_space", space }], { ...ORIGIN, call: space.id });
  } finally {
    await store.close();
  }
}

function putInPlace(fresh: string, path: string): void {
  ensureFolder(dirname(path));
  syncFile(fresh);
  // A log that stayed behind would be taken for the new file's own.
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
  renameSync(fresh, path);
}
