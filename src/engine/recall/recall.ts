/**
 * Recall: a question in, the few items that answer it out.
 *
 * Each kind of thing is searched by its own recipe; what was found is put in one order and
 * explained. Access is recorded after the answer.
 */
import { byScore } from "../../logic/recall/fusion.ts";
import type { Hit } from "../../model/recall/hit.ts";
import type { Mode, RecipeName } from "../../model/recall/ranking.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Filter } from "../../model/recall/search.ts";
import type { World } from "../../ports/world.ts";
import { askEach } from "./ask.ts";
import { filledPlaces, placesFor } from "./gather.ts";
import type { Chosen } from "./chosen.ts";
import { toHits } from "./hits.ts";
import { noteAccess } from "./note-access.ts";
import { redactor } from "../redaction/redact.ts";
import { type Found, type Way, searchKind } from "./search-kind.ts";

const DEFAULT_SHELVES: readonly Shelf[] = ["memory", "decision", "proposal"];
const WAYS: Record<Mode, Way> = {
  hybrid: { words: true, meaning: true, signals: true },
  keyword: { words: true, meaning: false, signals: false },
  semantic: { words: false, meaning: true, signals: false },
};
/** Where meaning finds nothing, everything else stands in for it. */
const FALLBACK: Way = { words: true, meaning: false, signals: true };
/** A kind that points away from the question is not nearer than one that is barely near. */
const LEAST_COSINE = 0.05;

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
  /** A hit shows the passage that was found rather than the whole. */
  isQuoted?: boolean | undefined;
  /** Nothing of another shelf is read, not even to embed it. */
  isRouted?: boolean | undefined;
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
  const behind = await notesBehind(request, world);
  const eachPassage = request.eachPassage ?? false;
  // What a memory said before it was replaced is no passage of what it says now.
  const filter = { ...request.filter, ...(eachPassage && { viaPredecessors: false }) };
  const asking = placesFor(request.shelves ?? DEFAULT_SHELVES, filter, world);
  const places = request.isRouted ? asking : await filledPlaces(asking);
  const questions = await askEach(request.query, places, eachPassage, world);
  const search = async (way: Way) => {
    const parts: Found[] = [];
    for (const question of questions) parts.push(await searchKind(question, way, request, world));
    return parts;
  };
  const first = await search(WAYS[request.mode]);
  const isFallback = request.mode === "semantic" && first.every(({ chosen }) => chosen.length === 0);
  const parts = isFallback ? await search(FALLBACK) : first;
  const isWithout = request.mode === "hybrid" && !parts.some(({ hasVector }) => hasVector);
  const chosen = order(levelled(parts));
  const hits = await toHits(chosen, { ...request, places }, world);
  if (!request.quiet) {
    const stores = new Map(chosen.map(({ id, place }) => [id, place.store]));
    noteAccess(hits, request.query, world, ({ id }) => stores.get(id)!);
  }
  const degraded = [behind, ...[...first, ...parts].flatMap((part) => part.degraded)];
  return { mode: isFallback || isWithout ? "keyword" : request.mode, degraded: joinReasons(degraded, world), hits };
}

/** Notes are memories, and may have changed. Whoever keeps none loads nothing for it. */
async function notesBehind({ shelves = DEFAULT_SHELVES }: RecallRequest, world: World): Promise<string | null> {
  if (!world.notes || !shelves.includes("memory")) return null;
  const { freshenNotes } = await import("../corpus/freshen.ts");
  return freshenNotes(world);
}

/** Each kind was scaled by itself; the best of one that is far off must not stand beside the best of one that is near. */
function levelled(parts: readonly Found[]): Chosen[] {
  const nearest = Math.max(LEAST_COSINE, ...parts.map(({ cosine }) => cosine ?? 0));
  const words = Math.max(0, ...parts.map((part) => part.words));
  // Cosines and words do not compare: where one kind has no vectors, all are levelled by words.
  const isNear = parts.every(({ cosine, chosen }) => cosine !== null || chosen.length === 0);
  const shareOf = (part: Found) => {
    if (isNear) return Math.max(LEAST_COSINE, part.cosine ?? 0) / nearest;
    return words > 0 ? part.words / words : 1;
  };
  return parts.flatMap((part) => part.chosen.map((one) => ({ ...one, score: one.score * shareOf(part) })));
}

/** Best first, then the nearest scope, then by id. */
function order(chosen: Chosen[]): Chosen[] {
  const nearness = { working: 0, project: 1, global: 2 };
  return chosen.sort((a, b) => b.score - a.score || nearness[a.scope] - nearness[b.scope] || byScore(a, b));
}

/** Each reason once; what one search told may be given to the next. */
export function joinReasons(told: readonly (string | null)[], { project, global }: World): string | null {
  const readOnly = project.readOnly || global.readOnly ? ["read-only"] : [];
  const reasons = told.flatMap((reason) => reason?.split("; ") ?? []);
  return [...new Set([...readOnly, ...reasons])].join("; ") || null;
}
