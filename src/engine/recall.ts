/**
 * Recall: a question in, the few items that answer it out.
 *
 * Gather the rankers' lists, fuse them, blend in what each item is worth, and explain.
 * Access is recorded after the answer.
 */
import { toFailure } from "../errors.ts";
import { blendFactor } from "../logic/blend.ts";
import { type Fused, type RankedList, byScore, fuse } from "../logic/fusion.ts";
import { OTHER_RECIPES, OWN_RECIPES, type Recipe, candidateCount } from "../logic/recipes.ts";
import { queryTerms } from "../logic/words.ts";
import type { Hit, Kind, Mode, RecipeName } from "../model/hit.ts";
import type { Shelf } from "../model/shelf.ts";
import type { Filter, Outline, Settings, Store, VectorQuery, World } from "../ports.ts";
import { type Asked, askEach } from "./ask.ts";
import { drain } from "./drain.ts";
import { type Candidate, filledPlaces, gather, placesFor } from "./gather.ts";
import { type Chosen, toHits } from "./hits.ts";
import { inTime } from "./in-time.ts";
import { queryVector } from "./query-vector.ts";
import { redactor } from "./redact.ts";
import { signalLists } from "./signals.ts";

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
  /** Passages are ranked by themselves, rather than items by their best one. */
  eachPassage?: boolean | undefined;
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
  const places = await filledPlaces(placesFor(request.shelves ?? DEFAULT_SHELVES, request.filter ?? {}, world));
  const questions = await askEach(request.query, places, request.eachPassage ?? false, world);
  const degradation: (string | null)[] = [];
  const parts: Found[] = [];
  for (const question of questions) {
    const part = await search(question, request, world);
    degradation.push(part.degraded);
    parts.push(part);
  }
  const mode = parts.some((part) => part.mode === request.mode) ? request.mode : (parts[0]?.mode ?? request.mode);
  const nearest = Math.max(...parts.map((part) => part.nearest));
  const chosen = order(parts.flatMap((part) => weighed(part, nearest)));
  const hits = await toHits(chosen, { ...request, places }, world);
  if (!request.quiet) noteAccess(hits, chosen, request.query, world);
  return { mode, degraded: joinReasons(degradation, world), hits };
}

interface Found {
  mode: Mode;
  degraded: string | null;
  chosen: Chosen[];
  /** The largest cosine of this kind; 0 where meaning was not asked. */
  nearest: number;
}

/** Each kind was scaled by itself; the best of one that is far off must not stand beside the best of one that is near. */
function weighed({ chosen, nearest }: Found, nearestOfAll: number): Chosen[] {
  const share = nearestOfAll > 0 && nearest > 0 ? nearest / nearestOfAll : 1;
  return share === 1 ? chosen : chosen.map((one) => ({ ...one, score: one.score * share }));
}

/** One kind of thing: its rankers' lists, fused by its recipe and blended with what each item is worth. */
async function search(question: Asked, request: RecallRequest, world: World): Promise<Found> {
  const recipe = recipeFor(question.kind, request.recipe, world.settings);
  const { vector, degraded } = await prepareVector(question, request.mode, world);
  const wanted = {
    query: question.query,
    opening: question.opening === null ? null : queryTerms(question.opening),
    count: candidateCount(recipe, request.limit),
    eachPassage: request.eachPassage ?? false,
    summed: (recipe.summed ?? false) && !request.eachPassage,
  };
  let mode: Mode = request.mode === "hybrid" && !vector ? "keyword" : request.mode;
  let gathered = await gather(question.places, {
    ...wanted,
    vector,
    terms: mode === "semantic" ? null : question.terms,
  });
  if (mode === "semantic" && gathered.lists.length === 0) {
    mode = "keyword";
    gathered = await gather(question.places, { ...wanted, vector: null, terms: question.terms });
  }
  const { lists, candidates } = gathered;
  const items = await outlinesOf(candidates);
  // Who asks for words alone, or for meaning alone, gets nothing else. Where meaning is missing, all else stands in for it.
  const isSingle = mode === request.mode && mode !== "hybrid";
  const gist = vector && !isSingle ? await gistVector(question, recipe, world) : null;
  const signals = isSingle ? [] : await signalLists({ asked: question, recipe, candidates, items, vector, gist });
  const ranked = normalised([...lists, ...signals], recipe);
  const nearest = Math.max(0, ...[...candidates.values()].map(({ cosine }) => cosine ?? 0));
  return { mode, degraded, nearest, chosen: choose(ranked, candidates, items) };
}

async function prepareVector(
  question: Asked,
  mode: Mode,
  world: World,
): Promise<{ vector: VectorQuery | null; degraded: string | null }> {
  if (mode === "keyword") return { vector: null, degraded: null };
  const { vector, degraded } = await queryVector(question.meaning, world);
  if (!vector) return { vector, degraded };
  const waiting = await drainSome([...new Set(question.places.map(({ store }) => store))], world);
  return {
    vector: { embedder: world.embedder.identity, vector },
    degraded: waiting === 0 ? degraded : `${waiting} passages are not embedded yet`,
  };
}

async function gistVector({ opening }: Asked, recipe: Recipe, world: World): Promise<VectorQuery | null> {
  if (opening === null || !recipe.weights.gist) return null;
  const { vector } = await queryVector(opening, world);
  return vector && { embedder: world.embedder.identity, vector };
}

/**
 * What was just written is embedded before it is searched. A backlog is left to those who have time: embedding the first
 * of it would make every question wait and hardly change an answer. Answers how many still wait.
 */
async function drainSome(stores: readonly Store[], world: World): Promise<number> {
  const { drainPassages: limit, modelWaitMs } = world.settings.recall;
  const counts = await Promise.all(stores.map((store) => store.waitingCount(world.embedder.identity)));
  const waiting = counts.reduce((sum, count) => sum + count, 0);
  if (waiting === 0 || waiting > limit) return waiting;
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

function recipeFor(kind: Kind, name: RecipeName | undefined, { recall: settings }: Settings): Recipe {
  const chosen = name ?? settings.recipe;
  if (chosen === "own") return OWN_RECIPES[kind];
  if (chosen !== "weighted") return OTHER_RECIPES[chosen];
  const { vectorWeight: vector, keywordWeight: keyword } = settings;
  return { ...OTHER_RECIPES.weighted, weights: { ...OTHER_RECIPES.weighted.weights, vector, keyword } };
}

/** Recipes give more or less in all; of each the best possible is 1, so that kinds compare. */
function normalised(lists: readonly RankedList[], recipe: Recipe): Fused[] {
  const whole = lists.reduce((sum, { ranker }) => sum + (recipe.weights[ranker] ?? 0), 0);
  return fuse(lists, recipe).map((entry) => ({ ...entry, score: entry.score / (whole || 1) }));
}

/** Blended with what each item is worth; an item that stands in two stores counts once. */
function choose(
  ranked: readonly Fused[],
  candidates: ReadonlyMap<string, Candidate>,
  items: ReadonlyMap<string, Outline>,
): Chosen[] {
  const chosen = new Map<string, Chosen>();
  for (const { id: key, score, why } of ranked) {
    const item = items.get(key);
    if (!item) continue;
    const blended = score * blendFactor({ ...item, centrality: 0 });
    const { place, passages, cosine } = candidates.get(key)!;
    // The place is left out of the key; what stands behind it tells passages apart where they are ranked.
    const identity = key.slice(key.indexOf("/") + 1);
    const known = chosen.get(identity);
    if (known && known.score >= blended) continue;
    const { id, scope } = item;
    chosen.set(identity, { id, scope, place, score: blended, why, passage: passages[0]!, cosine });
  }
  return [...chosen.values()];
}

/** Best first, then the nearest scope, then by id. */
function order(chosen: Chosen[]): Chosen[] {
  const nearness = { working: 0, project: 1, global: 2 };
  return chosen.sort((a, b) => b.score - a.score || nearness[a.scope] - nearness[b.scope] || byScore(a, b));
}

async function outlinesOf(candidates: ReadonlyMap<string, Candidate>): Promise<Map<string, Outline>> {
  const items = new Map<string, Outline>();
  for (const [{ store, shelf }, here] of Map.groupBy(candidates, ([, { place }]) => place)) {
    const found = await store.outlines(
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

function joinReasons(degradation: readonly (string | null)[], { project, global }: World): string | null {
  const readOnly = project.readOnly || global.readOnly ? "read-only" : null;
  const reasons = [...new Set([readOnly, ...degradation])].filter((reason) => reason !== null);
  return reasons.length > 0 ? reasons.join("; ") : null;
}
