/**
 * Chooses the lines of the surface: at first so many of the last stretches of work, then the best of each category, then
 * whatever is best.
 *
 * A category, the last stretches and the whole surface take lines until their share is used up, so the last line of each
 * may exceed it; the hard limit is never exceeded. Nothing is said twice.
 */
import type { Category, SurfaceItem, SurfaceSettings } from "../../model/context/surface.ts";
import { maySayTheSame } from "../graph/likeness.ts";
import { estimatedTokens } from "../text/estimated-tokens.ts";
import { sharedPart } from "../text/words.ts";

/** An item that may get a line. */
export interface SurfaceEntry extends SurfaceItem {
  /** As it would be shown. */
  line: string;
  /** What the line says, as stems. */
  words: ReadonlySet<string>;
  createdAt: number;
  /** The stretch of work that it comes from. */
  stretch: string;
}

export interface ChosenLine extends SurfaceEntry {
  /** From one of the last stretches of work. */
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

const STRETCHES_RECENT = 3;
/** What waits for a person must not crowd out what holds. */
const PROPOSALS_MOST = 2;

/** `isOpposed`: whether a decision in force says otherwise. `frameTokens`: what the surface has besides its lines. */
export function chooseLines(
  entries: readonly SurfaceEntry[],
  settings: SurfaceSettings,
  { frameTokens, isOpposed }: { frameTokens: number; isOpposed: (entry: SurfaceEntry) => boolean },
): ChosenLine[] {
  const { hardTokens, recentShare, maxLines } = settings;
  const target = Math.min(hardTokens, settings.targetTokens);
  const recent = new Set(recentOf(entries));
  const chosen = new Map<SurfaceEntry, ChosenLine>();
  const used = new Map<Category, number>();
  let total = frameTokens;
  let ofRecent = 0;
  let proposals = 0;

  function take(entry: SurfaceEntry): void {
    if (total >= target || chosen.size >= maxLines || chosen.has(entry)) return;
    if (entry.shelf === "proposal" && proposals >= PROPOSALS_MOST) return;
    const tokens = estimatedTokens(`${entry.line}\n`);
    if (total + tokens > hardTokens || isRepeated(entry, chosen.keys()) || isOpposed(entry)) return;
    chosen.set(entry, { ...entry, isRecent: recent.has(entry) });
    total += tokens;
    proposals += Number(entry.shelf === "proposal");
    used.set(entry.category, (used.get(entry.category) ?? 0) + tokens);
    if (recent.has(entry)) ofRecent += tokens;
  }

  for (const entry of recent) if (ofRecent < target * recentShare) take(entry);
  const best = entries.toSorted(byRank);
  for (const entry of best) if ((used.get(entry.category) ?? 0) < target * shareOf(entry.category)) take(entry);
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

/** What the last stretches of work left: the best of each, newest stretch first, then the second best of each, and so on. */
export function recentOf(entries: readonly SurfaceEntry[]): SurfaceEntry[] {
  const newest = entries.filter(({ shelf }) => shelf !== "decision").sort((one, two) => two.createdAt - one.createdAt);
  const stretches = [...Map.groupBy(newest, ({ stretch }) => stretch).values()]
    .slice(0, STRETCHES_RECENT)
    .map((own) => own.sort(byRank));
  const longest = Math.max(0, ...stretches.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) => stretches.flatMap((own) => own[place] ?? [])).flat();
}

function isRepeated(entry: SurfaceEntry, chosen: Iterable<SurfaceEntry>): boolean {
  for (const other of chosen)
    if (entry.line === other.line || maySayTheSame(sharedPart(entry.words, other.words))) return true;
  return false;
}
