/**
 * Links memories that are new or were changed to those that resemble them.
 *
 * What waits is whatever was written after the mark in the store. A stretch of it is linked under a lease, and the edges
 * and the new mark are written together: a crash loses nothing, and no memory is linked twice.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { type LinkCandidate, planLinks } from "../../logic/graph/plan-links.ts";
import { comparedText, comparedWords } from "../../logic/memory/compared-text.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Edge } from "../../model/memory/edge.ts";
import type { Item } from "../../model/memory/item.ts";
import type { EdgeReads, Unlinked } from "../../ports/edges.ts";
import type { ItemReads } from "../../ports/items.ts";
import type { SearchReads } from "../../ports/search.ts";
import type { Writes } from "../../ports/store.ts";
import type { World } from "../../ports/world.ts";
import { similarCandidates } from "../memory/similar-candidates.ts";

/** Few enough that a turn is short. */
const STRETCH_PASSAGES = 32;
const CANDIDATES = 50;
const LEASE = "link memories";
const LEASE_MS = 60_000;
/** Of a memory with more edges, the store still checks those not read here. */
const EDGES_READ = 1_000;

type LinkStore = Writes & ItemReads & EdgeReads & SearchReads;
type LinkWorld = Pick<World, "clock" | "ids" | "origin">;

export interface LinkOptions {
  /** Maximum number of passages; all pending ones when omitted. */
  limit?: number;
  isStopped?: () => boolean;
  onProgress?: (linked: number) => void;
}

/** Returns how many memories were linked. */
export async function linkMemories(store: LinkStore, world: LinkWorld, options: LinkOptions = {}): Promise<number> {
  const { limit = Infinity, isStopped = () => false, onProgress } = options;
  if (store.readOnly) return 0;
  const owner = world.ids.next();
  const words = wordReader(store);
  let [linked, passages] = [0, 0];
  while (passages < limit && !isStopped()) {
    if (!(await store.unlinked(1)) || !(await takeLease(store, owner, world))) break;
    const done = await linkStretch(Math.min(STRETCH_PASSAGES, limit - passages), owner, words, store, world);
    if (done === null) break;
    linked += done;
    passages += STRETCH_PASSAGES;
    onProgress?.(linked);
  }
  return linked;
}

async function takeLease(store: Writes, owner: string, { clock, origin }: LinkWorld): Promise<boolean> {
  const at = clock.now();
  const change: Change = { kind: "take_lease", name: LEASE, owner, at, until: at + LEASE_MS };
  return (await store.apply([change], origin)).status === "applied";
}

/** Null if there is nothing to link any more, because another process has just done it. */
async function linkStretch(
  size: number,
  owner: string,
  words: WordReader,
  store: LinkStore,
  world: LinkWorld,
): Promise<number | null> {
  const releasing: Change = { kind: "release_lease", name: LEASE, owner };
  let isReleased = false;
  try {
    const stretch = await store.unlinked(size);
    if (!stretch) return null;
    const { after, upTo } = stretch;
    const made = await planStretch(stretch, words, store, world);
    const applied = await store.apply([{ kind: "link_memories", after, upTo, made }, releasing], world.origin);
    isReleased = applied.status === "applied";
    return isReleased ? made.length : null;
  } finally {
    if (!isReleased) await store.apply([releasing], world.origin);
  }
}

type Made = Extract<Change, { kind: "link_memories" }>["made"];

/** One memory after the other, because what is made for one counts for the next. */
async function planStretch(
  { ids }: Unlinked,
  words: WordReader,
  store: LinkStore,
  { clock }: LinkWorld,
): Promise<Made> {
  const memories = new Map((await store.items("memory", ids)).map((item) => [item.id, item]));
  const edges = new Map<string, Edge>();
  for (const edge of await store.edgesOf("memory", ids, { limit: EDGES_READ })) edges.set(edge.id, edge);
  const made: Made = [];
  for (const id of ids) {
    // Other calls get their turn between two memories.
    await immediate();
    const memory = memories.get(id);
    if (!memory || !isLinked(memory)) continue;
    const own = await planMemory(memory, [...edges.values()], { store, words, now: clock.now() });
    for (const edge of edges.values()) if (edge.made && touches(edge, id)) edges.delete(edge.id);
    for (const edge of own) edges.set(edge.id, edge);
    made.push({ id, edges: own });
  }
  return made;
}

/** Code is linked to its description, and a replaced memory leads to its successor. */
const isLinked = ({ type, status }: Item): boolean =>
  !isCode({ type }) && (status === "active" || status === "archived");
const isCode = ({ type }: Pick<Item, "type">): boolean => type === "code";

const touches = ({ source, target }: Edge, id: string): boolean => source === id || target === id;

interface Situation {
  store: LinkStore;
  words: WordReader;
  now: number;
}

/** Edges that others led to this memory stay, as strong as they are now; its own are made anew. */
async function planMemory(memory: Item, edges: readonly Edge[], { store, words, now }: Situation): Promise<Edge[]> {
  const { id } = memory;
  const touching = edges.filter((edge) => touches(edge, id));
  const stated = new Set(touching.filter(({ made }) => !made).flatMap(({ source, target }) => [source, target]));
  const incoming = touching.filter(({ made, source, target }) => made && target === id && !stated.has(source));
  const filter = { statuses: ["active"], scopes: ["project", "global"], now } as const;
  const found = await similarCandidates(comparedText(memory), { filter, limit: CANDIDATES, except: id }, store);
  const known = await words(memory, [...found, ...incoming.map(({ source }) => source)]);
  const self = known.get(id);
  if (!self) return [];
  const candidates = (ids: readonly string[]) => ids.flatMap((one) => known.get(one) ?? []);
  const kept = incoming.flatMap(({ source, createdAt }) =>
    candidates([source]).flatMap((other) => planLinks(other, [self], { stated: new Set(), at: createdAt })),
  );
  const taken = new Set([...stated, ...kept.map(({ source }) => source)]);
  return [...kept, ...planLinks(self, candidates(found), { stated: taken, at: now })];
}

type WordReader = (self: Item, others: readonly string[]) => Promise<ReadonlyMap<string, LinkCandidate>>;

/** Tens of megabytes at most. */
const WORDS_KEPT = 5_000;

/** Reads others once: many have the same candidates. A text that changes meanwhile has its own turn later. */
function wordReader(store: ItemReads): WordReader {
  const known = new Map<string, LinkCandidate>();
  const note = (item: Item) => {
    // Code is left out.
    if (!isCode(item)) known.set(item.id, { id: item.id, words: comparedWords(item) });
  };
  return async (self, others) => {
    if (known.size > WORDS_KEPT) known.clear();
    note(self);
    const missing = [...new Set(others)].filter((id) => !known.has(id));
    for (const item of missing.length > 0 ? await store.items("memory", missing) : []) note(item);
    return known;
  };
}
