/**
 * What every part of the suite works with: items to store, changes to make, and a look at all of it.
 *
 * A trial over shelves uses one store for all of them, so a shelf that leaks into another shows.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { quantise } from "../../../src/embed/quantise.ts";
import { EDGE_SHELVES } from "../../../src/graph/edges.ts";
import type { Applied, Change, ChangeKind, Origin } from "../../../src/journal/change.ts";
import { STATUSES } from "../../../src/memory/item-fields.ts";
import type { Item } from "../../../src/memory/item.ts";
import { type Passage, type Shelf, SHELVES } from "../../../src/memory/shelves.ts";
import type { Filter, Ranked } from "../../../src/recall/search.ts";
import type {
  CaptureReads,
  CareReads,
  ContextReads,
  CorpusReads,
  DecisionReads,
  EdgeReads,
  ItemReads,
  JournalReads,
  LeaseReads,
  LedgerReads,
  QueueReads,
  SearchReads,
  SessionReads,
  SpaceReads,
  Store,
  Writes,
} from "../../../src/store/store.ts";
import { contentHash } from "../../../src/text/content-hash.ts";

/** What each part of the suite needs of a store: the part itself, and those it cannot be tried without. */
export type LeaseStore = Writes & LeaseReads;
export type SpaceStore = Writes & SpaceReads;
export type ItemStore = Writes & ItemReads;
export type EdgeStore = ItemStore & EdgeReads;
export type JournalStore = EdgeStore & JournalReads;
export type QueueStore = ItemStore & QueueReads;
export type SearchStore = QueueStore & SearchReads;
export type DecisionStore = SearchStore & JournalReads & DecisionReads;
export type CorpusStore = ItemStore & CorpusReads;
export type CaptureStore = ItemStore & JournalReads & CaptureReads;
export type ContextStore = JournalStore & CaptureReads & ContextReads;
export type SessionStore = ItemStore & EdgeReads & SessionReads;
export type LedgerStore = Writes & LedgerReads;
export type CareStore = JournalStore & QueueReads & CareReads;

export interface Make<S> {
  (): Promise<{ store: S; close(): Promise<void> }>;
  /** The reasons why single promises cannot be kept, by their titles. */
  readonly differences?: Readonly<Record<string, string>>;
}

export interface Trials<S> {
  /** One fresh store. */
  once(title: string, check: (store: S) => Promise<void>): void;
  /** One fresh store, and the same check on each shelf of it. */
  everyShelf(title: string, check: (store: S, shelf: Shelf) => Promise<void>): void;
}

export function trialsOf<S>(make: Make<S>): Trials<S> {
  const run = async (check: (store: S) => Promise<void>): Promise<void> => {
    const { store, close } = await make();
    try {
      await check(store);
    } finally {
      await close();
    }
  };
  /** A difference that is declared must be one: else the list would outlive its reasons. */
  const differs = (title: string, check: (store: S) => Promise<void>): boolean => {
    const why = make.differences?.[title];
    if (why !== undefined) test(`${title}: differs, because ${why}`, () => assert.rejects(run(check)));
    return why !== undefined;
  };
  return {
    once: (title, check) => void (differs(title, check) || test(title, () => run(check))),
    everyShelf: (title, check) =>
      void test(title, (context) =>
        run(async (store) => {
          for (const shelf of SHELVES) await context.test(`on ${shelf}`, () => check(store, shelf));
        }),
      ),
  };
}

export const ORIGIN: Origin = { verb: "test", host: "suite", session: "session", call: "call", space: "space" };
export const EMBEDDER = "embedder-one";
export const FOREVER = Number.MAX_SAFE_INTEGER;

let made = 0;

/** An ordinary item, unlike every other one unless told otherwise. */
export function newItem(set: Partial<Item> = {}): Item {
  made += 1;
  const content = set.content ?? `content number ${made}`;
  return {
    id: `item-${String(made).padStart(6, "0")}`,
    type: "fact",
    scope: "project",
    status: "active",
    title: null,
    content,
    summary: content.slice(0, 200),
    background: null,
    tags: [],
    confidence: 1,
    priority: 5,
    pinned: false,
    source: "user_explicit",
    host: "suite",
    session: "session",
    context: { branch: null, commits: [], files: [], symbols: [], language: null },
    label: null,
    path: null,
    hash: contentHash(content),
    version: 1,
    createdAt: 1_000 + made,
    updatedAt: 1_000 + made,
    accessedAt: 1_000 + made,
    accessCount: 0,
    expiresAt: null,
    validFrom: null,
    validUntil: null,
    supersededBy: null,
    details: {},
    ...set,
  };
}

export function newPassages(texts: readonly string[], tokens: Uint16Array | null = null): Passage[] {
  return texts.map((text, ordinal) => ({ ordinal, heading: null, startLine: null, endLine: null, text, tokens }));
}

export function insertion(
  shelf: Shelf,
  item: Item,
  { texts = [item.content], embed = true }: { texts?: readonly string[]; embed?: boolean } = {},
): Change {
  return { kind: "insert_item", shelf, item, passages: newPassages(texts), embed };
}

export function revision(
  shelf: Shelf,
  { id, version }: Item,
  set: Extract<Change, { kind: "revise_item" }>["set"],
  texts: readonly string[] | null = null,
): Change {
  const passages = texts && newPassages(texts);
  return { kind: "revise_item", shelf, id, expectedVersion: version, set, passages, embed: true };
}

export function removal(shelf: Shelf, { id, version }: Item): Change {
  return { kind: "remove_item", shelf, id, expectedVersion: version };
}

export async function apply(store: Writes, ...changes: Change[]): Promise<void> {
  const applied = await store.apply(changes, ORIGIN);
  assert.equal(applied.status, "applied", applied.status === "conflict" ? applied.reason : "");
}

/** Inserts a new item and gives it back. */
export async function put(
  store: Writes,
  shelf: Shelf,
  set: Partial<Item> = {},
  options: { texts?: readonly string[]; embed?: boolean } = {},
): Promise<Item> {
  const item = newItem(set);
  await apply(store, insertion(shelf, item, options));
  return item;
}

/** Expects a conflict of this kind, and that nothing at all was written. */
export async function applyInVain(store: AnyPart, kind: ChangeKind, ...changes: Change[]): Promise<void> {
  const shelves = SHELVES.filter((shelf) => changes.some((change) => "shelf" in change && change.shelf === shelf));
  const before = await everything(store, shelves);
  const applied: Applied = await store.apply(changes, ORIGIN);
  assert.equal(applied.status, "conflict");
  assert.equal(applied.status === "conflict" && applied.kind, kind);
  assert.deepEqual(await everything(store, shelves), before);
}

export const anyStatus: Filter = { statuses: STATUSES, now: 0 };
export const active: Filter = { statuses: ["active"], now: 0 };

/** A unit vector that leans towards one axis. */
export function direction(axis: number, lean = 1): Float32Array {
  const vector = new Float32Array(8).fill(0.1);
  vector[axis] = lean;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** From now on passages wait for this embedder. */
export function adopt(store: Writes, embedder: string = EMBEDDER, at = 0): Promise<void> {
  return apply(store, { kind: "adopt_embedder", embedder, at });
}

/** Adopts the embedder and gives every passage that waits for it its vector, as a draining process would. */
export async function embedWaiting(
  store: Writes & QueueReads,
  vectorOf: (text: string) => Float32Array,
  { embedder = EMBEDDER, limit = 10_000 }: { embedder?: string; limit?: number } = {},
): Promise<void> {
  if ((await store.embedderUsedAt(embedder)) === null) await adopt(store, embedder);
  const waiting = await store.waiting({ embedder, limit, now: 0 });
  const passages = waiting.map(({ shelf, passage }) => ({ shelf, passage }));
  const vectors = waiting.map(({ shelf, passage, text }) => ({ shelf, passage, vector: quantise(vectorOf(text)) }));
  await apply(
    store,
    { kind: "lease_passages", embedder, passages, owner: "drainer", at: 0, until: 1 },
    { kind: "store_vectors", embedder, owner: "drainer", vectors },
  );
}

export const idsOf = (found: readonly (Ranked | Item)[]): string[] =>
  found.map((entry) => ("itemId" in entry ? entry.itemId : entry.id));

/** As much of a store as there is. */
type AnyPart = Writes & Partial<Store>;

/**
 * All that can be read, for comparing before and after. The size of the file is not part of
 * it; of shelves that are not named only the counts are.
 */
export async function everything(store: AnyPart, named: readonly Shelf[] = SHELVES): Promise<unknown> {
  const shelves = await Promise.all(named.map((shelf) => wholeShelf(store, shelf)));
  const { bytes: _, ...report } = (await store.report?.()) ?? { bytes: 0 };
  return {
    shelves,
    report,
    free: await store.waiting?.({ embedder: EMBEDDER, limit: 10_000, now: 0 }),
    queue: await store.waiting?.({ embedder: EMBEDDER, limit: 10_000, now: FOREVER }),
    queued: await store.waitingCount?.(EMBEDDER),
    usedAt: await store.embedderUsedAt?.(EMBEDDER),
    cached: await store.cachedVectors?.(EMBEDDER, ["hash-one", "hash-two"]),
    edges: await Promise.all(EDGE_SHELVES.map((shelf) => store.walkEdges?.(shelf, { after: null, limit: 10_000 }))),
    spaces: await store.spaces?.(),
    files: await store.fileStates?.(),
    references: await store.references?.(),
    events: await store.events?.({ limit: 10_000 }),
    captured: await store.captureCounts?.(),
    cards: await store.sessionCards?.({ limit: 10_000 }),
    handovers: await store.handovers?.({ limit: 10_000 }),
  };
}

async function wholeShelf(store: AnyPart, shelf: Shelf): Promise<unknown> {
  const numbers = Array.from({ length: 60 }, (_, number) => number);
  return {
    listed: await store.list?.(shelf, anyStatus, { limit: 10_000, offset: 0 }),
    passages: await store.passages?.(shelf, numbers),
    words: await store.wordStatistics?.(shelf, ["content", "number", "replac"]),
    found: await store.keyword?.(shelf, { terms: ["content", "replaced"] }, anyStatus, 10_000),
    nearest: await store.nearest?.(shelf, { embedder: EMBEDDER, vector: direction(0) }, anyStatus, 10_000),
  };
}
