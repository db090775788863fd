/**
 * Backups of one project's store and the global one.
 *
 * Writers hold the lock, so that none cleans or drops what another is making. The
 * implementation is loaded on first use, because most commands never need it.
 */
import { join } from "node:path";
import type { Backups } from "../../../ports.ts";
import { translate } from "../database.ts";
import type { BackupsOptions } from "./backup-work.ts";

const working = () => import("./backup-work.ts");
const erasing = () => import("./backup-erase.ts");

export function createBackups(options: BackupsOptions): Backups {
  const { folder, clock, lockPatienceMs, key = null } = options;
  const opening = { clock, key };
  /** Turns errors of SQLite and the file system into failures. */
  const translated = <T>(work: Promise<T>): Promise<T> =>
    work.catch((thrown: unknown) => {
      throw translate(thrown, folder);
    });
  /** Holds the lock while working; a dry run needs none. */
  const whileLocked = async <T>(dryRun: boolean, work: () => Promise<T>): Promise<T> => {
    if (dryRun) return translated(work());
    const { holdingBackups } = await import("./backup-folder.ts");
    return translated(holdingBackups(folder, work, lockPatienceMs));
  };
  return {
    pathOf: (id) => join(folder, id),
    list: async () => translated((await working()).ownBackups(options)),
    take: (reason, { dryRun = false } = {}) =>
      whileLocked(dryRun, async () => (await working()).take({ reason, dryRun }, options)),
    restore: (id, stores, { dryRun = false } = {}) =>
      whileLocked(dryRun, async () => (await working()).restore(id, { stores, dryRun }, options)),
    mentions: async (ids) => translated((await erasing()).isInBackups(folder, ids, key)),
    erase: (ids, queries, { dryRun = false } = {}) =>
      whileLocked(dryRun, async () => (await erasing()).eraseFromBackups(folder, { ids, queries, dryRun }, opening)),
    countUnredacted: async (rules) =>
      translated((await import("./unredacted-backups.ts")).countUnredacted(folder, rules, key)),
    rewrite: (work, { dryRun = false } = {}) =>
      whileLocked(dryRun, async () => (await erasing()).rewriteBackups(folder, { work, dryRun }, opening)),
  };
}
