/**
 * Which session the evidence for a question leads to, and whether it leads there clearly.
 *
 * Relevance alone does not tell: without a model it is low, and in a project about one topic everything is relevant. So
 * what counts is how far the best session stands out from the next, and how many rare words it shares with the question.
 * The weights were fitted to half of `bench:sessions` and `bench:handover`.
 */
import type { ReadSession } from "../../model/sessions/card.ts";
import { type WordStatistics, inverseFrequency, presentStems } from "../recall/coverage.ts";
import { tellingStems } from "../text/words.ts";

export interface Evidence {
  session: string;
  relevance: number;
  /** In words that only one piece of evidence has. */
  shared: number;
}

/** The best evidence of a session. */
export interface Lead extends Evidence {
  /** The most that any of its evidence shares. */
  mostShared: number;
}

/**
 * In the order of `evidence`. Relevance and words are seldom best in one piece: what a model puts first often has other words,
 * and a session must not seem less clear because a model took part.
 */
export function bySession(evidence: readonly Evidence[]): ReadonlyMap<string, Lead> {
  const leads = new Map<string, Lead>();
  for (const one of evidence) {
    const lead = leads.get(one.session) ?? { ...one, mostShared: 0 };
    leads.set(one.session, { ...lead, mostShared: Math.max(lead.mostShared, one.shared) });
  }
  return leads;
}

/** Unasked, with a prompt. */
export const CLEARLY_LEADS = 7;
/** Beside an answer that was asked for. */
export const LEADS = 4;
const NEXT_SHARED = 0.5;
const CERTAINTY_MOST = 0.997;

/** `leads`: the best first. Another is held against it by one piece of evidence: more of them are not more rivals. */
export function standing([first, ...others]: readonly Lead[]): number {
  if (first === undefined) return -Infinity;
  const most = (name: "relevance" | "shared") => Math.max(0, ...others.map((one) => one[name]));
  const gap = logOdds(first.relevance) - logOdds(most("relevance"));
  return gap + first.mostShared + NEXT_SHARED * (first.mostShared - most("shared"));
}

/** Relevance is never certain, and odds must stay finite. */
export function logOdds(relevance: number, most = CERTAINTY_MOST): number {
  const certain = Math.min(most, Math.max(1 - most, relevance));
  return Math.log(certain / (1 - certain));
}

/** The words of the question that a text has, in words that only one of all texts has. */
export function sharedWorth(stems: readonly string[], text: string, { total, frequency }: WordStatistics): number {
  const worthOf = (word: string) => inverseFrequency(Math.max(1, frequency.get(word) ?? 0), total);
  const shared = presentStems(stems, text).map((at) => worthOf(stems[at]!));
  return shared.reduce((sum, worth) => sum + worth, 0) / inverseFrequency(1, total);
}

/** Two sessions about one matter share about a quarter of their words, any two hardly a tenth. */
const SAME_MATTER = 0.2;

export const wordsOf = ({ card, notes }: ReadSession): ReadonlySet<string> =>
  tellingStems([card.title.text, card.asked ?? "", ...notes.map(({ text }) => text)].join("\n"));

/** Whether two sessions are about one matter, by their words, rare ones counting more. */
export function isSameMatter(one: ReadonlySet<string>, two: ReadonlySet<string>, statistics: WordStatistics): boolean {
  const weightOf = (word: string) => inverseFrequency(statistics.frequency.get(word) ?? 0, statistics.total) ** 2;
  const sum = (words: Iterable<string>) => [...words].reduce((all, word) => all + weightOf(word), 0);
  const both = sum([...one].filter((word) => two.has(word)));
  return both > 0 && both / Math.sqrt(sum(one) * sum(two)) >= SAME_MATTER;
}
