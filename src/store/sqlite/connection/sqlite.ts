/**
 * SQLite itself: the one place that opens a file with it.
 *
 * The addon for this machine is found here. Its package would ask Node for a report of the whole process to tell two
 * kinds of Linux apart, which takes longer than opening a file.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3-multiple-ciphers";

export type Database = Sqlite.Database;

const PACKAGE = "better-sqlite3-multiple-ciphers";
const HERE = fileURLToPath(import.meta.url);

let addon: string | undefined;

export function openSqlite(path: string, options: Sqlite.Options = {}): Database {
  addon ??= join(packageFolder(), addonIn(packageFolder()));
  return new Sqlite(path, { ...options, nativeBinding: addon });
}

/** As every way of looking it up would find it; folders that are likely are tried before that machinery is loaded. */
function packageFolder(): string {
  for (let folder = dirname(HERE); folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "node_modules", PACKAGE);
    if (existsSync(found)) return found;
  }
  return join(dirname(createRequire(HERE).resolve(PACKAGE)), "..");
}

/** Prebuilt for this machine, or built on it. */
function addonIn(folder: string): string {
  const system = process.platform === "linux" && isMusl() ? "linuxmusl" : process.platform;
  const prebuilt = join("prebuilds", `${system}-${process.arch}.node`);
  return existsSync(join(folder, prebuilt)) ? prebuilt : join("build", "Release", "better_sqlite3.node");
}

/** Its loader may also lie on a system of the other kind, for whoever compiles for it; only then the report decides. */
function isMusl(): boolean {
  const hasLoader = ["x86_64", "aarch64"].some((processor) => existsSync(`/lib/ld-musl-${processor}.so.1`));
  if (!hasLoader) return false;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}
