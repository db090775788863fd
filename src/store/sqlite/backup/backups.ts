/**
 * Backups of one project's store and the person's own.
 *
 * Whatever writes among them does so alone, so that nobody cleans or drops what another is
 * making. How it is done is loaded by whoever first does it: most commands never do.
 */
import { join } from "node:path";
import type { Backups } from "../../../ports/backups.ts";
import type { BackupsOptions } from "./backup-work.ts";
import { translate } from "../connection/database.ts";

const working = () => import("./backup-work.ts");
const erasing = () => import("./backup-erase.ts");

export function createBackups(options: BackupsOptions): Backups {
  const { folder, clock, lockPatienceMs } = options;
  /** What SQLite and the file system throw, as failures. */
  const translated = <T>(work: Promise<T>): Promise<T> =>
    work.catch((thrown: unknown) => {
      throw translate(thrown, folder);
    });
  /** Nobody else's backups are touched meanwhile; a rehearsal touches none. */
  const alone = async <T>(rehearse: boolean, work: () => Promise<T>): Promise<T> => {
    if (rehearse) return translated(work());
    const { holdingBackups } = await import("./backup-lock.ts");
    return translated(holdingBackups(folder, work, lockPatienceMs));
  };
  return {
    pathOf: (id) => join(folder, id),
    list: async () => translated((await working()).ownBackups(options)),
    take: (reason, { rehearse = false } = {}) =>
      alone(rehearse, async () => (await working()).take({ reason, rehearse }, options)),
    restore: (id, stores, { rehearse = false } = {}) =>
      alone(rehearse, async () => (await working()).restore(id, { stores, rehearse }, options)),
    mentions: async (ids) => translated((await erasing()).isInBackups(folder, ids)),
    erase: (ids, queries, { rehearse = false } = {}) =>
      alone(rehearse, async () => (await erasing()).eraseFromBackups(folder, { ids, queries, rehearse }, clock)),
  };
}
