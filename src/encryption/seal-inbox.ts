/**
 * Brings the reports that wait in the spools of all projects to another key, or to none.
 *
 * Each is replaced at once, under its own name. One that is digested meanwhile may come back, which does no harm: the store knows
 * its id. What could not be read as a report before is removed, because nobody can say what it is.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFolder, DRAFT, REPORT, SPOOL } from "../sessions/inbox-writer.ts";
import { writeSynced } from "./record-file.ts";
import type { KeyRecord } from "./record.ts";
import { isSealed, openReport, reportsSecretOf, sealReport } from "./reports.ts";
import type { StoreKey } from "./store-key.ts";

const UNREADABLE = "bad";

interface Waiting {
  reports: number;
  /** Paths of what could not be read as reports. */
  unreadable: string[];
}

export function waitingReports(home: string): Waiting {
  const folders = foldersIn(home);
  return {
    reports: folders.reduce((sum, folder) => sum + namesIn(folder, REPORT).length, 0),
    unreadable: folders.map((folder) => join(folder, UNREADABLE)).filter((path) => existsSync(path)),
  };
}

/** How many reports can be read by anybody: a hook that was held up may write one after everything was sealed. */
export const plainReports = (home: string): number =>
  foldersIn(home)
    .flatMap((folder) => namesIn(folder, REPORT).map((name) => join(folder, name)))
    .filter((path) => {
      const bytes = readIfThere(path);
      return bytes !== null && !isSealed(bytes);
    }).length;

/** `to` is the public key of reports, or null for plain ones. */
export function resealReports(home: string, from: StoreKey | null, to: KeyRecord["reports"] | null): void {
  for (const folder of foldersIn(home)) {
    for (const name of namesIn(folder, REPORT)) reseal(join(folder, name), from, to);
    for (const name of namesIn(folder, DRAFT)) rmSync(join(folder, name), { force: true });
    rmSync(join(folder, UNREADABLE), { recursive: true, force: true });
  }
}

function reseal(path: string, from: StoreKey | null, to: KeyRecord["reports"] | null): void {
  const bytes = readIfThere(path);
  if (bytes === null || (to === null && !isSealed(bytes))) return;
  const text = !isSealed(bytes) ? bytes.toString("utf8") : from && openReport(bytes, reportsSecretOf(from));
  // Sealed to the new key already, or to one that nobody has.
  if (text === null) return;
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, to === null ? text : sealReport(text, to), { mode: 0o600 });
  renameSync(draft, path);
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw thrown;
  }
}

function foldersIn(home: string): string[] {
  const folder = join(home, SPOOL);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}

const namesIn = (folder: string, pattern: RegExp): string[] => readdirSync(folder).filter((name) => pattern.test(name));

/**
 * What opens reports of hooks that were sealed just before the key was changed, sealed itself to the new key.
 *
 * It exists only while a key is being changed. If that is interrupted, reports sealed to the former key can still be digested.
 */
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
