/**
 * Kills a process that remembers, again and again, at moments nobody chose.
 *
 * All rounds share one home. After each, the files must be sound and hold every id that
 * any round had acknowledged.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openEncryption } from "../../src/app/compose-encryption.ts";
import { openStoreFolder } from "../../src/app/store-folder.ts";
import type { StoreKey } from "../../src/encryption/store-key.ts";
import { openKeyed } from "../../src/store/sqlite/sqlite.ts";
import { startChild } from "../child.ts";
import { soundMemories } from "./sound-file.ts";

const LONGEST_LIFE_MS = 250;

/** How many were acknowledged in so many rounds, none of which is lost. */
export async function killRounds(rounds: number, { encrypted = false } = {}): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "stele-kill-"));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  mkdirSync(project);
  const acknowledged: string[] = [];
  try {
    if (encrypted) await encrypt(home, join(folder, "key"));
    for (let round = 1; round <= rounds; round += 1) {
      const lifeMs = Math.floor(Math.random() * LONGEST_LIFE_MS);
      acknowledged.push(...(await oneLife(home, project, round, lifeMs)));
      const { path: place, key } = await openStoreFolder(home);
      const stores = storesIn(place, key);
      const kept = new Set(stores.flatMap((path) => soundMemories(path, key).map(({ id }) => id)));
      const lost = acknowledged.filter((id) => !kept.has(id));
      assert.deepEqual(lost, [], `round ${round}, killed after ${lifeMs} ms`);
    }
    return acknowledged.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function encrypt(home: string, keyFile: string): Promise<void> {
  mkdirSync(home, { mode: 0o700 });
  await openEncryption({ home, lateHooksMs: 0 }).change(null, { kind: "file", path: keyFile });
}

/** The ids that one process acknowledged before it died, `lifeMs` after its first word or its start. */
async function oneLife(home: string, project: string, round: number, lifeMs: number): Promise<string[]> {
  const script = new URL("fixtures/remember-in-bulk.ts", import.meta.url);
  await using child = startChild(script, [home, project, round]);
  // Some die while they are still opening, most while they write.
  if (round % 5 !== 0) await child.spoke();
  await sleep(lifeMs);
  child.kill();
  const { signal, output, errors } = await child.ended;
  assert.deepEqual([errors, signal], ["", "SIGKILL"], "it did not fail before it was killed");
  return output.split("\n").slice(0, -1);
}

function storesIn(home: string, key: StoreKey | null): string[] {
  const spaces = join(home, "spaces");
  const files = existsSync(spaces) ? readdirSync(spaces).map((name) => join(spaces, name)) : [];
  const all = [...(existsSync(home) ? [join(home, "global.db")] : []), ...files];
  return all.filter((path) => path.endsWith(".db") && hasSchema(path, key));
}

/** A process may have died between making a file and its tables; the next one finishes it. */
function hasSchema(path: string, key: StoreKey | null): boolean {
  if (!existsSync(path)) return false;
  const db = openKeyed(path, key);
  const version = db.pragma("user_version", { simple: true }) as number;
  db.close();
  return version > 0;
}
