/**
 * Kills commands that encrypt, decrypt and change keys, at moments nobody chose, while another process writes.
 *
 * After each, one whole memory must be there: sound files, every id that was ever acknowledged, every backup.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openEncryption } from "../../src/app/compose-encryption.ts";
import { recordIn } from "../../src/encryption/record-file.ts";
import { open } from "../../src/index.ts";
import { storesIn } from "../../src/store/sqlite/convert.ts";
import { examineBackups } from "../../src/store/sqlite/examine.ts";
import { type Child, startChild } from "../child.ts";
import { soundMemories } from "./sound-file.ts";

const changer = new URL("fixtures/change-key.ts", import.meta.url);
const writer = new URL("fixtures/remember-through-changes.ts", import.meta.url);

export interface KilledChanges {
  acknowledged: number;
  /** Killed before anything had changed, and after everything had. */
  before: number;
  after: number;
  /** Not killed in time. */
  done: number;
}

interface Rounds {
  home: string;
  project: string;
  acknowledged: string[];
  tally: KilledChanges;
}

export async function killChanges(rounds: number): Promise<KilledChanges> {
  const folder = mkdtempSync(join(tmpdir(), "stele-kill-key-"));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  const tally = { acknowledged: 0, before: 0, after: 0, done: 0 };
  const all: Rounds = { home, project, acknowledged: [], tally };
  mkdirSync(project);
  try {
    const stele = await open({ home, project, settings: { embedder: { provider: "hash" } } });
    all.acknowledged.push((await stele.remember({ content: "herons fish at dawn" })).id);
    await stele.backup({});
    await stele.close();
    let longestMs = 2_000;
    for (let round = 1; round <= rounds; round += 1) {
      const isEnding = round % 3 === 0 && recordIn(home)?.key != null;
      const keyFile = isEnding ? "-" : join(folder, "keys", `${round}.key`);
      await using writing = startChild(writer, [home, project]);
      const lifeMs = round % 10 === 1 ? Infinity : Math.floor(longestMs * Math.random());
      const tookMs = await oneChange(all, keyFile, lifeMs);
      if (lifeMs === Infinity) longestMs = tookMs;
      await endOf(writing, all);
      await checkWhole(all, `round ${round}, killed after ${lifeMs} of ${longestMs} ms`);
    }
    await openEncryption({ home }).removeLeft();
    if (recordIn(home)?.key) assert.deepEqual(filesWith(home, "herons"), []);
    return { ...tally, acknowledged: all.acknowledged.length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Encrypts a plain home, changes the key of an encrypted one, or decrypts it. Returns how long it took. */
async function oneChange({ home, tally }: Rounds, keyFile: string, lifeMs: number): Promise<number> {
  const former = recordIn(home);
  await using child = startChild(changer, [home, keyFile]);
  await child.spoke();
  const startedAt = performance.now();
  await Promise.race([child.ended, ...(lifeMs === Infinity ? [] : [sleep(lifeMs)])]);
  const tookMs = performance.now() - startedAt;
  child.kill();
  const { output, errors } = await child.ended;
  assert.equal(errors, "");
  if (output.includes("done")) tally.done += 1;
  else if (recordIn(home)?.folder === former?.folder) tally.before += 1;
  else tally.after += 1;
  return tookMs;
}

async function endOf(writing: Child, { acknowledged }: Rounds): Promise<void> {
  await Promise.race([writing.spoke(), writing.ended]);
  writing.kill();
  const { signal, output, errors } = await writing.ended;
  assert.deepEqual([errors.replace(/^stele: a command that was interrupted.*\n/gm, ""), signal], ["", "SIGKILL"]);
  acknowledged.push(...output.split("\n").slice(0, -1));
}

async function checkWhole({ home, acknowledged }: Rounds, when: string): Promise<void> {
  const record = recordIn(home);
  const key = await openEncryption({ home }).key();
  const folder = record === null ? home : join(home, record.folder);
  const stores = await storesIn(folder);
  assert.equal(stores.length, 2, when);
  const kept = new Set(stores.flatMap(({ path }) => soundMemories(path, key).map(({ id }) => id)));
  assert.deepEqual(acknowledged.filter((id) => !kept.has(id)), [], when); // prettier-ignore
  const backups = await examineBackups(join(folder, "backups"));
  assert.deepEqual(backups.map(({ isGood }) => isGood), [true], when); // prettier-ignore
}

const filesWith = (folder: string, word: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(word));
