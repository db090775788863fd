/**
 * The memory of one project in a temporary folder, for a replay: the product's own parts, a clock and a branch that are
 * set, and copies with some sessions taken out.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenOptions, openWorld } from "../../src/app/compose.ts";
import { createNoEmbedder } from "../../src/embed/embedders.ts";
import { createMinilm } from "../../src/embed/minilm/embedder.ts";
import { Failure } from "../../src/errors.ts";
import { drain } from "../../src/maintenance/backfill.ts";
import type { Shelf } from "../../src/memory/shelves.ts";
import type { Embedder } from "../../src/ports.ts";
import { extract } from "../../src/sessions/extract.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/store.ts";
import type { World } from "../../src/world.ts";
import { openVectors } from "../quality/vectors.ts";

export const DEFAULT_HOME = join(tmpdir(), "stele-bench-sessions");

export interface Memory {
  /** With the model, and as it is while the model is not loaded. */
  world: World;
  wordsOnly: World;
  at: { time: number; branch: string | null };
  /** Takes in a session that is over. */
  takeIn(transcript: string): Promise<void>;
  /** As it would be had these sessions not been taken in. */
  without(sessions: readonly string[]): Promise<Copy>;
  seconds: { takingIn: number; embedding: number };
  close(): Promise<void>;
}

export type Copy = Pick<Memory, "world" | "wordsOnly" | "close">;

/** An answer of the keyword floor must never be measured as if the model had taken part; hooks do nothing on the side. */
const SETTINGS = { recall: { modelWaitMs: 60_000, drainPassages: 0 }, time: { zone: "UTC" } };
const ITEMS_MOST = 100_000;

/** Vectors are kept in `home` between runs. */
export function openModel(home: string): { embedder: Embedder; close(): Promise<void> } {
  mkdirSync(home, { recursive: true });
  const model = createMinilm({ cacheFolder: home, threads: 2 });
  const vectors = openVectors(join(home, "vectors.db"));
  const close = async () => {
    await model.close();
    vectors.close();
  };
  return { embedder: vectors.before(model), close };
}

/** `settings`: of the product, in place of its defaults. */
export async function openMemory(embedder: Embedder, settings: OpenOptions["settings"] = {}): Promise<Memory> {
  const folder = mkdtempSync(join(tmpdir(), "stele-bench-"));
  const project = join(folder, "project");
  mkdirSync(project);
  const at: Memory["at"] = { time: 0, branch: null };
  const clock = { now: () => at.time };
  const options = { host: "bench", home: join(folder, "home"), project, clock };
  const opened = await openWorld({ ...options, settings: { ...settings, ...SETTINGS } });
  const place = { ...opened.world.place, branch: () => at.branch, commit: () => null };
  const world: World = { ...opened.world, embedder, place, notes: null };
  const { path } = await world.project.report();
  const seconds = { takingIn: 0, embedding: 0 };
  let copies = 0;

  async function takeIn(transcript: string): Promise<void> {
    const began = performance.now();
    const { error } = await extract({ path: transcript, isEnded: true }, world);
    if (error !== null) throw new Failure("internal", `${transcript}: ${error}`, "Run one session alone.");
    const read = performance.now();
    await drain(world.project, world, { patient: true });
    seconds.takingIn += (read - began) / 1_000;
    seconds.embedding += (performance.now() - read) / 1_000;
  }

  async function without(sessions: readonly string[]): Promise<Copy> {
    await world.afterwards.settle();
    const file = join(folder, `copy-${(copies += 1)}.db`);
    for (const end of ["", "-wal"]) if (existsSync(path + end)) copyFileSync(path + end, file + end);
    const store = await openSqliteStore({ path: file, kind: "project", clock });
    await takeOut(sessions, store, world);
    const close = async () => {
      await world.afterwards.settle();
      await store.close();
      for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
    };
    return { ...both({ ...world, project: store }), close };
  }

  const close = async () => {
    await world.afterwards.settle();
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...both(world), at, takeIn, without, seconds, close };
}

const both = (world: World) => ({ world, wordsOnly: { ...world, embedder: createNoEmbedder() } });

/** As the product erases: evidence and what was made of it, with all words and vectors. */
async function takeOut(sessions: readonly string[], store: Store, { origin }: World): Promise<void> {
  if (sessions.length === 0) return;
  const ids = (await Promise.all(sessions.map((session) => store.evidenceOf(session)))).flat();
  for (const shelf of ["memory", "proposal", "decision"] satisfies Shelf[])
    for (const { item } of await store.walk(shelf, { after: null, limit: ITEMS_MOST }))
      if (sessions.includes(item.session)) ids.push(item.id);
  await store.apply([{ kind: "purge_items", ids, queries: [], sessions: [...sessions] }], origin);
  const left = await store.sessionCards({ sessions, limit: 1 });
  if (left.length > 0) throw new Failure("internal", "A session could not be taken out.", "See how a purge works.");
}
