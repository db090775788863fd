/**
 * The rule for prompts: which of the recalled items are worth putting before an agent that has not asked for them.
 *
 * Precision first: an item that does not help costs tokens and trust, and an agent can still ask. The numbers were chosen
 * by measurement (`npm run bench:injection`, docs/decisions/0034).
 */
import { type WordStatistics, coverageStems, presentStems } from "../recall/coverage.ts";

/** Relevance is a probability; from here on four of five items are right on the questions of the bench. */
const RELEVANCE_LEAST = 0.7;
/** "ok", "go on", "fix the tests": with fewer telling words than this a prompt is about nothing in particular. */
const TELLING_WORDS_LEAST = 3;
/** Specific words that prompt and item must share. Words alone prove less than words and meaning together. */
const SPECIFIC_WORDS_LEAST = { byMeaning: 1, byWords: 2 };
/** A word is specific if no more items have it: so many, or this share of all. */
const SPECIFIC = { items: 2, share: 0.05 };
const ITEMS_MOST = 3;
/** Of a longer prompt only the beginning is looked at: the rest is usually a log or a file. */
const PROMPT_CHARACTERS = 2_000;

export interface Injectable {
  title: string | null;
  content: string;
  tags: readonly string[];
  relevance: number;
}

/** What to ask recall for; null if the prompt is about nothing in particular. */
export function questionIn(prompt: string): { query: string; stems: string[] } | null {
  const query = prompt.slice(0, PROMPT_CHARACTERS).trim();
  // A command of the host, not a question.
  if (/^\/\w/.test(query)) return null;
  const stems = coverageStems(query);
  return stems.length < TELLING_WORDS_LEAST ? null : { query, stems };
}

/** `stems` of the prompt, and how many items have each. `byMeaning`: a model took part in the ranking. */
export function worthInjecting<Item extends Injectable>(
  items: readonly Item[],
  { stems, statistics, byMeaning }: { stems: readonly string[]; statistics: WordStatistics; byMeaning: boolean },
): Item[] {
  const most = Math.max(SPECIFIC.items, SPECIFIC.share * statistics.total);
  const specific = stems.filter((stem) => (statistics.frequency.get(stem) ?? 0) <= most);
  const least = SPECIFIC_WORDS_LEAST[byMeaning ? "byMeaning" : "byWords"];
  const isWorth = ({ relevance, title, content, tags }: Item): boolean =>
    relevance >= RELEVANCE_LEAST &&
    presentStems(specific, `${title ?? ""}\n${content}\n${tags.join(" ")}`).length >= least;
  return items.filter(isWorth).slice(0, ITEMS_MOST);
}
