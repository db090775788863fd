/**
 * Definitions and recalled passages become one answer to a question that may be a name.
 *
 * The very name goes first, or what it is a slip of. Names that are merely alike stand among the
 * rest by relevance, and take no more room than passages leave or half of the answer.
 */
import type { Hit } from "../../model/recall/hit.ts";
import { mergeHits } from "../recall/merge-hits.ts";
import { LEAST_CLOSE, LEAST_EXACT } from "./rank-symbols.ts";

/** Of a definition that is longer, no more is shown. */
export const LINES_SHOWN = 60;
/** A slip is a guess: a few of them are enough. */
const CLOSE_SHOWN = 3;

/** `symbols` have their likeness as relevance; of both lists the best comes first, with a score of 1. */
export function mergeSymbols(symbols: readonly Hit[], recalled: readonly Hit[], limit: number): Hit[] {
  const half = Math.ceil(limit / 2);
  const leading = leadingOf(symbols, half);
  const others = amongPassages(
    symbols.slice(leading.length),
    recalled.filter((hit) => !leading.some((lead) => overlaps(lead, hit))),
    { most: half - leading.length, limit: limit - leading.length },
  );
  // Likeness and fused scores are two scales. Each list falls from 1; the second falls on from where the first ends.
  const from = leading.at(-1)?.score ?? 1;
  return [...leading, ...others.map((hit) => ({ ...hit, score: round(hit.score * from) }))];
}

/** Of a definition and a passage that show the same lines, the more relevant one stays. */
function amongPassages(
  alike: readonly Hit[],
  passages: readonly Hit[],
  { most, limit }: { most: number; limit: number },
): Hit[] {
  const better = alike.filter(
    (hit) => !passages.some((passage) => passage.relevance >= hit.relevance && overlaps(hit, passage)),
  );
  const some = better.slice(0, most);
  const left = passages.filter((passage) => !some.some((hit) => overlaps(hit, passage)));
  const room = Math.max(0, limit - some.length - left.length);
  const further = better.slice(most).filter((hit) => !left.some((passage) => overlaps(hit, passage)));
  return mergeHits(left, [...some, ...further.slice(0, room)], limit);
}

function leadingOf(symbols: readonly Hit[], most: number): readonly Hit[] {
  const exact = symbols.filter(({ relevance }) => relevance >= LEAST_EXACT);
  if (exact.length > 0) return exact.slice(0, most);
  return symbols.filter(({ relevance }) => relevance >= LEAST_CLOSE).slice(0, Math.min(CLOSE_SHOWN, most));
}

/** Both show some of the same lines; of a long definition only the first are shown. */
function overlaps(definition: Hit, passage: Hit): boolean {
  const { startLine: from, endLine: to = from } = definition;
  const { startLine: begin, endLine: end = begin } = passage;
  if (definition.path !== passage.path || !from || !to || !begin || !end) return false;
  return from <= end && begin <= Math.min(to, from + LINES_SHOWN - 1);
}

const round = (score: number): number => Math.round(score * 10_000) / 10_000;
