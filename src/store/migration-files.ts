/**
 * The files of migrations. One has up to three parts, run in this order: `NNN-name.shelf.sql` once for each shelf,
 * `NNN-name.sql` once, `NNN-name.global.sql` only in the global store.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SHELVES } from "../memory/shelves.ts";

export type SpaceKind = "project" | "global";

/** The SQL of one migration. */
export type Migration = (kind: SpaceKind) => string;

/** Ordered by number. */
export function migrationsIn(folder: string): Migration[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  const names = [...new Set(files.map((file) => file.split(".")[0]!))].sort();
  return names.map((name) => (kind) => {
    const part = (suffix: string) =>
      files.includes(name + suffix) ? readFileSync(join(folder, name + suffix), "utf8") : "";
    const ofShelf = part(".shelf.sql");
    const shelves = SHELVES.map((shelf) => ofShelf.replaceAll("{shelf}", shelf));
    return [...shelves, part(".sql"), kind === "global" ? part(".global.sql") : ""].join("\n");
  });
}
