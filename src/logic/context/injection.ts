/**
 * The rule for prompts: which of the recalled items are worth putting before an agent that has not asked for them.
 *
 * Precision first: an item that does not help costs tokens and trust, and an agent can still ask. The numbers were chosen
 * by measurement (`npm run bench:injection`, docs/decisions/0034).
 */
import { type WordStatistics, coverageStems, presentStems } from "../recall/coverage.ts";
import { stem } from "../text/stem.ts";

/** Relevance is a probability; from here on four of five items are right on the questions of the bench. */
const RELEVANCE_LEAST = 0.7;
/**
 * "ok", "go on", "fix the tests": with fewer telling words a prompt is about nothing in particular. Without a model more
 * are needed, because any memory with two of them seems to be about them.
 */
const TELLING_WORDS_LEAST = { byMeaning: 2, byWords: 3 };
/** What people do in any project, and what they do it to: such words say nothing about which part is meant. */
const EVERYDAY: ReadonlySet<string> = new Set(
  (
    "add address again bug build change check clean code comment commit compile continue coverage diff do doc docs edit " +
    "error explain fail file finish fix improve issue lint log logging make merge more move next now open option part " +
    "please pr push read rebase refactor release remove rename review revert run see ship show simplify some start step " +
    "stop summary test tests thing try typo undo update use work write"
  )
    .split(" ")
    .map(stem),
);
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

export interface PromptQuestion {
  query: string;
  /** The words that an item should cover. */
  stems: readonly string[];
  /** How many of them say what the prompt is about. */
  tellingWords: number;
}

/** What to ask recall for; null if the prompt is about nothing in particular. */
export function questionIn(prompt: string): PromptQuestion | null {
  const query = prompt.slice(0, PROMPT_CHARACTERS).toWellFormed().trim();
  // A command of the host, not a question.
  if (/^\/\w/.test(query)) return null;
  const stems = coverageStems(query);
  const tellingWords = stems.filter((word) => !EVERYDAY.has(word)).length;
  return tellingWords < TELLING_WORDS_LEAST.byMeaning ? null : { query, stems, tellingWords };
}

/** `statistics`: how many items have each word. `byMeaning`: a model took part in the ranking. */
export function worthInjecting<Item extends Injectable>(
  items: readonly Item[],
  { stems, tellingWords }: PromptQuestion,
  { statistics, byMeaning }: { statistics: WordStatistics; byMeaning: boolean },
): Item[] {
  const way = byMeaning ? "byMeaning" : "byWords";
  if (tellingWords < TELLING_WORDS_LEAST[way]) return [];
  const most = Math.max(SPECIFIC.items, SPECIFIC.share * statistics.total);
  const specific = stems.filter((word) => (statistics.frequency.get(word) ?? 0) <= most);
  const isWorth = ({ relevance, title, content, tags }: Item): boolean =>
    relevance >= RELEVANCE_LEAST &&
    presentStems(specific, `${title ?? ""}\n${content}\n${tags.join(" ")}`).length >= SPECIFIC_WORDS_LEAST[way];
  return items.filter(isWorth).slice(0, ITEMS_MOST);
}
