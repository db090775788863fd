/**
 * Exports everything that only Stele knows, as JSON Lines that a person can keep, diff and move.
 *
 * Files are written under temporary names and moved into place once all are complete. Pages are
 * separate reads, so concurrent changes may or may not be included, but items are never partial.
 * An earlier export is overwritten only if that is asked for, as it is by naming the folder of a split one; anything
 * else never is.
 */
import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { Failure } from "../errors.ts";
import { hasEdges } from "../graph/edges.ts";
import { LastingScope } from "../memory/item.ts";
import { type Shelf, SHELVES } from "../memory/shelves.ts";
import type { Draft } from "../ports.ts";
import type { Store, WholeItem } from "../store/store.ts";
import type { Stores, World } from "../world.ts";
import {
  type Access,
  accessLine,
  edgeLine,
  entryLine,
  EXPORT_START,
  headerLine,
  headLine,
  isUnaccessed,
  itemLine,
} from "./export-text.ts";
import { SEALED_START } from "./sealed-format.ts";

export interface ExportRequest {
  path: string;
  /** Writes a folder with one file per kind instead of a single file. */
  split: boolean;
  /** Replaces the file of an earlier export. A folder of one is brought up to date in any case. */
  overwrite: boolean;
  scopes: readonly LastingScope[];
  shelves: readonly Shelf[];
  journal: boolean;
  access: boolean;
}

interface ExportAnswer {
  path: string;
  files: { path: string; lines: number; bytes: number }[];
  items: number;
  byShelf: Partial<Record<Shelf, number>>;
}

/** The files of a split export, in reading order. */
export const PART_NAMES = [...SHELVES, "edge", "access", "journal"] as const;
export const partPath = (folder: string, name: (typeof PART_NAMES)[number]): string => join(folder, `${name}.jsonl`);

const PAGE_ITEMS = 500;

interface Part {
  name: (typeof PART_NAMES)[number];
  lines: () => AsyncIterable<string>;
}

interface Tally {
  items: number;
  byShelf: Partial<Record<Shelf, number>>;
}

export async function exportItems(
  request: ExportRequest,
  world: Stores & Pick<World, "progress" | "files">,
): Promise<ExportAnswer> {
  const path = world.files.resolve(request.path);
  const tally: Tally = { items: 0, byShelf: {} };
  const parts = partsOf(request, tally, world);
  if (request.split) await checkFolder(path, world);
  const files = request.split
    ? parts.map(({ name, lines }) => ({ path: partPath(path, name), lines, isNeeded: false }))
    : [{ path, lines: () => oneAfterAnother(parts), isNeeded: true }];
  for (const file of files) await checkTarget(file.path, request, world);
  const isNew = !request.split && !request.overwrite;
  return { path, files: await writeAll(files, { isNew }, world), ...tally };
}

/** Moves the files into place only after all drafts were written. */
async function writeAll(
  files: readonly { path: string; lines: () => AsyncIterable<string>; isNeeded: boolean }[],
  as: { isNew: boolean },
  world: Pick<World, "files">,
): Promise<ExportAnswer["files"]> {
  const drafts: { path: string; draft: Draft; isKept: boolean }[] = [];
  try {
    for (const { path, lines, isNeeded } of files) {
      const draft = await world.files.draft(path, withHeader(lines()));
      drafts.push({ path, draft, isKept: isNeeded || draft.lines > 1 });
    }
    for (const { draft } of drafts.filter(({ isKept }) => isKept)) await draft.keep(as);
  } finally {
    // Does nothing to files already moved into place.
    for (const { draft } of drafts) await draft.drop();
  }
  const [kept, empty] = [drafts.filter(({ isKept }) => isKept), drafts.filter(({ isKept }) => !isKept)];
  // A file of an earlier export would be out of date.
  for (const { path } of empty) await world.files.remove(path);
  return kept.map(({ path, draft: { lines, bytes } }) => ({ path, lines, bytes }));
}

async function* withHeader(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield headerLine();
  yield* lines;
}

async function* oneAfterAnother(parts: readonly Part[]): AsyncGenerator<string> {
  for (const { lines } of parts) yield* lines();
}

async function checkFolder(path: string, { files }: Pick<World, "files">): Promise<void> {
  const kind = await files.kindOf(path);
  if (kind === "absent" || kind === "folder") return;
  throw new Failure(
    "invalid_input",
    `${path} is not a folder.`,
    "Name a folder, or leave split out to write one file.",
  );
}

async function checkTarget(
  path: string,
  { split, overwrite }: Pick<ExportRequest, "split" | "overwrite">,
  { files }: Pick<World, "files">,
): Promise<void> {
  const kind = await files.kindOf(path);
  if (kind === "absent") return;
  if (kind === "folder") {
    throw new Failure("invalid_input", `${path} is a folder.`, "Name a file, or set split to write into the folder.");
  }
  if (kind !== "file") {
    throw new Failure("invalid_input", `${path} is not a regular file.`, "Name another place to write to.");
  }
  const isExport = (await files.beginsWith(path, EXPORT_START)) || (await files.beginsWith(path, SEALED_START));
  if (!isExport) {
    throw new Failure(
      "conflict",
      `${path} is not an export of Stele, so it is not overwritten.`,
      "Choose another name, or move the file away.",
    );
  }
  if (split || overwrite) return;
  throw new Failure(
    "conflict",
    `${path} exists already.`,
    "Choose another name, or replace it with overwrite (`--overwrite`).",
  );
}

function partsOf(request: ExportRequest, tally: Tally, world: Stores & Pick<World, "progress">): Part[] {
  const { access, journal } = request;
  const scopes = LastingScope.options.filter((scope) => request.scopes.includes(scope));
  const shelves = SHELVES.filter((shelf) => request.shelves.includes(shelf));
  const seen: { shelf: Shelf; access: Access }[] = [];
  const counting = countingProgress(request, world);
  async function* items(shelf: Shelf): AsyncGenerator<string> {
    tally.byShelf[shelf] = 0;
    for await (const { scope, whole } of byId(scopes.map((scope) => itemsIn(shelf, scope, world)))) {
      const { id, accessedAt, accessCount } = whole.item;
      if (access && !isUnaccessed(whole.item)) seen.push({ shelf, access: { scope, id, accessedAt, accessCount } });
      tally.byShelf[shelf] += 1;
      tally.items += 1;
      await counting(tally.items);
      yield itemLine(shelf, whole);
    }
  }
  // Collected while reading the items, so that each line has its item.
  async function* accesses(): AsyncGenerator<string> {
    for (const one of seen) yield accessLine(one.shelf, one.access);
  }
  return [
    ...shelves.map((shelf): Part => ({ name: shelf, lines: () => items(shelf) })),
    { name: "edge", lines: () => edgeLines(shelves, scopes, world) },
    ...(access ? [{ name: "access", lines: accesses } as const] : []),
    ...(journal ? [{ name: "journal", lines: () => journalLines(scopes, world) } as const] : []),
  ];
}

/** Reports progress once per page; the total is an estimate, because others may write. */
function countingProgress(
  { shelves, scopes }: ExportRequest,
  world: Stores & Pick<World, "progress">,
): (done: number) => Promise<void> {
  let total: number | null = null;
  return async (done) => {
    if (done % PAGE_ITEMS !== 1) return;
    if (total === null) {
      const counts = (await Promise.all(scopes.map((scope) => world[scope].report()))).flatMap(
        (report) => report.counts,
      );
      const counted = counts.filter(
        ({ shelf, scope }) => shelves.includes(shelf) && scopes.some((one) => one === scope),
      );
      total = counted.reduce((sum, { count }) => sum + count, 0);
    }
    world.progress.report(done, Math.max(done, total), "Exporting");
  };
}

interface Walked {
  scope: LastingScope;
  whole: WholeItem;
}

async function* itemsIn(shelf: Shelf, scope: LastingScope, world: Stores): AsyncGenerator<Walked> {
  const store: Store = world[scope];
  for (let after: string | null = null; ; ) {
    const page = await store.walk(shelf, { after, limit: PAGE_ITEMS });
    for (const whole of page) if (whole.item.scope === scope) yield { scope, whole };
    if (page.length < PAGE_ITEMS) return;
    after = page.at(-1)!.item.id;
    // The store works synchronously, so other work gets its turn here.
    await immediate();
  }
}

/** Merges walks that are ordered by id. */
async function* byId(walks: readonly AsyncGenerator<Walked>[]): AsyncGenerator<Walked> {
  const next = async (walk: AsyncGenerator<Walked>) => ({ walk, step: await walk.next() });
  let heads = await Promise.all(walks.map(next));
  for (;;) {
    heads = heads.filter(({ step }) => !step.done);
    const [first, ...rest] = heads;
    if (!first) return;
    const least = rest.reduce((one, two) => (idOf(two.step.value) < idOf(one.step.value) ? two : one), first);
    yield least.step.value as Walked;
    least.step = await least.walk.next();
  }
}

const idOf = (walked: Walked): string => walked.whole.item.id;

/** Edges of working memories are not exported, like those memories. */
async function* edgeLines(
  shelves: readonly Shelf[],
  scopes: readonly LastingScope[],
  world: Stores,
): AsyncGenerator<string> {
  for (const shelf of shelves.filter(hasEdges)) {
    for (const scope of scopes) {
      const store: Store = world[scope];
      for (let after: string | null = null; ; ) {
        const page = await store.walkEdges(shelf, { after, limit: PAGE_ITEMS });
        const ends = await store.outlines(shelf, [...new Set(page.flatMap(({ source, target }) => [source, target]))]);
        const lasting = new Set(ends.filter((end) => end.scope === scope).map(({ id }) => id));
        for (const edge of page) if (lasting.has(edge.source) && lasting.has(edge.target)) yield edgeLine(scope, edge);
        if (page.length < PAGE_ITEMS) break;
        after = page.at(-1)!.id;
        await immediate();
      }
    }
  }
}

async function* journalLines(scopes: readonly LastingScope[], world: Stores): AsyncGenerator<string> {
  for (const scope of scopes) {
    const store: Store = world[scope];
    // Entries appended while reading are left out: the head covers only those before it.
    const head = await store.chainHead();
    for (let from = 1; from <= head.length; from += PAGE_ITEMS) {
      const entries = await store.chain(from, Math.min(PAGE_ITEMS, head.length - from + 1));
      for (const entry of entries) yield entryLine(scope, entry);
      await immediate();
    }
    if (head.length > 0) yield headLine(scope, head);
  }
}
