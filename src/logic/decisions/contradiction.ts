/**
 * Contradiction: how strongly a proposed decision opposes those in force.
 *
 * The energy of two texts is 0.6 if they take opposite sides of a pair of opposites or one demands what the other forbids,
 * plus 0.4 times the share of words they have in common. It misses a prohibition in other words, a changed port or name
 * and an added "not"; those, and any other statement on the same subject, cause a warning. Only energy can reject.
 */
import { names, numbers } from "../memory/meaning.ts";
import { STOPPING, negations } from "../text/english.ts";
import { type Sides, areOpposed, isOther, sidesOf } from "./opposites.ts";
import { termsByRarity } from "../text/rare-terms.ts";
import { stem } from "../text/stem.ts";
import { sameSubject } from "./subject.ts";
import { fold, queryTerms, sharedPart, tellingStems, words } from "../text/words.ts";

export type Level = "reject" | "warn" | "allow";

export interface Statement {
  subject: string;
  decision: string;
}

export interface Conflict {
  id: string;
  decision: string;
  energy: number;
  level: Exclude<Level, "allow">;
}

const OPPOSITES_SHARE = 0.6;
const WORDS_SHARE = 0.4;
const REJECT_LEAST = 0.7;
const WARN_LEAST = 0.3;
/** A smaller share of common words does not cause a warning by itself. Slightly lower, since energy is rounded. */
const SHARED_LEAST = WARN_LEAST / WORDS_SHARE - 0.001;
/** Between texts about different things a demand and a prohibition mean nothing. */
const RELATED_LEAST = 0.15;
/** From here on two texts differ in little more than a word, so that word counts. */
const ALIKE_LEAST = 0.5;

/** The properties of a text that are compared, computed once. */
export interface Reading {
  same: string;
  stems: ReadonlySet<string>;
  words: ReadonlySet<string>;
  sides: Sides;
  negations: number;
  numbers: ReadonlySet<string>;
  names: ReadonlySet<string>;
}

export function levelOf(amount: number): Level {
  if (amount >= REJECT_LEAST) return "reject";
  return amount >= WARN_LEAST ? "warn" : "allow";
}

/** The decisions that contradict the proposal, strongest first. The caller leaves out those it supersedes. */
export function conflictsWith(proposal: Statement, holding: readonly (Statement & { id: string })[]): Conflict[] {
  const isAbout = sameSubject(proposal.subject);
  const proposed = readingOf(proposal.decision);
  const conflicts: Conflict[] = [];
  for (const { id, decision, ...held } of holding) {
    const isSameSubject = isAbout(held.subject);
    const stems = tellingStems(decision);
    const shared = sharedPart(proposed.stems, stems);
    // Most decisions are dismissed here, before anything else is computed.
    if (!isSameSubject && shared < RELATED_LEAST) continue;
    const reading = readingOf(decision, stems);
    if (reading.same === proposed.same) continue;
    const { energy, level } = judge(proposed, reading);
    const isOpposed = isSameSubject || (shared >= ALIKE_LEAST && differsInOneWord(proposed, reading));
    if (level !== "allow") conflicts.push({ id, decision, energy, level });
    else if (isOpposed) conflicts.push({ id, decision, energy, level: "warn" });
  }
  return conflicts.sort((a, b) => b.energy - a.energy || (a.id < b.id ? -1 : 1));
}

/** This many word occurrences are enough to find related texts; common words would lead to nearly everything. */
const PLACES_ENOUGH = 1_000;

/** The stems under which word frequencies on the shelf are looked up. */
export const comparedStems = (text: string): string[] => queryTerms(text).map(stem);

/** The words to search by for possible contradictions: rarest first, until they cover enough occurrences. */
export function comparedTerms(text: string, frequency: ReadonlyMap<string, number>): string[] {
  const counted = termsByRarity(queryTerms(text), frequency);
  let left = PLACES_ENOUGH;
  const enough = counted.findIndex(({ places }) => (left -= places) < 0);
  return counted.slice(0, enough < 0 ? counted.length : Math.max(1, enough)).map(({ term }) => term);
}

/** From 0 to 1; equal texts do not contradict each other. */
export function energyOf(one: Reading, two: Reading): number {
  if (one.same === two.same) return 0;
  const shared = sharedPart(one.stems, two.stems);
  return round((areOpposed(one.sides, two.sides) ? OPPOSITES_SHARE : 0) + WORDS_SHARE * shared);
}

export function judge(one: Reading, two: Reading): { energy: number; level: Level } {
  const energy = energyOf(one, two);
  const mayDeny = isOther(one.sides.demand, two.sides.demand) && sharedPart(one.stems, two.stems) >= RELATED_LEAST;
  const level = levelOf(energy);
  return { energy, level: level === "allow" && mayDeny ? "warn" : level };
}

/** Whether the level can be a warning: most pairs are dismissed here, long before their words are counted. */
export function mayContradict(one: Reading, two: Reading): boolean {
  if (isOther(one.sides.demand, two.sides.demand) || areOpposed(one.sides, two.sides)) return true;
  const [few, many] = one.stems.size < two.stems.size ? [one.stems, two.stems] : [two.stems, one.stems];
  let spare = few.size - ((few.size + many.size) * SHARED_LEAST) / (1 + SHARED_LEAST);
  for (const stem of few) {
    if (spare < 0) return false;
    if (!many.has(stem)) spare -= 1;
  }
  return spare >= 0;
}

/** Rounded because the level is derived from the number that is shown. */
const round = (amount: number): number => Math.round(amount * 10_000) / 10_000;

function differsInOneWord(one: Reading, two: Reading): boolean {
  if (one.negations !== two.negations) return true;
  const differIn = (key: "numbers" | "names") => hasOwn(one[key], two.words) && hasOwn(two[key], one.words);
  return differIn("numbers") || differIn("names");
}

/** If both texts have a word of their own, one replaces the other. */
const hasOwn = (own: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...own].some((word) => !other.has(word));

export function readingOf(text: string, stems: ReadonlySet<string> = tellingStems(text)): Reading {
  const figures = new Set(numbers(text));
  const wordsUsed = new Set(words(text).map(fold));
  return {
    same: fold(text).split(/\s+/).filter(Boolean).join(" "),
    stems,
    words: new Set([...wordsUsed, ...figures]),
    sides: sidesOf(text),
    negations: negations(text) + [...wordsUsed].filter((word) => STOPPING.test(word)).length,
    numbers: figures,
    names: new Set(names(text).map(fold)),
  };
}
