/**
 * Merges definitions and recalled passages into one answer to a query that may be a name.
 *
 * Exact names lead, or close misspellings if there are none. Names that are merely similar are ranked among the
 * passages by relevance and get at most half of the answer, or whatever room the passages leave.
 */
import type { Hit } from "../../model/recall/hit.ts";
import { mergeHits } from "../recall/merge-hits.ts";
import { LEAST_CLOSE, LEAST_EXACT } from "./rank-symbols.ts";

/** A longer definition is shown only up to here. */
export const LINES_SHOWN = 60;
/** A corrected misspelling is a guess: a few of them are enough. */
const CLOSE_SHOWN = 3;

/** The relevance of `symbols` is their similarity to the name; both lists come best first, with a top score of 1. */
export function mergeSymbols(symbols: readonly Hit[], recalled: readonly Hit[], limit: number): Hit[] {
  const half = Math.ceil(limit / 2);
  const leading = leadingOf(symbols, half);
  const others = amongPassages(
    symbols.slice(leading.length),
    recalled.filter((hit) => !leading.some((lead) => overlaps(lead, hit))),
    { most: half - leading.length, limit: limit - leading.length },
  );
  // Similarity and fused scores are on different scales. Each list descends from 1; the second continues from where the
  // first ends.
  const from = leading.at(-1)?.score ?? 1;
  return [...leading, ...others.map((hit) => ({ ...hit, score: round(hit.score * from) }))];
}

/** If a definition and a passage show the same lines, the more relevant one stays. */
function amongPassages(
  similar: readonly Hit[],
  passages: readonly Hit[],
  { most, limit }: { most: number; limit: number },
): Hit[] {
  const better = similar.filter(
    (hit) => !passages.some((passage) => passage.relevance >= hit.relevance && overlaps(hit, passage)),
  );
  const chosen = better.slice(0, most);
  const left = passages.filter((passage) => !chosen.some((hit) => overlaps(hit, passage)));
  const room = Math.max(0, limit - chosen.length - left.length);
  const further = better.slice(most).filter((hit) => !left.some((passage) => overlaps(hit, passage)));
  return mergeHits(left, [...chosen, ...further.slice(0, room)], limit);
}

function leadingOf(symbols: readonly Hit[], most: number): readonly Hit[] {
  const exact = symbols.filter(({ relevance }) => relevance >= LEAST_EXACT);
  if (exact.length > 0) return exact.slice(0, most);
  return symbols.filter(({ relevance }) => relevance >= LEAST_CLOSE).slice(0, Math.min(CLOSE_SHOWN, most));
}

/** Whether both show some of the same lines; of a long definition only the first lines are shown. */
function overlaps(definition: Hit, passage: Hit): boolean {
  const { startLine: from, endLine: to = from } = definition;
  const { startLine: begin, endLine: end = begin } = passage;
  if (definition.path !== passage.path || !from || !to || !begin || !end) return false;
  return from <= end && begin <= Math.min(to, from + LINES_SHOWN - 1);
}

const round = (score: number): number => Math.round(score * 10_000) / 10_000;
