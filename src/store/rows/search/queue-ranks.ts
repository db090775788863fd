/**
 * The order in which passages get their vectors: memories and decisions first, then documents, then code, evidence last.
 * An embedder that nobody has used for a week is dropped.
 */
import { DAY_MS } from "../../../model/duration.ts";
import type { Shelf } from "../../../model/memory/shelves.ts";
import type { WaitingPassage } from "../../../ports/store/queue.ts";

export const RANKS: readonly Shelf[] = ["memory", "decision", "proposal", "document", "code", "evidence"];
export const UNUSED_MS = 7 * DAY_MS;

/** A lease that ends later by less may be a live one: whoever asks read the clock before it was taken, or it was set back a little. */
const CLOCK_TOLERANCE_MS = 60_000;

export const rankOf = (shelf: Shelf): number => RANKS.indexOf(shelf);

/** A lease that ends later was taken while the clock was ahead. */
export const latestEnd = (now: number, leaseMs = Infinity): number =>
  Math.min(now + leaseMs + CLOCK_TOLERANCE_MS, Number.MAX_SAFE_INTEGER);

/** The text to embed is the title followed by the passage. */
export const toWaiting = (
  shelf: Shelf,
  { passage, title, text }: { passage: number; title: string | null; text: string },
): WaitingPassage => ({ shelf, passage, text: title ? `${title}\n${text}` : text });
