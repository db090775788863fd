/**
 * A store on a fresh file, copied from one that was made once.
 *
 * Making the tables costs ten times as much as copying them, and most tests only want an
 * empty store. What a fresh file is like is tested where files are made.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import type { SpaceKind } from "../../src/store/sqlite/migrate.ts";
import { openSqliteStore, type SqliteStoreOptions } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/store.ts";

const templates = new Map<SpaceKind, Promise<string>>();
const folder = mkdtempSync(join(tmpdir(), "stele-template-"));
after(() => rmSync(folder, { recursive: true, force: true }));

async function template(kind: SpaceKind): Promise<string> {
  const path = join(folder, `${kind}.db`);
  await (await openSqliteStore({ path, kind, clock: { now: () => 0 } })).close();
  return path;
}

/** Opens the file as it is when it is there. */
export async function freshStore(options: SqliteStoreOptions): Promise<Store> {
  if (!templates.has(options.kind)) templates.set(options.kind, template(options.kind));
  if (!existsSync(options.path)) {
    mkdirSync(dirname(options.path), { recursive: true });
    copyFileSync(await templates.get(options.kind)!, options.path);
  }
  return openSqliteStore(options);
}
