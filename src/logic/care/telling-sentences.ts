/**
 * An extractive summary: the most telling sentences of several texts, word for word.
 *
 * A sentence tells much if many of the texts speak of its words, and if it has names, numbers or identifiers. Words that
 * are already covered count less, so that the next sentence says something else. A sentence repeats another only if it has
 * no word, name or number of its own. Nothing is worded anew: a summary can leave out, but it cannot invent.
 */
import { cutLine } from "../../model/text/cut.ts";
import { names, numbers } from "../memory/meaning.ts";
import { negations } from "../text/english.ts";
import { identifierParts, sharedPart, tellingStems, words } from "../text/words.ts";

export interface SourceText {
  text: string;
  /** How much its sentences count; 1 is ordinary. */
  weight: number;
}

export interface SummaryBounds {
  characters: number;
  sentences: number;
}

/** Of longer texts only the beginning is read. */
const READ_CHARACTERS = 4_000;
const SENTENCE_CHARACTERS = 300;
/** A sentence that shares more than this part of its words with another may say the same. */
const SAME_SHARE = 0.5;
/** What a word still counts once a chosen sentence has it. */
const COVERED_WEIGHT = 0.25;
const SPECIFIC_BONUS = 0.2;
const SPECIFICS_COUNTED = 4;

interface Sentence {
  text: string;
  stems: ReadonlySet<string>;
  worth: number;
}

export interface Told {
  /** In the order of the texts. */
  sentences: string[];
  /** How many were left out, without those that only repeat another. */
  omitted: number;
}

/** At least one sentence, cut if need be, as long as any text has words. */
export function tellingSentences(sources: readonly SourceText[], bounds: SummaryBounds): Told {
  const sentences = sources.flatMap(({ text, weight }) =>
    sentencesOf(text).map(
      (sentence): Sentence => ({
        text: sentence,
        stems: tellingStems(sentence),
        worth: weight * (1 + SPECIFIC_BONUS * Math.min(SPECIFICS_COUNTED, specifics(sentence))),
      }),
    ),
  );
  const telling = sentences.filter(({ stems }) => stems.size > 0);
  const { chosen, open } = choose(telling, weightsOf(sources), bounds);
  const unread = sources.flatMap(({ text }) => sentencesOf(text.slice(READ_CHARACTERS))).length;
  return {
    sentences: telling.filter((sentence) => chosen.has(sentence)).map(({ text }) => cutLine(text, bounds.characters)),
    omitted: open.length + unread,
  };
}

function choose(
  sentences: readonly Sentence[],
  weights: Map<string, number>,
  { characters, sentences: most }: SummaryBounds,
): { chosen: Set<Sentence>; open: Sentence[] } {
  const chosen = new Set<Sentence>();
  let left = characters;
  let open = [...sentences];
  while (chosen.size < most) {
    const fitting = open.filter(({ text }) => text.length <= left);
    const best = strongest(fitting.length > 0 || chosen.size > 0 ? fitting : open, weights);
    if (!best) break;
    chosen.add(best);
    left -= best.text.length + 1;
    for (const stem of best.stems) weights.set(stem, (weights.get(stem) ?? 0) * COVERED_WEIGHT);
    open = open.filter((other) => !repeats(other, best));
  }
  return { chosen, open };
}

/** Whether it says nothing that the other does not say. */
function repeats(sentence: Sentence, other: Sentence): boolean {
  if (sentence === other) return true;
  if (
    sharedPart(sentence.stems, other.stems) <= SAME_SHARE ||
    ![...sentence.stems].every((stem) => other.stems.has(stem))
  )
    return false;
  const known = new Set([...names(other.text), ...numbers(other.text)]);
  const own = [...names(sentence.text), ...numbers(sentence.text)];
  return negations(sentence.text) === negations(other.text) && own.every((one) => known.has(one));
}

/** The first of the strongest. */
function strongest(sentences: readonly Sentence[], weights: ReadonlyMap<string, number>): Sentence | null {
  let [best, highest]: [Sentence | null, number] = [null, -1];
  for (const sentence of sentences) {
    const sum = [...sentence.stems].reduce((total, stem) => total + (weights.get(stem) ?? 0), 0);
    // The root keeps long sentences from winning by length alone, and short ones from winning by one word.
    const score = (sentence.worth * sum) / Math.sqrt(sentence.stems.size);
    if (score > highest) [best, highest] = [sentence, score];
  }
  return best;
}

/** Words by how many of the texts have them. */
function weightsOf(sources: readonly SourceText[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of sources)
    for (const stem of tellingStems(text.slice(0, READ_CHARACTERS))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return new Map([...counts].map(([stem, count]) => [stem, Math.log2(1 + count)]));
}

const LIST_MARK = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
const SENTENCE_END = /(?<=[.!?])\s+(?=["'(`[]?[\p{Lu}\p{N}])|(?<=[。！？])/u;

/** Lines, divided into sentences, without the marks of lists and headings. */
export function sentencesOf(text: string): string[] {
  return text
    .slice(0, READ_CHARACTERS)
    .toWellFormed()
    .split(/[\r\n\u2028\u2029]+/)
    .flatMap((line) =>
      line
        .trim()
        .replace(/^#+\s+/, "")
        .replace(LIST_MARK, "")
        .split(SENTENCE_END),
    )
    .map((sentence) => cutLine(sentence.replace(/\s+/g, " ").trim(), SENTENCE_CHARACTERS))
    .filter((sentence) => sentence !== "");
}

function specifics(sentence: string): number {
  const identifiers = words(sentence).filter((word) => identifierParts(word).length > 0);
  return new Set([...names(sentence), ...numbers(sentence), ...identifiers]).size;
}
