/**
 * Recall: a question in, the few items that answer it out.
 *
 * Gather the rankers' lists, fuse them, blend in what each item is worth, and explain.
 * Access is recorded after the answer.
 */
import { toFailure } from "../errors.ts";
import { blendFactor } from "../logic/blend.ts";
import { type Fused, byScore, fuse } from "../logic/fusion.ts";
import { RECIPES, type Recipe, candidateCount } from "../logic/recipes.ts";
import type { Hit, Mode, RecipeName } from "../model/hit.ts";
import type { Item } from "../model/item.ts";
import type { Shelf } from "../model/shelf.ts";
import type { Filter, Settings, Store, World } from "../ports.ts";
import { drain } from "./drain.ts";
import { type Candidate, type Place, gather, placesFor } from "./gather.ts";
import { type Chosen, toHits } from "./hits.ts";
import { inTime } from "./in-time.ts";
import { queryVector } from "./query-vector.ts";
import { redactor } from "./redact.ts";

const DEFAULT_SHELVES: readonly Shelf[] = ["memory", "decision", "proposal"];
const DRAIN_MS = 1_500;

export interface RecallRequest {
  query: string;
  mode: Mode;
  limit: number;
  /** Least relevance of a hit. */
  threshold: number;
  recipe?: RecipeName | undefined;
  shelves?: readonly Shelf[] | undefined;
  filter?: Partial<Filter> | undefined;
  /** A look that is nobody's reading: access is not recorded. */
  quiet?: boolean | undefined;
}

export interface RecallAnswer {
  mode: Mode;
  degraded: string | null;
  hits: Hit[];
}

export async function recall(asked: RecallRequest, world: World): Promise<RecallAnswer> {
  // A question is embedded, cached and logged, so it is cleaned like everything that is kept.
  const request = { ...asked, query: redactor().clean(asked.query) };
  const places = placesFor(request.shelves ?? DEFAULT_SHELVES, request.filter ?? {}, world);
  const { vector, degraded } = await prepareVector(request, places, world);
  const recipe = recipeFor(request.recipe, world.settings);
  const { query, limit } = request;
  const wanted = { query, vector, embedder: world.embedder.identity, count: candidateCount(recipe, limit) };
  let mode: Mode = request.mode === "hybrid" && !vector ? "keyword" : request.mode;
  let gathered = await gather(places, { ...wanted, words: mode !== "semantic" });
  if (mode === "semantic" && gathered.lists.length === 0) {
    mode = "keyword";
    gathered = await gather(places, { ...wanted, words: true, vector: null });
  }
  const chosen = await choose(fuse(gathered.lists, recipe), gathered.candidates);
  const hits = await toHits(chosen, { ...request, places }, world);
  if (!request.quiet) noteAccess(hits, chosen, query, world);
  return { mode, degraded: joinReasons(degraded, world), hits };
}

async function prepareVector(request: RecallRequest, places: readonly Place[], world: World) {
  if (request.mode === "keyword") return { vector: null, degraded: null };
  const result = await queryVector(request.query, world);
  if (!result.vector) return result;
  const waiting = await drainSome([...new Set(places.map(({ store }) => store))], world);
  return waiting === 0 ? result : { ...result, degraded: `${waiting} passages are not embedded yet` };
}

/** What was just written is embedded before it is searched, within bounds. Answers how many still wait. */
async function drainSome(stores: readonly Store[], world: World): Promise<number> {
  const { drainPassages: limit, modelWaitMs } = world.settings.recall;
  const counts = await Promise.all(stores.map((store) => store.waitingCount(world.embedder.identity)));
  const waiting = counts.reduce((sum, count) => sum + count, 0);
  if (waiting === 0) return 0;
  try {
    // A cold model takes longer to load than to embed; the clock for embedding starts afterwards.
    const loading = world.embedder.load().then(() => true);
    if ((await inTime(loading, modelWaitMs)) === null) return waiting;
    const until = world.clock.now() + DRAIN_MS;
    const work = (async () => {
      let drained = 0;
      for (const store of stores) drained += await drain(store, world, { limit, until });
      return drained;
    })();
    // A worker that hangs must not hang the answer.
    return waiting - ((await inTime(work, DRAIN_MS + modelWaitMs)) ?? 0);
  } catch (thrown) {
    world.log.debug(`embedding waits: ${toFailure(thrown).message}`);
    return waiting;
  }
}

function recipeFor(name: RecipeName | undefined, { recall: settings }: Settings): Recipe {
  const recipe: Recipe = RECIPES[name ?? settings.recipe];
  if (recipe !== RECIPES.weighted) return recipe;
  return { ...recipe, weights: { ...recipe.weights, vector: settings.vectorWeight, keyword: settings.keywordWeight } };
}

/** Blended, best first. */
async function choose(ranked: readonly Fused[], candidates: ReadonlyMap<string, Candidate>): Promise<Chosen[]> {
  const items = await loadItems(candidates);
  const chosen = new Map<string, Chosen>();
  for (const { id: key, score, why } of ranked) {
    const item = items.get(key);
    if (!item) continue;
    const blended = score * blendFactor({ ...item, centrality: 0 });
    const known = chosen.get(item.id);
    if (known && known.score >= blended) continue;
    const { place, passage, cosine } = candidates.get(key)!;
    chosen.set(item.id, { id: item.id, item, place, score: blended, why, passage, cosine });
  }
  const nearness = { working: 0, project: 1, global: 2 };
  return [...chosen.values()].sort(
    (a, b) => b.score - a.score || nearness[a.item.scope] - nearness[b.item.scope] || byScore(a, b),
  );
}

async function loadItems(candidates: ReadonlyMap<string, Candidate>): Promise<Map<string, Item>> {
  const items = new Map<string, Item>();
  for (const [{ store, shelf }, here] of Map.groupBy(candidates, ([, { place }]) => place)) {
    const found = await store.items(
      shelf,
      here.map(([, { itemId }]) => itemId),
    );
    const byId = new Map(found.map((item) => [item.id, item]));
    for (const [key, { itemId }] of here) if (byId.has(itemId)) items.set(key, byId.get(itemId)!);
  }
  return items;
}

function noteAccess(hits: readonly Hit[], chosen: readonly Chosen[], query: string, world: World): void {
  const places = new Map(chosen.map(({ id, place }) => [id, place]));
  const at = world.clock.now();
  for (const [{ store, shelf }, read] of Map.groupBy(hits, ({ id }) => places.get(id)!)) {
    if (store.readOnly) continue;
    const touches = read.map(({ id, relevance }) => ({ id, how: "read" as const, relevance }));
    world.afterwards.add("note what was read", () =>
      store.apply([{ kind: "touch_items", shelf, touches, query, at }], world.origin, { impatient: true }),
    );
  }
}

function joinReasons(degraded: string | null, { project, global }: World): string | null {
  const reasons = [project.readOnly || global.readOnly ? "read-only" : null, degraded].filter(
    (reason) => reason !== null,
  );
  return reasons.length > 0 ? reasons.join("; ") : null;
}
