/** Counts the copies that were not gone over by today's rules for secrets. Only reads. */
import { join } from "node:path";
import type { StoreKey } from "../../../encryption/store-key.ts";
import { careReads } from "../../care.ts";
import { refuseSpecial } from "../data-file.ts";
import { driveOn } from "../drive.ts";
import { openKeyed } from "../sqlite.ts";
import { readBackups } from "./backup-folder.ts";

export async function countUnredacted(folder: string, rules: string, key: StoreKey | null): Promise<number> {
  const paths = (await readBackups(folder)).flatMap(({ id, files }) => files.map(({ name }) => join(folder, id, name)));
  return paths.filter((path) => isUnredacted(path, rules, key)).length;
}

/** One that cannot be read cannot be cleaned either; it is reported as such. */
function isUnredacted(path: string, rules: string, key: StoreKey | null): boolean {
  try {
    refuseSpecial(path);
    const db = openKeyed(path, key, { readonly: true, fileMustExist: true });
    try {
      return driveOn(db)(careReads.redactedBy()) !== rules;
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}
