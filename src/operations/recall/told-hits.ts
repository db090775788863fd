/** Which hits are told, whoever reads them, and whether they answer at all. */
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { CLEAR } from "../../model/recall/ranking.ts";

/** Beside a hit that likely answers, less relevant ones are left out. */
const LIKELY = 0.5;
const LEAST_BESIDE_LIKELY = 0.1;
/** Where nothing likely answers, hits are left out that are so many times less relevant than the best. */
const TIMES_LESS = 20;
export const UNCLEAR = "Nothing clearly answers that.";
export const NEAREST = "Nothing clearly answers that; the nearest:";

/** What answers by itself. Of sessions and files several passages answer together, some of them hardly relevant alone. */
const WHOLE: readonly Shelf[] = ["memory", "decision", "proposal"];

const bestOf = (hits: readonly Hit[]): number => Math.max(0, ...hits.map(({ relevance }) => relevance));

/** Whether there are hits, and none of them clearly answers. */
export const isUnclear = (hits: readonly Hit[]): boolean => hits.length > 0 && bestOf(hits) < CLEAR;

/**
 * Tells only hits that are relevant beside the others. On questions about memories this saves a third of an agent's tokens,
 * and lost no answer on those it was chosen by. `how` says how to see the others.
 */
export function tellRelevant(hits: readonly Hit[], tell: (told: readonly Hit[]) => string, how = ""): string {
  const best = bestOf(hits);
  const least = best >= LIKELY ? LEAST_BESIDE_LIKELY : best / TIMES_LESS;
  const told = hits.filter(({ relevance, shelf }) => relevance >= least || !WHOLE.includes(shelf));
  return [
    ...(isUnclear(hits) ? [NEAREST] : []),
    tell(told),
    ...(told.length < hits.length ? [`(${hits.length - told.length} far less relevant left out${how})`] : []),
  ].join("\n");
}
