/**
 * Links memories that are new or were changed to those that resemble them.
 *
 * What waits is whatever was written after the mark in the store. Under a lease, a stretch after the other is linked, and
 * edges and new mark are written together: a crash loses nothing, and no memory is linked twice.
 */
import { setImmediate as immediate } from "node:timers/promises";
import type { Change } from "../journal/change.ts";
import { holdLease, LEASE_MS } from "../maintenance/lease.ts";
import type { Item } from "../memory/item.ts";
import type { Filter } from "../recall/search.ts";
import type { EdgeReads, ItemReads, LeaseReads, SearchReads, Unlinked, Writes } from "../store/store.ts";
import { rarestTerms, stemsOf, telling } from "../text/rare-terms.ts";
import type { World } from "../world.ts";
import type { Edge } from "./edges.ts";
import {
  comparedText,
  comparedWords,
  edgeBetween,
  INCOMING_MOST,
  type LinkCandidate,
  MADE_MOST,
  planLinks,
  withAnother,
} from "./likeness.ts";

/**
 * Finds memories that may resemble a text: those that share its rarest words.
 *
 * Rare words find the few texts worth comparing without reading all of them.
 */
const RAREST_TERMS = 8;

/** Best first, without `except`. */
async function similarCandidates(
  text: string,
  { filter, limit, except }: { filter: Filter; limit: number; except?: string },
  store: Pick<SearchReads, "wordStatistics" | "keyword">,
): Promise<string[]> {
  const own = telling(text);
  const { frequency } = await store.wordStatistics("memory", stemsOf(own));
  const terms = rarestTerms(own, frequency, RAREST_TERMS);
  if (terms.length === 0) return [];
  const found = await store.keyword("memory", { terms }, filter, limit + 1);
  return found
    .map(({ itemId }) => itemId)
    .filter((id) => id !== except)
    .slice(0, limit);
}

// Made edges as a stretch of linking changes them: those in the store, without the removed and with the new ones.
//
// All made edges of a memory are read, so that none is lost when it is linked again.

/** More than a memory ever has. */
const EDGES_READ = 2 * (INCOMING_MOST + MADE_MOST);

interface MadeEdges {
  of(id: string): Promise<Edge[]>;
  replace(before: readonly Edge[], after: readonly Edge[]): void;
  /** What was replaced so far. */
  changes(): Pick<Extract<Change, { kind: "link_memories" }>, "removed" | "made">;
}

async function madeEdges(ids: readonly string[], store: EdgeReads): Promise<MadeEdges> {
  const [known, read] = [new Map<string, Edge>(), new Set<string>()];
  const [removed, made] = [new Set<string>(), new Map<string, Edge>()];
  const readOf = async (unread: readonly string[]) => {
    if (unread.length === 0) return;
    const edges = await store.edgesOf("memory", unread, { made: true, limit: EDGES_READ });
    for (const edge of edges) if (!removed.has(edge.id)) known.set(edge.id, edge);
    for (const id of unread) read.add(id);
  };
  await readOf(ids);
  return {
    async of(id) {
      if (!read.has(id)) await readOf([id]);
      return [...known.values()].filter(({ source, target }) => source === id || target === id);
    },
    replace(before, after) {
      for (const { id } of before) {
        removed.add(id);
        known.delete(id);
        made.delete(id);
      }
      for (const edge of after) {
        known.set(edge.id, edge);
        made.set(edge.id, edge);
      }
    },
    changes: () => ({ removed: [...removed], made: [...made.values()] }),
  };
}

/** Few enough that a turn is short. */
const STRETCH_PASSAGES = 32;
const CANDIDATES = 50;
const LEASE = "link memories";
/** Longer than a process that died holds the lease. */
const PATIENCE_MS = LEASE_MS + 1_000;
/** Of a memory with more stated edges, the store still checks those not read here. */
const STATED_READ = 1_000;

type LinkStore = Writes & ItemReads & EdgeReads & SearchReads & LeaseReads;
type LinkWorld = Pick<World, "clock" | "ids" | "progress" | "origin">;

interface LinkOptions {
  /** Maximum number of passages; all pending ones when omitted. */
  limit?: number;
  /** Waits while another process is linking, or has died while it was. */
  patient?: boolean;
  isStopped?: () => boolean;
  onProgress?: (linked: number) => void;
}

/** Returns how many memories were linked. */
export async function linkMemories(store: LinkStore, world: LinkWorld, options: LinkOptions = {}): Promise<number> {
  const { patient = false, isStopped = () => false } = options;
  if (store.readOnly || !(await store.unlinked(1)) || (await store.refusal?.())) return 0;
  const patience = { patienceMs: patient ? PATIENCE_MS : 0, isEnding: isStopped };
  const linked = await holdLease(LEASE, patience, { ...world, store }, () => linkAll(store, world, options));
  return linked ?? 0;
}

async function linkAll(
  store: LinkStore,
  world: LinkWorld,
  { limit = Infinity, isStopped = () => false, onProgress }: LinkOptions,
): Promise<number> {
  const words = wordReader(store);
  let [linked, passages] = [0, 0];
  while (passages < limit && !isStopped()) {
    const done = await linkStretch(Math.min(STRETCH_PASSAGES, limit - passages), words, store, world);
    if (done === null) break;
    linked += done;
    passages += STRETCH_PASSAGES;
    onProgress?.(linked);
  }
  return linked;
}

/** Null if there is nothing to link any more, or another process has just done it. */
async function linkStretch(
  size: number,
  words: WordReader,
  store: LinkStore,
  world: LinkWorld,
): Promise<number | null> {
  const stretch = await store.unlinked(size);
  if (!stretch) return null;
  const { after, upTo } = stretch;
  const { edges, linked } = await planStretch(stretch, words, store, world);
  const applied = await store.apply([{ kind: "link_memories", after, upTo, ...edges.changes() }], world.origin);
  return applied.status === "applied" ? linked : null;
}

/** One memory after the other, because what is made for one counts for the next. */
async function planStretch(
  { ids, upTo }: Unlinked,
  words: WordReader,
  store: LinkStore,
  { clock }: LinkWorld,
): Promise<{ edges: MadeEdges; linked: number }> {
  const memories = new Map((await store.items("memory", ids)).map((item) => [item.id, item]));
  const stated = await store.edgesOf("memory", ids, { made: false, limit: STATED_READ });
  const edges = await madeEdges(ids, store);
  const waiting = new Set(ids);
  let linked = 0;
  for (const id of ids) {
    // Other calls get their turn between two memories.
    await immediate();
    waiting.delete(id);
    const memory = memories.get(id);
    if (!memory || !isLinked(memory)) continue;
    const waitingAmong = async (others: readonly string[]) =>
      new Set([...waiting, ...(await store.unlinkedAmong(others, upTo))]);
    await linkMemory(memory, { store, words, edges, stated, waitingAmong, now: clock.now() });
    linked += 1;
  }
  return { edges, linked };
}

/** Code is linked to its description, and a replaced memory leads to its successor. */
const isLinked = ({ type, status }: Item): boolean =>
  !isCode({ type }) && (status === "active" || status === "archived");
const isCode = ({ type }: Pick<Item, "type">): boolean => type === "code";

const touches = ({ source, target }: Edge, id: string): boolean => source === id || target === id;

interface Situation {
  store: LinkStore;
  words: WordReader;
  edges: MadeEdges;
  /** Of all memories of the stretch. */
  stated: readonly Edge[];
  /** Which of these others have their own turn later. */
  waitingAmong(others: readonly string[]): Promise<ReadonlySet<string>>;
  now: number;
}

/** Edges that newer memories led to this one stay, as strong as they are now; its own are made anew. */
async function linkMemory(memory: Item, situation: Situation): Promise<void> {
  const { store, words, edges, now } = situation;
  const { id } = memory;
  const before = await edges.of(id);
  const about = situation.stated.filter((edge) => touches(edge, id) && edge.status !== "suggested");
  const stated = new Set(about.flatMap(({ source, target }) => [source, target]));
  const filter = { statuses: ["active"], scopes: ["project", "global"], now } as const;
  const found = await similarCandidates(comparedText(memory), { filter, limit: CANDIDATES, except: id }, store);
  const incoming = before.filter(({ source, target }) => target === id && !stated.has(source));
  const known = await words(memory, [...found, ...incoming.map(({ source }) => source)]);
  const self = known.get(id);
  if (!self) return edges.replace(before, []);
  const kept = incoming.flatMap(({ source, createdAt }) => {
    const other = known.get(source);
    return (other && edgeBetween(self, other, createdAt)) ?? [];
  });
  const candidates = found.flatMap((one) => known.get(one) ?? []);
  const taken = new Set([...stated, ...kept.map(({ source }) => source)]);
  const { own, fromNewer } = planLinks(self, candidates, { stated: taken, at: now });
  edges.replace(before, [...kept, ...own]);
  // What is no candidate for others is not offered to them.
  if (memory.scope !== "working" && memory.status === "active") await linkFromNewer(fromNewer, situation);
}

/** Newer memories that were linked before this one choose again, between it and what they chose then. */
async function linkFromNewer(offered: readonly Edge[], { edges, waitingAmong }: Situation): Promise<void> {
  if (offered.length === 0) return;
  const waiting = await waitingAmong(offered.map(({ source }) => source));
  for (const edge of offered.filter(({ source }) => !waiting.has(source))) {
    const before = (await edges.of(edge.source)).filter(({ source }) => source === edge.source);
    const after = withAnother(before, edge);
    edges.replace(
      before.filter((one) => !after.includes(one)),
      after.filter((one) => !before.includes(one)),
    );
  }
}

type WordReader = (self: Item, others: readonly string[]) => Promise<ReadonlyMap<string, LinkCandidate>>;

/** Tens of megabytes at most. */
const WORDS_KEPT = 5_000;

/** Reads others once: many have the same candidates. A text that changes meanwhile has its own turn later. */
function wordReader(store: ItemReads): WordReader {
  const known = new Map<string, LinkCandidate>();
  const note = (item: Item) => {
    // Code is left out.
    if (!isCode(item)) known.set(item.id, { id: item.id, createdAt: item.createdAt, words: comparedWords(item) });
  };
  return async (self, others) => {
    if (known.size > WORDS_KEPT) known.clear();
    note(self);
    const missing = [...new Set(others)].filter((id) => !known.has(id));
    for (const item of missing.length > 0 ? await store.items("memory", missing) : []) note(item);
    return known;
  };
}
