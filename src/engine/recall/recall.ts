/**
 * Recall: finds the few items that answer a question.
 *
 * Each stage is a file: places, question, gather, judge, fuse, blend, explain. Candidates pass
 * from one to the next. Access is recorded after the answer.
 */
import { blend } from "../../logic/recall/blend.ts";
import { fuse } from "../../logic/recall/fuse.ts";
import { OWN_RECIPES } from "../../logic/recall/recipes.ts";
import type { FusedKind } from "../../logic/recall/scale.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { World } from "../../ports/world.ts";
import { redactor } from "../redaction/redact.ts";
import { explain } from "./explain.ts";
import { gather } from "./gather.ts";
import { judge } from "./judge.ts";
import { noteAccess } from "./note-access.ts";
import { type PlacesWorld, type SearchPlace, filledPlaces, searchPlaces } from "./places.ts";
import { type KindQuestion, prepareQuestions, withoutMeaning } from "./question.ts";
import type { RecallAnswer, RecallRequest } from "./request.ts";
import { withoutRepeats } from "./without-repeats.ts";

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
  const { freshenNotes } = await import("../corpus/freshen.ts");
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
