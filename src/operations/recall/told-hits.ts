/** Which hits are told, whoever reads them and wherever, and which of them are only guesses. */
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { CLEAR } from "../../model/recall/ranking.ts";

/** Beside a hit that likely answers, nothing below the line is told. */
const LIKELY = 0.5;
/** Where nothing likely answers, hits are left out that are so many times less relevant than the best. */
const TIMES_LESS = 20;
const GUESSES_MOST = 3;

/** What answers by itself. Of sessions and files several passages answer together, some of them hardly relevant alone. */
const WHOLE: readonly Shelf[] = ["memory", "decision", "proposal"];

export interface Told {
  readonly clear: readonly Hit[];
  readonly guesses: readonly Hit[];
  /** What stands above the guesses. */
  readonly lead: string;
  /** How many hits are not told. */
  readonly leftOut: number;
  /** What a session noted about the same: lines, of which the first is a heading. */
  readonly beside: readonly string[];
}

type ToldHits = Omit<Told, "beside">;

export const tellAll = (hits: readonly Hit[]): ToldHits => ({ clear: hits, guesses: [], lead: "", leftOut: 0 });

/**
 * Tells only hits that are relevant beside the others. On questions about memories this saves a third of an agent's tokens,
 * and lost no answer on those it was chosen by. Who names a threshold is told everything above it.
 */
export function tellRelevant(hits: readonly Hit[], threshold: number | undefined): ToldHits {
  const best = Math.max(0, ...hits.map(({ relevance }) => relevance));
  const isClear = ({ relevance, shelf }: Hit) => relevance >= CLEAR || (best >= CLEAR && !WHOLE.includes(shelf));
  const clear = hits.filter(isClear);
  const below = hits.filter((hit) => !isClear(hit));
  const least = best >= LIKELY ? CLEAR : best / TIMES_LESS;
  const guesses =
    threshold === undefined ? below.filter(({ relevance }) => relevance >= least).slice(0, GUESSES_MOST) : below;
  return {
    ...{ clear, guesses, leftOut: below.length - guesses.length },
    lead: clear.length === 0 ? "Nothing clearly answers that; guesses:" : "Guesses:",
  };
}
