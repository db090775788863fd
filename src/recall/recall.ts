/**
 * Recall: finds the few items that answer a question.
 *
 * Each stage is a file: places, question, gather, judge, fuse, blend, explain. Candidates pass
 * from one to the next. Access is recorded after the answer.
 */
import { ACCESS_BOOST } from "../files/document-rules.ts";
import type { Change } from "../journal/change.ts";
import type { Shelf } from "../memory/shelves.ts";
import { redactor } from "../redaction/redact.ts";
import type { Store } from "../store/store.ts";
import type { World } from "../world.ts";
import { blend } from "./blend.ts";
import { explain } from "./explain.ts";
import { fuse, type FusedKind } from "./fuse.ts";
import { gather } from "./gather.ts";
import type { Hit } from "./hit.ts";
import { judge } from "./judge.ts";
import {
  filledPlaces,
  type PlacesWorld,
  type RecallAnswer,
  type RecallRequest,
  type SearchPlace,
  searchPlaces,
} from "./places.ts";
import { type KindQuestion, prepareQuestions, withoutMeaning } from "./question.ts";
import { CLEAR, OWN_RECIPES } from "./ranking.ts";
import { withoutRepeats } from "./repeats.ts";

// Records, after the answer, what of it counts as read, and which documents were found together.
//
// Every document that is returned counts. Of everything else only what stands first and clearly answers: the rest of an
// answer may be noise, and what is read is given to the next session and does not fade. The log says of the rest that the
// question found it, so that erasing any of it erases the question.

/** How many of the best hits count as found together. */
const FOUND_TOGETHER = 5;

/** `hits`: the whole answer, in its order. Records one access per item, however many of its passages were shown. */
export function noteAccess(
  hits: readonly Hit[],
  query: string,
  world: Pick<World, "project" | "clock" | "afterwards" | "origin">,
  storeOf: (hit: Hit) => Store = () => world.project,
): void {
  // The query is stored in the access log.
  const cleaned = redactor().clean(query);
  const answering = hits.slice(0, 1).filter(({ relevance }) => relevance >= CLEAR);
  for (const [store, there] of Map.groupBy(hits, storeOf)) {
    if (store.readOnly) continue;
    for (const [shelf, own] of Map.groupBy(there, (hit) => hit.shelf)) {
      const read = shelf === "document" ? own : own.filter(({ id }) => answering.some((one) => one.id === id));
      const besides = own.filter((hit) => !read.includes(hit));
      const changes = reading(read, besides, shelf, cleaned, world.clock.now());
      world.afterwards.add("note what was read", () => store.apply(changes, world.origin, { impatient: true }));
    }
  }
}

function reading(read: readonly Hit[], others: readonly Hit[], shelf: Shelf, query: string, at: number): Change[] {
  const touches = bestOf(read).map((one) => ({ ...one, how: "search" as const }));
  if (shelf !== "document") return [{ kind: "touch_items", shelf, touches, besides: bestOf(others), query, at }];
  const ids = touches.map(({ id }) => id).slice(0, FOUND_TOGETHER);
  const together: Change[] = ids.length > 1 ? [{ kind: "count_together", shelf, ids, at }] : [];
  return [{ kind: "touch_items", shelf, touches, query, at, boost: ACCESS_BOOST }, ...together];
}

/** Each item once, however many of its passages were found. */
function bestOf(hits: readonly Hit[]): { id: string; relevance: number }[] {
  const best = new Map<string, number>();
  for (const { id, relevance } of hits) best.set(id, Math.max(relevance, best.get(id) ?? 0));
  return [...best].map(([id, relevance]) => ({ id, relevance }));
}

const DEFAULT_SHELVES: readonly Shelf[] = ["memory", "decision", "proposal"];

export async function recall(asked: RecallRequest, world: World): Promise<RecallAnswer> {
  // A question is embedded, cached and logged, so its secrets are removed like those of stored text.
  const request = { ...asked, query: redactor().clean(asked.query) };
  const behind = await notesBehind(request, world);

  const places = await placesAskedFor(request, world);
  const questions = await prepareQuestions(request, places, world);
  const found = await search(questions);
  const isFallback = request.mode === "semantic" && found.every(({ fused }) => fused.length === 0);
  const others = isFallback ? questions.map(withoutMeaning) : [];
  const blended = blend(isFallback ? await search(others) : found, world.settings.decay);
  const candidates = request.isDistinct ? await withoutRepeats(blended, request.limit, world) : blended;
  const isByOwnRecipes = (isFallback ? others : questions).every(isAskedByOwnRecipe);
  const hits = await explain({ candidates, places, isByOwnRecipes }, request, world);

  if (!request.quiet) {
    const stores = new Map(candidates.map(({ id, place }) => [id, place.store]));
    noteAccess(
      hits,
      request.query,
      world,
      ({ id, scope }) => stores.get(id) ?? (scope === "global" ? world.global : world.project),
    );
  }
  const isWithoutMeaning = request.mode === "hybrid" && !questions.some(({ vector }) => vector);
  const problems = [...questions, ...others].flatMap((question) => question.problems);
  return {
    mode: isFallback || isWithoutMeaning ? "keyword" : request.mode,
    degraded: joinReasons([behind, ...problems], world),
    hits,
  };
}

/** Notes are memories and may have changed. The indexer is loaded only if there is a notes folder. */
async function notesBehind({ shelves = DEFAULT_SHELVES }: RecallRequest, world: World): Promise<string | null> {
  if (!world.notes || !shelves.includes("memory")) return null;
  const { freshenNotes } = await import("../files/freshen.ts");
  return freshenNotes(world);
}

async function placesAskedFor(
  { shelves = DEFAULT_SHELVES, filter, eachPassage, isRouted }: RecallRequest,
  world: PlacesWorld,
): Promise<SearchPlace[]> {
  // A passage of a predecessor is not a passage of the current memory.
  const places = searchPlaces(shelves, { ...filter, ...(eachPassage && { viaPredecessors: false }) }, world);
  return isRouted ? places : filledPlaces(places);
}

/** Each kind of item by its own recipe. */
async function search(questions: readonly KindQuestion[]): Promise<FusedKind<SearchPlace>[]> {
  const kinds: FusedKind<SearchPlace>[] = [];
  for (const question of questions) {
    const { recipe } = question;
    const found = await judge(await gather(question), question);
    kinds.push({ recipe, found, fused: fuse(found, recipe) });
  }
  return kinds;
}

const isAskedByOwnRecipe = ({ kind, recipe, channels }: KindQuestion): boolean =>
  recipe === OWN_RECIPES[kind] && channels.signals;

/** Joins distinct reasons. Those of an earlier search are already joined, so they are split at "; " first. */
export function joinReasons(
  given: readonly (string | null)[],
  { project, global, place }: Pick<World, "project" | "global" | "place">,
): string | null {
  const readOnly = project.readOnly || global.readOnly ? ["read-only"] : [];
  const faults = [project.fault(), global.fault()].filter((fault) => fault !== null);
  const reasons = given.flatMap((reason) => reason?.split("; ") ?? []);
  return [...new Set([...faults, ...readOnly, ...(place.notices ?? []), ...reasons])].join("; ") || null;
}
