/**
 * Looks for near-duplicates: memories that share most of their words, and passages of documents that are nearly equal.
 *
 * Two that contradict each other are not near-duplicates. Memories are compared only with those that share their rarest
 * words, passages only with the nearest by vector, never all with all. One call looks at a bounded stretch, from the last
 * written back, and reports where to continue. Only reads; what to do about a pair is a person's decision.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { cosine } from "../embed/quantise.ts";
import { comparedText, comparedWords } from "../graph/likeness.ts";
import type { Item, LastingScope } from "../memory/item.ts";
import { sayDifferentThings } from "../memory/meaning.ts";
import { rarestTerms } from "../memory/near.ts";
import { type Difference, differenceOf, nearDuplicates, reasonToConsolidate, soughtTerms } from "../memory/nearness.ts";
import { unsettled } from "../memory/neighbours.ts";
import type { StoredPassage } from "../memory/shelves.ts";
import { type PlacesWorld, searchPlaces } from "../recall/places.ts";
import { SAME_PASSAGE_COSINE } from "../recall/repeats.ts";
import type { Filter } from "../recall/search.ts";
import type { PassageOfItem, Store, StoreReport } from "../store/store.ts";
import type { Stores, World } from "../world.ts";

/** One of a pair. */
export interface Twin {
  item: Item;
  /** Only for documents. */
  passage: StoredPassage | null;
}

export interface TwinPair {
  /** The one written last comes first. */
  first: Twin;
  second: Twin;
  /** The share of words, or the cosine. */
  likeness: number;
  difference: Difference;
  /** Whether nothing in them differs that merging would lose; else the later one may replace the other. */
  mayMerge: boolean;
}

export interface Consolidation {
  pairs: TwinPair[];
  /** How many memories or passages were compared with others. */
  examined: number;
  /** When the last of them was created; null if there was none. */
  oldestAt: number | null;
  /** Where the next call continues; null at the end. */
  next: number | null;
  /** Passages that cannot be compared because they have no vector yet. */
  unembedded: number;
}

export interface ConsolidateRequest {
  shelf: "memory" | "document";
  scope: LastingScope;
  /** Stops after the memory or passage with which this many pairs are found. */
  limit: number;
  /** The `next` of an earlier answer. */
  cursor: number | null;
}

/** Passages read at a time. */
const PAGE_PASSAGES = 50;
const EXAMINED_MOST = { memory: 300, document: 300 };
/** A duplicate has most of the words that are sought, so it is among the first found. */
const CANDIDATES = 12;
const NEIGHBOURS = 8;
const STATED_MOST = 100;

interface Looked {
  store: Store;
  filter: Filter;
}

type ConsolidateWorld = PlacesWorld & Pick<World, "embedder">;

export async function consolidate(request: ConsolidateRequest, world: ConsolidateWorld): Promise<Consolidation> {
  const { shelf, scope, limit } = request;
  const [place] = searchPlaces([shelf], { scopes: [scope] }, world);
  const looked: Looked = { store: place!.store, filter: { ...place!.filter, viaPredecessors: false } };
  const examine = shelf === "memory" ? memoryExaminer(looked, world) : passageExaminer(looked, world.embedder);
  const found: Consolidation = { pairs: [], examined: 0, oldestAt: null, next: request.cursor, unembedded: 0 };
  const isFull = () => found.pairs.length >= limit || found.examined + found.unembedded >= EXAMINED_MOST[shelf];
  let isAtEnd = false;
  while (!isAtEnd && !isFull()) {
    const page = { before: found.next, limit: PAGE_PASSAGES, isFirst: shelf === "memory" };
    const passages = await looked.store.newestPassages(shelf, looked.filter, page);
    for (const one of passages) {
      if (isFull()) break;
      note(found, one.passage, await examine(one));
      // The store answers at once, so timers and sockets would otherwise wait for the whole stretch.
      await immediate();
    }
    isAtEnd = passages.length < PAGE_PASSAGES && (passages.at(-1)?.passage ?? found.next) === found.next;
  }
  const pairs = found.pairs.toSorted((one, two) => two.likeness - one.likeness);
  return { ...found, pairs, next: isAtEnd ? null : found.next };
}

function note(found: Consolidation, passage: number, examined: Examined): void {
  found.next = passage;
  if (examined === "unembedded") found.unembedded += 1;
  if (examined === null || examined === "unembedded") return;
  found.examined += 1;
  found.oldestAt = examined.createdAt;
  found.pairs.push(...examined.pairs);
}

/** Null if it was removed in the meantime. */
type Examined = { createdAt: number; pairs: TwinPair[] } | "unembedded" | null;

/** Each pair is found once, whichever of the two is examined first. */
type Examine = (one: PassageOfItem) => Promise<Examined>;

interface Memory {
  id: string;
  item: Item;
  words: ReadonlySet<string>;
}

function memoryExaminer({ store, filter }: Looked, world: ConsolidateWorld): Examine {
  const known = new Map<string, Memory>();
  async function read(ids: readonly string[]): Promise<Memory[]> {
    const missing = ids.filter((id) => !known.has(id));
    const items = missing.length > 0 ? await store.items("memory", missing) : [];
    for (const item of items) known.set(item.id, { id: item.id, item, words: comparedWords(item) });
    return ids.flatMap((id) => known.get(id) ?? []);
  }
  async function candidates({ item, words }: Memory): Promise<string[]> {
    const terms = await rarestTerms(comparedText(item), { store, shelf: "memory" });
    const query = { terms: soughtTerms(terms, words), isCounted: true };
    return (await store.keyword("memory", query, filter, CANDIDATES)).map((one) => one.itemId);
  }
  /** A pair with a later memory was shown when that one was examined, unless it was not found from there. */
  async function isNew(later: Memory, { id }: Memory): Promise<boolean> {
    return !(await candidates(later)).includes(id);
  }
  /** Whoever relates two memories, or says that they are not related, has seen them and keeps both. */
  async function keptApart(id: string): Promise<Set<string>> {
    const stated = await store.edgesOf("memory", [id], { made: false, limit: STATED_MOST });
    return new Set(stated.map(({ source, target }) => (source === id ? target : source)));
  }
  return async ({ passage, itemId }) => {
    const [memory] = await read([itemId]);
    if (!memory) return null;
    const { item } = memory;
    // What comes from a file is changed there.
    const others = item.path === null ? await read(await candidates(memory)) : [];
    const apart = await keptApart(itemId);
    const alike = nearDuplicates(
      memory,
      others.filter(({ id, item: { path } }) => path === null && !apart.has(id)),
    ).filter(({ entry }) => !sayDifferentThings(item, entry.item));
    const firsts =
      alike.length > 0
        ? await store.firstPassages(
            "memory",
            alike.map(({ entry }) => entry.id),
          )
        : [];
    const later = new Set(firsts.filter((one) => one.passage > passage).map((one) => one.itemId));
    const pairs: TwinPair[] = [];
    for (const { entry, likeness } of alike) {
      const [one, two] = [
        { item, passage: null },
        { item: entry.item, passage: null },
      ];
      if (!later.has(entry.id)) pairs.push(pairOf(one, two, likeness));
      else if (await isNew(entry, memory)) pairs.push(pairOf(two, one, likeness));
    }
    const known = new Set(pairs.flatMap(({ first, second }) => [first.item.id, second.item.id]));
    for (const { above, below, nearness, kind } of await unsettled([item.id], world)) {
      const newer = above.item.createdAt >= below.item.createdAt ? above : below;
      const older = newer === above ? below : above;
      const isHere =
        newer.item.id === item.id && [newer, older].every((one) => one.shelf === "memory" && one.item.path === null);
      if (!isHere || known.has(older.item.id)) continue;
      const mayMerge = kind === "repeats" || (kind === null && !sayDifferentThings(newer.item, older.item));
      const [one, two] = [newer, older].map((twin) => ({ item: twin.item, passage: null })) as [Twin, Twin];
      pairs.push({ ...pairOf(one, two, nearness), mayMerge });
    }
    return { createdAt: item.createdAt, pairs };
  };
}

function passageExaminer({ store, filter }: Looked, { identity }: Pick<World["embedder"], "identity">): Examine {
  const vectorsOf = (passages: readonly number[]) => store.passageVectors("document", identity, passages);
  return async ({ passage, itemId }) => {
    const [vector] = await vectorsOf([passage]);
    if (!vector) return "unembedded";
    const query = { embedder: identity, vector, eachPassage: true };
    const near = (await store.nearest("document", query, filter, NEIGHBOURS))
      .filter((one) => one.passage < passage && one.itemId !== itemId)
      .map((one) => one.passage);
    const cosines = new Map(
      (await vectorsOf(near)).map((other, index) => [near[index]!, other ? cosine(vector, other) : 0]),
    );
    const same = near.filter((other) => cosines.get(other)! >= SAME_PASSAGE_COSINE);
    const twins = new Map((await twinsOf([passage, ...same], store)).map((twin) => [twin.passage!.passage, twin]));
    const first = twins.get(passage);
    if (!first) return null;
    const pairs = same.flatMap((other) => {
      const second = twins.get(other);
      return second ? [pairOf(first, second, cosines.get(other)!)] : [];
    });
    return { createdAt: first.item.createdAt, pairs };
  };
}

/** Without those that were removed in the meantime. */
async function twinsOf(passages: readonly number[], store: Store): Promise<Twin[]> {
  const read = await store.passages("document", passages);
  const items = await store.items("document", [...new Set(read.map(({ itemId }) => itemId))]);
  const byId = new Map(items.map((item) => [item.id, item]));
  return read.flatMap((passage) => {
    const item = byId.get(passage.itemId);
    return item ? [{ item, passage }] : [];
  });
}

const textOf = ({ item, passage }: Twin): string => passage?.text ?? item.content;

const pairOf = (first: Twin, second: Twin, likeness: number): TwinPair => ({
  first,
  second,
  likeness: Math.min(1, likeness),
  difference: differenceOf(textOf(first), textOf(second)),
  mayMerge: true,
});

// Suggests `consolidate` when a store probably has near-duplicates.

/** One line for each scope, or none. `reports`: what the stores reported, if they were asked already. */
export async function suggestConsolidation(
  stores: Stores,
  reports?: { project: StoreReport; global: StoreReport },
): Promise<string[]> {
  const lines: string[] = [];
  for (const scope of ["project", "global"] as const) {
    const store = stores[scope];
    const extractions = await store.callsSince("extract", "merge");
    const active = activeMemories(reports?.[scope] ?? (await store.report()));
    const reason = reasonToConsolidate({ extractions, active });
    const command = `stele consolidate${scope === "global" ? " --scope global" : ""}`;
    if (reason !== null) lines.push(`There may be duplicates (${reason}): \`${command}\` looks for them.`);
  }
  return lines;
}

const activeMemories = ({ counts }: StoreReport): number =>
  counts
    .filter(({ shelf, scope, status }) => shelf === "memory" && scope !== "working" && status === "active")
    .reduce((sum, { count }) => sum + count, 0);
