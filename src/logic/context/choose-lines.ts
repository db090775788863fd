/**
 * Chooses the lines of the surface: at first so many of the last stretches of work, then the best of each category, then
 * whatever is best. What was only captured comes after that, of the last stretches first.
 *
 * A category, the last stretches and the whole surface take lines until their share is used up, so the last line of each
 * may exceed it; the hard limit is never exceeded. Nothing is said twice, but what was captured never keeps out what
 * somebody wrote, or a session could silence a rule by quoting one that is like it.
 */
import type { Category, SurfaceItem, SurfaceSettings } from "../../model/context/surface.ts";
import { maySayTheSame } from "../graph/likeness.ts";
import { estimatedTokens } from "../text/estimated-tokens.ts";
import { sharedPart } from "../text/words.ts";
import { type Telling, mostTelling, tell, wordWorths } from "./most-telling.ts";

/** An item that may get a line. */
export interface SurfaceEntry extends SurfaceItem, Telling {
  /** Other lines that could stand for it, if it is of the last stretches of work. */
  parts: readonly Telling[];
  createdAt: number;
  /** The stretch of work that it comes from. */
  stretch: string;
  /** Somebody wrote, stated or used it. What was captured long ago and never used has the least claim. */
  isVouchedFor: boolean;
  /** It was taken from a session, in which anybody may have been quoted. A decision was ratified, wherever it is from. */
  isCaptured: boolean;
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
/** Short stretches leave one or two; so many memories are needed to see what the work was about. */
const MEMORIES_RECENT = 20;
/** What notes really have of their estimated tokens. The target is meant for real ones; the hard limit is safe. */
const REAL_SHARE = 0.8;

/** Until so many estimated tokens lines are added. */
export const estimatedTarget = ({ targetTokens, hardTokens }: SurfaceSettings): number =>
  Math.min(hardTokens, targetTokens / REAL_SHARE);

/** What waits for a person must not crowd out what holds. */
const PROPOSALS_MOST = 2;

export interface Frame {
  /** What the surface has besides its lines and their headings. */
  frameTokens: number;
  /** What stands above a line, once for all lines that have the same. */
  headingOf(line: ChosenLine): string;
}

/** `isOpposed`: whether a decision in force says otherwise. */
export function chooseLines(
  entries: readonly SurfaceEntry[],
  settings: SurfaceSettings,
  { frameTokens, headingOf, isOpposed }: Frame & { isOpposed: (entry: SurfaceEntry) => boolean },
): ChosenLine[] {
  const { hardTokens, recentShare, maxLines } = settings;
  const target = estimatedTarget(settings);
  const best = entries.toSorted(byRank);
  const recent = recentOf(best);
  const worths = wordWorths(recent.map(({ parts, ...own }) => [own, ...parts]));
  let untold = recent
    .toSorted(writtenFirst)
    .flatMap((entry) => tellingsOf(entry).map((telling) => ({ ...telling, entry })));
  const chosen = new Map<SurfaceEntry, ChosenLine>();
  const used = new Map<Category, number>();
  const headings = new Set<string>();
  let total = frameTokens;
  let ofRecent = 0;
  let proposals = 0;

  function take(entry: SurfaceEntry, { line, words }: Telling = entry): void {
    if (total >= target || chosen.size >= maxLines || chosen.has(entry)) return;
    if (entry.shelf === "proposal" && proposals >= PROPOSALS_MOST) return;
    const taken = { ...entry, line, words, isRecent: recent.includes(entry) };
    const heading = headingOf(taken);
    const tokens = estimatedTokens(`${line}\n`);
    const all = tokens + (headings.has(heading) ? 0 : estimatedTokens(`${heading}\n`));
    if (total + all > hardTokens || isRepeated(taken, chosen.values()) || isOpposed(entry)) return;
    chosen.set(entry, taken);
    headings.add(heading);
    tell({ line, words }, worths);
    total += all;
    proposals += Number(entry.shelf === "proposal");
    used.set(entry.category, (used.get(entry.category) ?? 0) + tokens);
    if (taken.isRecent) ofRecent += tokens;
  }

  /** Until they have so many tokens. */
  function takeRecent(most: number): void {
    while (ofRecent < most && total < target) {
      const best = mostTelling(untold, worths);
      if (best === undefined) return;
      take(best.entry, best);
      untold = untold.filter((one) => one !== best && !chosen.has(one.entry));
    }
  }

  takeRecent(target * recentShare);
  const vouched = best.filter(({ isVouchedFor }) => isVouchedFor);
  for (const entry of vouched) if ((used.get(entry.category) ?? 0) < target * shareOf(entry.category)) take(entry);
  for (const entry of vouched) take(entry);
  takeRecent(Infinity);
  for (const entry of best) take(entry);
  return [...chosen.values()];
}

const tellingsOf = (entry: SurfaceEntry): readonly Telling[] => (entry.parts.length > 0 ? entry.parts : [entry]);

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

const writtenFirst = (one: SurfaceEntry, two: SurfaceEntry): number => Number(one.isCaptured) - Number(two.isCaptured);

export const byRank = (one: SurfaceEntry, two: SurfaceEntry): number =>
  Number(two.shelf === "decision") - Number(one.shelf === "decision") ||
  two.rank - one.rank ||
  writtenFirst(one, two) ||
  two.createdAt - one.createdAt ||
  (one.id < two.id ? -1 : 1);

/** What the last stretches of work left: of at least three, and of more if they left little; older notes have their own claim. */
export function recentOf<Entry extends Pick<SurfaceEntry, "shelf" | "createdAt" | "stretch" | "isVouchedFor">>(
  entries: readonly Entry[],
): Entry[] {
  const newest = entries.filter(({ shelf }) => shelf !== "decision").sort((one, two) => two.createdAt - one.createdAt);
  const recent: Entry[] = [];
  for (const [number, own] of [...Map.groupBy(newest, ({ stretch }) => stretch).values()].entries()) {
    if (number < STRETCHES_RECENT) recent.push(...own);
    else if (recent.length < MEMORIES_RECENT) recent.push(...own.filter(({ isVouchedFor }) => !isVouchedFor));
  }
  return recent;
}

function isRepeated(entry: SurfaceEntry, chosen: Iterable<SurfaceEntry>): boolean {
  for (const other of chosen) {
    if (other.isCaptured && !entry.isCaptured) continue;
    if (entry.line === other.line || maySayTheSame(sharedPart(entry.words, other.words))) return true;
  }
  return false;
}
