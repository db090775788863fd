/**
 * Ranks documents: resolves their references among the current documents and computes their PageRank.
 *
 * A reference may resolve differently after any document is added, removed or renamed, so all references are resolved
 * again as written. If a run is interrupted, the next one ranks its changes.
 */
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import type { Reference } from "../recall/search.ts";
import type { World } from "../world.ts";
import { isExternal, isPageName, type KnownDocument, referenceReader } from "./references.ts";

/**
 * PageRank: documents rank higher the more highly ranked documents link to them.
 *
 * Power iteration over document links. A document without outgoing links spreads its rank evenly over all. Links to
 * itself, to unknown documents, and repeated links do not count.
 */
const DAMPING = 0.85;
const CLOSE_ENOUGH = 1e-6;
const MOST_ROUNDS = 50;

export interface Link {
  from: string;
  to: string;
}

/** The ranks of all nodes; they sum to 1. */
export function pageRank(nodes: readonly string[], links: readonly Link[]): Map<string, number> {
  const names = [...new Set(nodes)];
  const count = names.length;
  const { sources, targets, outward } = linksByNumber(names, links);
  let ranks = new Float64Array(count).fill(1 / count);
  let next = new Float64Array(count);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let dangling = 0;
    for (let node = 0; node < count; node += 1) if (outward[node] === 0) dangling += ranks[node] ?? 0;
    next.fill((1 - DAMPING + DAMPING * dangling) / count);
    for (let link = 0; link < sources.length; link += 1) {
      const source = sources[link] ?? 0;
      const target = targets[link] ?? 0;
      next[target] = (next[target] ?? 0) + (DAMPING * (ranks[source] ?? 0)) / (outward[source] ?? 1);
    }
    let moved = 0;
    for (let node = 0; node < count; node += 1) moved += Math.abs((next[node] ?? 0) - (ranks[node] ?? 0));
    [ranks, next] = [next, ranks];
    if (moved < CLOSE_ENOUGH) break;
  }
  return new Map(names.map((name, node) => [name, ranks[node] ?? 0]));
}

/** Scaled so that the highest rank is 1, ready to be blended with scores. Without any links, all ranks are equal. */
export function normalised(ranks: ReadonlyMap<string, number>): Map<string, number> {
  let most = 0;
  for (const rank of ranks.values()) most = Math.max(most, rank);
  return new Map([...ranks].map(([name, rank]) => [name, most === 0 ? 0 : rank / most]));
}

interface NumberedLinks {
  sources: Int32Array;
  targets: Int32Array;
  /** Number of outgoing links per node. */
  outward: Int32Array;
}

/** A link encoded as one number, source × count + target, sorts and compares fast. */
function linksByNumber(names: readonly string[], links: readonly Link[]): NumberedLinks {
  const numbers = new Map(names.map((name, node) => [name, node]));
  const keys: number[] = [];
  for (const { from, to } of links) {
    const source = numbers.get(from);
    const target = numbers.get(to);
    if (source !== undefined && target !== undefined && source !== target) keys.push(source * names.length + target);
  }
  const sorted = Float64Array.from(keys).sort();
  const once = sorted.filter((key, index) => index === 0 || key !== sorted[index - 1]);
  const sources = Int32Array.from(once, (key) => Math.floor(key / names.length));
  const targets = Int32Array.from(once, (key) => key % names.length);
  const outward = new Int32Array(names.length);
  for (const source of sources) outward[source] = (outward[source] ?? 0) + 1;
  return { sources, targets, outward };
}

const PAGE = 500;

type RankingWorld = Pick<World, "project" | "clock" | "origin">;

export async function needsRanking({ project }: Pick<World, "project">): Promise<boolean> {
  return (await project.unranked()) !== null;
}

export async function rankDocuments(world: RankingWorld): Promise<void> {
  await commit(world.project, async () => ({ changes: await planRanks(world), answer: null }), world);
}

async function planRanks(world: RankingWorld): Promise<Change[]> {
  const { project } = world;
  // Read first, so that changes made in the meantime are ranked by the next run.
  const upTo = await project.unranked();
  if (upTo === null) return [];
  const references = await project.references();
  const documents = await documentsIn(references, world);
  const { resolve } = referenceReader(documents);
  const found = references.map((reference) => ({
    ...reference,
    now: resolve(reference.path ?? "", [reference.written])[0] ?? null,
  }));
  const links = found.flatMap(({ path, now }): Link[] => (now === null ? [] : [{ from: path ?? "", to: now }]));
  const ranks = normalised(
    pageRank(
      documents.map(({ path }) => path),
      links,
    ),
  );
  const ids = new Map((await project.fileStates({ shelf: "document" })).map(({ path, itemId }) => [path, itemId]));
  const ranked = [...ranks].flatMap(([path, rank]) => {
    const id = ids.get(path);
    return id ? [{ id, rank }] : [];
  });
  const moved = found
    .filter(({ target, now }) => target !== now)
    .map(({ itemId, written, now }) => ({ itemId, written, target: now }));
  return [{ kind: "rank_documents", ranks: ranked, links: moved, upTo }];
}

/** Titles are read only if some reference names a page. */
async function documentsIn(
  references: readonly Reference[],
  { project, clock }: Pick<World, "project" | "clock">,
): Promise<KnownDocument[]> {
  if (!references.some(({ written }) => isPageName(written))) {
    const states = await project.fileStates({ shelf: "document" });
    return states.filter(({ itemId }) => itemId !== null).map(({ path }) => ({ path, title: null }));
  }
  const documents: KnownDocument[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const filter = { statuses: ["active"] as const, now: clock.now() };
    const { items } = await project.list("document", filter, { limit: PAGE, offset, countMost: 0 });
    for (const { path, title } of items) if (path !== null) documents.push({ path, title });
    if (items.length < PAGE) return documents;
  }
}

/** References within the project, as written. */
export const innerReferences = (references: readonly string[]): string[] => [
  ...new Set(references.filter((reference) => !isExternal(reference))),
];
