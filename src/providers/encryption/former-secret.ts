/**
 * What opens reports of hooks that were sealed just before the key was changed, sealed itself to the new key.
 *
 * It exists only while a key is being changed. If that is interrupted, reports sealed to the former key can still be digested.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StoreKey } from "../../model/care/store-key.ts";
import { SPOOL, createFolder } from "../capture/spool-folder.ts";
import { writeSynced } from "./record-file.ts";
import { openReport, reportsSecretOf, sealReport } from "./reports.ts";

const NAME = "former-secret";

/** Before the record is replaced. */
export function keepFormerSecret(home: string, former: StoreKey, reports: string): void {
  createFolder(join(home, SPOOL));
  dropFormerSecret(home);
  const secret = Buffer.from(reportsSecretOf(former)).toString("hex");
  writeSynced(join(home, SPOOL, NAME), sealReport(secret, reports));
}

export const dropFormerSecret = (home: string): void => rmSync(join(home, SPOOL, NAME), { force: true });

/** The text of a sealed report, by the key in force or the one just before it; null if neither opens it. */
export function openSealed(bytes: Buffer, key: StoreKey, spools: string): string | null {
  const secret = reportsSecretOf(key);
  const text = openReport(bytes, secret);
  const path = join(spools, NAME);
  if (text !== null || !existsSync(path)) return text;
  const former = openReport(readFileSync(path), secret);
  return former && openReport(bytes, Buffer.from(former, "hex"));
}
