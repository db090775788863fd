/**
 * Chooses the lines of the surface: the best of each category, then whatever is best. What was captured comes after what
 * somebody wrote or pinned, so that no session silences a rule by quoting one that is like it.
 *
 * A category and the whole surface take lines until their share is used up, so the last line of each may exceed it; the
 * hard limit is never exceeded. Nothing is said twice.
 */
import type { Category, SurfaceItem, SurfaceSettings } from "../../model/context/surface.ts";
import { maySayTheSame } from "../graph/likeness.ts";
import { estimatedTokens } from "../text/estimated-tokens.ts";
import { sharedPart } from "../text/words.ts";

/** An item that may get a line. */
export interface SurfaceEntry extends SurfaceItem {
  line: string;
  /** The id of what stands above it and is told before it, or not at all. */
  above?: string;
  /** What it says, as stems. */
  words: ReadonlySet<string>;
  createdAt: number;
  /** It was taken from a session, in which anybody may have been quoted, and nobody pinned it. */
  isCaptured: boolean;
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

/** What notes really have of their estimated tokens. The target is meant for real ones; the hard limit is safe. */
const REAL_SHARE = 0.8;

/** Until so many estimated tokens lines are added. */
export const estimatedTarget = ({ targetTokens, hardTokens }: SurfaceSettings): number =>
  Math.min(hardTokens, targetTokens / REAL_SHARE);

/** Beside what the last sessions take, whatever they take. */
const LEAST_TOKENS = 200;

/** What waits for a person must not crowd out what holds. */
const PROPOSALS_MOST = 2;

export interface Frame {
  /** What the surface has besides its lines and their headings. */
  frameTokens: number;
  /** What stands above a line, once for all lines that have the same. */
  headingOf(line: SurfaceEntry): string;
}

/** `isOpposed`: whether a decision in force says otherwise. */
export function chooseLines(
  entries: readonly SurfaceEntry[],
  settings: SurfaceSettings,
  { frameTokens, headingOf, isOpposed }: Frame & { isOpposed: (entry: SurfaceEntry) => boolean },
): SurfaceEntry[] {
  const { hardTokens, maxLines } = settings;
  const target = Math.max(estimatedTarget(settings), Math.min(hardTokens, frameTokens + LEAST_TOKENS));
  const best = entries.toSorted(byRank);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const chosen = new Set<SurfaceEntry>();
  const used = new Map<Category, number>();
  const headings = new Set<string>();
  let total = frameTokens;
  let proposals = 0;

  function take(entry: SurfaceEntry): void {
    const above = byId.get(entry.above ?? "");
    if (above && !chosen.has(above)) {
      take(above);
      // No room for what stands above it: it is not told alone. Where that is left out for what it says, this is told.
      if (!chosen.has(above) && !isRepeated(above, chosen) && !isOpposed(above)) return;
    }
    if (total >= target || chosen.size >= maxLines || chosen.has(entry)) return;
    if (entry.shelf === "proposal" && proposals >= PROPOSALS_MOST) return;
    const heading = headingOf(entry);
    const tokens = estimatedTokens(`${entry.line}\n`);
    const all = tokens + (headings.has(heading) ? 0 : estimatedTokens(`${heading}\n`));
    if (total + all > hardTokens || isRepeated(entry, chosen, above) || isOpposed(entry)) return;
    chosen.add(entry);
    headings.add(heading);
    total += all;
    proposals += Number(entry.shelf === "proposal");
    used.set(entry.category, (used.get(entry.category) ?? 0) + tokens);
  }

  const written = best.filter(({ isCaptured }) => !isCaptured);
  for (const entry of written) if ((used.get(entry.category) ?? 0) < target * shareOf(entry.category)) take(entry);
  for (const entry of written) take(entry);
  for (const entry of best) take(entry);
  return [...chosen];
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

/** What stands beside another and differs from it is told in spite of all they have in common. */
function isRepeated(entry: SurfaceEntry, chosen: Iterable<SurfaceEntry>, above?: SurfaceEntry): boolean {
  for (const other of chosen) {
    if (other === above) continue;
    if (entry.line === other.line || maySayTheSame(sharedPart(entry.words, other.words))) return true;
  }
  return false;
}
