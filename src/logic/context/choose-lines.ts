/**
 * Chooses the lines of the surface: at first so many of the last sessions, then the best of each category, then
 * whatever is best.
 *
 * A category, the last sessions and the whole surface take lines until their share is used up, so the last line of each
 * may exceed it; the hard limit is never exceeded. Nothing is said twice.
 */
import type { Category, SurfaceItem, SurfaceSettings } from "../../model/context/surface.ts";
import { maySayTheSame } from "../graph/likeness.ts";
import { bytesWithin } from "../text/estimated-tokens.ts";
import { sharedPart } from "../text/words.ts";

/** An item that may get a line. */
export interface SurfaceEntry extends SurfaceItem {
  /** As it would be shown. */
  line: string;
  /** What the line says, as stems. */
  words: ReadonlySet<string>;
  createdAt: number;
  session: string;
}

export interface ChosenLine extends SurfaceEntry {
  /** From one of the last sessions. */
  isRecent: boolean;
}

/** Of 150 lines. */
const LINES: Readonly<Record<Category, number>> = {
  architecture: 25,
  decision: 25,
  pattern: 25,
  gotcha: 20,
  progress: 30,
  context: 15,
  code_description: 10,
};
const ALL_LINES = 150;

/** A category's share of the tokens. */
export const shareOf = (category: Category): number => LINES[category] / ALL_LINES;

const SESSIONS_RECENT = 3;
const LINE_END_BYTES = 1;

/** `isOpposed`: whether a decision in force says otherwise. `frameBytes`: what the surface has besides its lines. */
export function chooseLines(
  entries: readonly SurfaceEntry[],
  settings: SurfaceSettings,
  { frameBytes, isOpposed }: { frameBytes: number; isOpposed: (entry: SurfaceEntry) => boolean },
): ChosenLine[] {
  const hardBytes = bytesWithin(settings.hardTokens);
  const targetBytes = Math.min(hardBytes, bytesWithin(settings.targetTokens));
  const recent = new Set(recentOf(entries));
  const chosen = new Map<SurfaceEntry, ChosenLine>();
  const used = new Map<Category, number>();
  let total = frameBytes;
  let ofRecent = 0;

  function take(entry: SurfaceEntry): void {
    const bytes = Buffer.byteLength(entry.line) + LINE_END_BYTES;
    if (total >= targetBytes || total + bytes > hardBytes || chosen.size >= settings.maxLines) return;
    if (chosen.has(entry) || isRepeated(entry, chosen.keys()) || isOpposed(entry)) return;
    chosen.set(entry, { ...entry, isRecent: recent.has(entry) });
    total += bytes;
    used.set(entry.category, (used.get(entry.category) ?? 0) + bytes);
    if (recent.has(entry)) ofRecent += bytes;
  }

  for (const entry of recent) if (ofRecent < targetBytes * settings.recentShare) take(entry);
  const best = entries.toSorted(byRank);
  for (const entry of best) if ((used.get(entry.category) ?? 0) < targetBytes * shareOf(entry.category)) take(entry);
  for (const entry of best) take(entry);
  return [...chosen.values()];
}

/** Looked at beyond those of each category. */
const LISTED_OVERALL = 24;
const LISTED_OF_CATEGORY = 8;

/** The few that can become lines, so that only their texts are read. */
export function shortlisted<Entry extends Pick<SurfaceItem, "category" | "rank" | "id">>(
  entries: readonly Entry[],
): Entry[] {
  const best = entries.toSorted((one, two) => two.rank - one.rank || (one.id < two.id ? -1 : 1));
  const ofCategories = [...Map.groupBy(best, ({ category }) => category).values()];
  return [
    ...new Set([...best.slice(0, LISTED_OVERALL), ...ofCategories.flatMap((own) => own.slice(0, LISTED_OF_CATEGORY))]),
  ];
}

export const byRank = (one: SurfaceEntry, two: SurfaceEntry): number =>
  Number(two.shelf === "decision") - Number(one.shelf === "decision") ||
  two.rank - one.rank ||
  two.createdAt - one.createdAt ||
  (one.id < two.id ? -1 : 1);

const byAge = (one: SurfaceEntry, two: SurfaceEntry): number =>
  two.createdAt - one.createdAt || two.rank - one.rank || (one.id < two.id ? -1 : 1);

/** What the last sessions left, newest first. */
export function recentOf(entries: readonly SurfaceEntry[]): SurfaceEntry[] {
  const newest = entries.filter(({ shelf }) => shelf !== "decision").sort(byAge);
  const sessions = new Set<string>();
  for (const { session } of newest) if (sessions.size < SESSIONS_RECENT) sessions.add(session);
  return newest.filter(({ session }) => sessions.has(session));
}

function isRepeated(entry: SurfaceEntry, chosen: Iterable<SurfaceEntry>): boolean {
  for (const other of chosen)
    if (entry.line === other.line || maySayTheSame(sharedPart(entry.words, other.words))) return true;
  return false;
}
