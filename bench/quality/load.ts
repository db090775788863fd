/**
 * Loads a question set into stores, through the functions that the verbs call.
 *
 * One space per group, in a folder named after its content: a changed group is loaded again,
 * an unchanged one is reused. Vectors are kept in a common file and never computed twice.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type OpenOptions, openWorld } from "../../src/app/compose.ts";
import { keepEvidence } from "../../src/decisions/evidence.ts";
import { Failure } from "../../src/errors.ts";
import { indexProject } from "../../src/files/index-project.ts";
import { linkMemories } from "../../src/graph/link-memories.ts";
import { drain } from "../../src/maintenance/backfill.ts";
import { remember } from "../../src/memory/remember.ts";
import type { Store } from "../../src/store/store.ts";
import type { Clock, Progress, World } from "../../src/world.ts";
import type { Document, QuestionSet } from "./data.ts";
import { entriesOf, type Entry, fingerprint, type Material } from "./entries.ts";
import { openVectors, type Vectors } from "./vectors.ts";

export interface LoadOptions {
  home: string;
  progress: Progress;
  settings?: NonNullable<OpenOptions["settings"]>;
  /** Opens an empty store for a project, in place of the one on SQLite. */
  openProject?: (name: string, clock: Clock) => Promise<Store>;
}

export interface LoadedGroup {
  world: World;
  /** The document a hit represents. */
  documentOf(hit: { id: string; passage?: { ordinal: number } | undefined }): string;
  close(): Promise<void>;
}

export interface LoadedSet {
  groups: Map<string, LoadedGroup>;
  close(): Promise<void>;
}

const BATCH_PASSAGES = 64;
/** Leases of an interrupted run expire after a minute. */
const LEASE_SECONDS = 70;
/** Waits long for the model, because an answer without it would be measured as if it had been used. */
const PATIENT = { recall: { modelWaitMs: 60_000 }, index: { freshMs: 3_600_000 } };

export async function loadSet(set: QuestionSet, material: Material, options: LoadOptions): Promise<LoadedSet> {
  const vectors = openVectors(join(options.home, "vectors.db"));
  const groups = new Map<string, LoadedGroup>();
  const close = async () => {
    for (const group of groups.values()) await group.close();
    vectors.close();
  };
  try {
    for (const [group, documents] of Map.groupBy(set.documents, ({ group = "" }) => group)) {
      const name = group.replaceAll("/", "_") || "all";
      const folder = options.openProject ? `${set.name}-elsewhere` : set.name;
      const place = { folder: join(options.home, folder), name, label: `${set.name}, ${name}` };
      groups.set(group, await loadGroup(documents, material, place, vectors, options));
    }
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { groups, close };
}

interface Place {
  folder: string;
  name: string;
  label: string;
}

async function loadGroup(
  documents: readonly Document[],
  material: Material,
  place: Place,
  vectors: Vectors,
  { progress, settings, openProject }: LoadOptions,
): Promise<LoadedGroup> {
  const entries = entriesOf(documents, material);
  const mark = fingerprint(entries);
  const folder = join(place.folder, `${place.name}-${mark}`);
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  mkdirSync(project, { recursive: true });
  const opened = await openWorld({ host: "bench", home, project, settings: { ...PATIENT, ...settings } });
  const elsewhere = await openProject?.(mark, opened.world.clock);
  const world = {
    ...opened.world,
    ...(elsewhere && { project: elsewhere }),
    embedder: vectors.before(opened.world.embedder),
  };
  const close = async () => {
    await elsewhere?.close();
    await opened.close();
  };
  const names = new Map<string, string>();
  try {
    const report = (done: number, total: number) => progress.report(done, total, `${place.label}: loading`);
    for (const [id, { document, passages }] of await write(entries, project, world, report)) {
      names.set(id, document);
      for (const [ordinal, passage] of passages.entries()) names.set(`${id}/${ordinal}`, passage.document);
    }
    await embed(entries, place, world, progress);
    for (const store of [world.project, world.global]) await linkMemories(store, world);
    removeOlder(place, folder);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  const keyOf = (id: string, ordinal: number | undefined) => (ordinal === undefined ? id : `${id}/${ordinal}`);
  return {
    world,
    documentOf: ({ id, passage }) => names.get(keyOf(id, material === "turns" ? passage?.ordinal : undefined)) ?? "",
    close,
  };
}

/** Writes through the verbs' own functions; returns the entry each item represents. */
async function write(
  entries: readonly Entry[],
  project: string,
  world: World,
  report: (done: number, total: number) => void,
): Promise<Map<string, Entry>> {
  const written = new Map<string, Entry>();
  for (const [index, entry] of entries.entries()) {
    report(index, entries.length);
    if (entry.kind === "evidence") written.set((await keepEvidence(entry.request, world)).id, entry);
    else if (entry.kind === "memory") {
      // As an agent writes them: each is compared with the older ones, by their vectors too.
      written.set((await remember({ ...entry.request, compare: true }, world)).id, entry);
      await drain(world.project, world, { batch: 8 });
    } else writeFile(join(project, entry.path), entry.text);
  }
  const files = new Map(entries.flatMap((entry) => (entry.kind === "file" ? [[entry.path, entry] as const] : [])));
  if (files.size === 0) return written;
  await indexProject({ all: true, onProgress: report }, world);
  for (const { path, itemId } of await world.project.fileStates()) {
    const entry = files.get(path);
    if (!entry || itemId === null) continue;
    files.delete(path);
    written.set(itemId, entry);
  }
  const [missing] = files.keys();
  if (missing !== undefined) throw new Failure("internal", `${missing} was not indexed.`, "Check the set.");
  return written;
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function embed(entries: readonly Entry[], { label }: Place, world: World, progress: Progress): Promise<void> {
  const all = entries.reduce((sum, { passages }) => sum + passages.length, 0);
  // A store that has never seen this embedder has nothing pending yet; then everything will be.
  const total = (await world.project.waitingCount(world.embedder.identity)) || all || 1;
  const onProgress = (done: number) => progress.report(done, total, `${label}: embedding passages`);
  for (let waited = 0; waited <= LEASE_SECONDS; waited += 1) {
    await drain(world.project, world, { batch: BATCH_PASSAGES, onProgress });
    if ((await world.project.waitingCount(world.embedder.identity)) === 0) return;
    progress.report(waited, LEASE_SECONDS, `${label}: waiting for passages that another run has taken, seconds`);
    await setTimeout(1_000);
  }
  throw new Failure("unavailable", `Passages of ${label} got no vectors.`, "Let other runs end, and run it again.");
}

/** Removes older versions of the group; their vectors are kept elsewhere. */
function removeOlder({ folder, name }: Place, current: string): void {
  for (const found of readdirSync(folder)) {
    const isSameGroup = found.startsWith(`${name}-`) && /^[0-9a-f]{12}$/.test(found.slice(name.length + 1));
    if (isSameGroup && join(folder, found) !== current) rmSync(join(folder, found), { recursive: true });
  }
}
