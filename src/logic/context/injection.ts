/**
 * The rule for prompts: which of the recalled items are worth putting before an agent that has not asked for them.
 *
 * Precision first: an item that does not help costs tokens and trust, and an agent can still ask. Relevance and shared
 * words must outweigh the number of items that seem as good: where everything is about one topic, likeness proves
 * little. The numbers were chosen by measurement (`npm run bench:injection`, docs/decisions/0034).
 */
import { typedPrompt } from "../capture/transcript/said-text.ts";
import { type WordStatistics, coverageStems } from "../recall/coverage.ts";
import { labelled, pastedProse } from "../sessions/label-parts.ts";
import { logOdds, sharedWorth } from "../sessions/leading-session.ts";
import { stem } from "../text/stem.ts";

/** What log-odds of relevance and shared words must reach together, if no other item seems to answer. */
const EVIDENCE_LEAST = 11 / 3;
/** Of shared words that are worth as much as one that no other item has. */
const WORD_EVIDENCE = 4 / 3;
/** So much, whatever the relevance: by words alone a prompt of two words is covered by chance. */
const SHARED_LEAST = 1.25;
/** From here on an item seems to answer. Twice as many of them need one more of evidence. */
const CROWD_RELEVANCE = 0.3;
/** So many items are looked at, whatever the number of hits. */
const LOOKED_AT = 10;
/**
 * An item that stands out needs fewer words: a short prompt has no more. By words alone it would stand out by one of
 * them.
 */
const STANDING_OUT = { relevance: 0.85, shared: 1, margin: 0.1 };
const CERTAINTY_MOST = 0.9999;
/** "ok", "go on", "fix the tests": with fewer telling words a prompt is about nothing in particular. */
const TELLING_WORDS_LEAST = 2;
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
}

const LINK = /\b[a-z][a-z+.-]{1,20}:\/\/\S+/gi;

/** Without what was pasted. */
export const ownWords = (prompt: string): string =>
  labelled(prompt)
    .flatMap(({ label, text }) => (label === "own" ? [text] : []))
    .join("\n");

/**
 * What to ask for: the person's own words, without what they pasted and without links. Null if the prompt is about nothing
 * in particular.
 */
export function questionIn(prompt: string): PromptQuestion | null {
  // The host's own words in the person's place.
  if (typedPrompt(prompt) === null) return null;
  const query = (ownWords(prompt).trim() || pastedProse(prompt))
    .replace(LINK, " ")
    .slice(0, PROMPT_CHARACTERS)
    .toWellFormed()
    .trim();
  // A command of the host, not a question.
  if (/^\/\w/.test(query)) return null;
  const stems = coverageStems(query);
  return stems.filter((word) => !EVERYDAY.has(word)).length < TELLING_WORDS_LEAST ? null : { query, stems };
}

/** `statistics`: how many items have each word. `byMeaning`: a model took part in the ranking. */
export function worthInjecting<Item extends Injectable>(
  items: readonly Item[],
  { stems }: PromptQuestion,
  { statistics, byMeaning }: { statistics: WordStatistics; byMeaning: boolean },
): Item[] {
  const looked = items.slice(0, LOOKED_AT);
  const crowd = looked.filter(({ relevance }) => relevance >= CROWD_RELEVANCE).length;
  const least = EVIDENCE_LEAST + Math.log2(Math.max(1, crowd));
  return looked
    .filter((item) => {
      const shared = sharedWorth(stems, `${item.title ?? ""}\n${item.content}\n${item.tags.join(" ")}`, statistics);
      if (byMeaning && shared >= STANDING_OUT.shared && standsOut(item, looked)) return true;
      return shared >= SHARED_LEAST && logOdds(item.relevance, CERTAINTY_MOST) + WORD_EVIDENCE * shared >= least;
    })
    .slice(0, ITEMS_MOST);
}

function standsOut(item: Injectable, all: readonly Injectable[]): boolean {
  const { relevance } = item;
  const best = Math.max(0, ...all.filter((other) => other !== item).map((other) => other.relevance));
  return relevance >= STANDING_OUT.relevance && relevance - best >= STANDING_OUT.margin;
}
