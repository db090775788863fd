/**
 * Contradiction: what a proposed decision says against what holds.
 *
 * The energy of two texts is 0.6 if a pair of opposites stands between them, plus 0.4 of the share of
 * words they have in common. It is silent where a port or a name changed or a "not" came in; those, and
 * anything else said of the same subject, are worth a warning. Only energy can reject.
 */
import { names, negations, numbers } from "../memory/meaning.ts";
import { type Side, type Sides, sidesOf } from "./opposites.ts";
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
/** Fewer words in common than this are not worth a warning by themselves. A hair less, since energy is rounded. */
const SHARED_LEAST = WARN_LEAST / WORDS_SHARE - 0.001;
/** Between texts that speak of different things, most opposites mean nothing. */
const RELATED_LEAST = 0.15;
/** From here on two texts say the same but for a word, so that word counts. */
const ALIKE_LEAST = 0.5;

const STOPPING = /^(?:stop|stops|stopped|stopping)$/;

/** What comparing needs of a text, read once. */
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

/** What contradicts the proposal, strongest first. What it means to supersede is for the caller to leave out. */
export function conflictsWith(proposal: Statement, holding: readonly (Statement & { id: string })[]): Conflict[] {
  const isAbout = sameSubject(proposal.subject);
  const proposed = readingOf(proposal.decision);
  const conflicts: Conflict[] = [];
  for (const { id, decision, ...held } of holding) {
    const isSameSubject = isAbout(held.subject);
    const stems = tellingStems(decision);
    const shared = sharedPart(proposed.stems, stems);
    // Most of what holds ends here, so nothing else is read of it.
    if (!isSameSubject && shared < RELATED_LEAST) continue;
    const reading = readingOf(decision, stems);
    if (reading.same === proposed.same) continue;
    const amount = energyOf(proposed, reading);
    const isOpposed = isSameSubject || (shared >= ALIKE_LEAST && differsInOneWord(proposed, reading));
    const level = levelOf(amount);
    if (level !== "allow") conflicts.push({ id, decision, energy: amount, level });
    else if (isOpposed) conflicts.push({ id, decision, energy: amount, level: "warn" });
  }
  return conflicts.sort((a, b) => b.energy - a.energy || (a.id < b.id ? -1 : 1));
}

/** So many places of words are enough to find what shares some; common words would lead to nearly everything. */
const PLACES_ENOUGH = 1_000;

/** How often each word of a text stands on the shelf is asked for by its stem. */
export const comparedStems = (text: string): string[] => queryTerms(text).map(stem);

/** The words by which to look for what a text may contradict: the rarest first, as far as the places go. */
export function comparedTerms(text: string, frequency: ReadonlyMap<string, number>): string[] {
  const counted = queryTerms(text)
    .map((term) => ({ term, places: frequency.get(stem(term)) ?? 0 }))
    .filter(({ places }) => places > 0)
    .sort((one, two) => one.places - two.places);
  let left = PLACES_ENOUGH;
  const enough = counted.findIndex(({ places }) => (left -= places) < 0);
  return counted.slice(0, enough < 0 ? counted.length : Math.max(1, enough)).map(({ term }) => term);
}

/** From 0 to 1; equal texts do not contradict each other. */
export function energyOf(one: Reading, two: Reading): number {
  if (one.same === two.same) return 0;
  const shared = sharedPart(one.stems, two.stems);
  const isOpposite =
    haveOpposites(one, two) || (areOpposite(one.sides.demand, two.sides.demand) && shared >= RELATED_LEAST);
  return round((isOpposite ? OPPOSITES_SHARE : 0) + WORDS_SHARE * shared);
}

/** Whether energy may be worth a warning: most pairs end here, long before their words are counted. */
export function mayContradict(one: Reading, two: Reading): boolean {
  if (haveOpposites(one, two) || areOpposite(one.sides.demand, two.sides.demand)) return true;
  const [few, many] = one.stems.size < two.stems.size ? [one.stems, two.stems] : [two.stems, one.stems];
  let spare = few.size - ((few.size + many.size) * SHARED_LEAST) / (1 + SHARED_LEAST);
  for (const stem of few) {
    if (spare < 0) return false;
    if (!many.has(stem)) spare -= 1;
  }
  return spare >= 0;
}

const haveOpposites = ({ sides }: Reading, other: Reading): boolean =>
  sides.pairs.some((side, pair) => areOpposite(side, other.sides.pairs[pair] ?? null));

const areOpposite = (one: Side, two: Side): boolean => one !== null && two !== null && one !== two;

/** A level is judged by the number that is shown. */
const round = (amount: number): number => Math.round(amount * 10_000) / 10_000;

function differsInOneWord(one: Reading, two: Reading): boolean {
  if (one.negations !== two.negations) return true;
  const stand = (key: "numbers" | "names") => hasOwn(one[key], two.words) && hasOwn(two[key], one.words);
  return stand("numbers") || stand("names");
}

/** When both texts have their own, one stands in the other's place. */
const hasOwn = (own: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...own].some((word) => !other.has(word));

export function readingOf(text: string, stems: ReadonlySet<string> = tellingStems(text)): Reading {
  const figures = new Set(numbers(text));
  const spoken = new Set(words(text).map(fold));
  return {
    same: fold(text).split(/\s+/).filter(Boolean).join(" "),
    stems,
    words: new Set([...spoken, ...figures]),
    sides: sidesOf(text),
    negations: negations(text) + [...spoken].filter((word) => STOPPING.test(word)).length,
    numbers: figures,
    names: new Set(names(text).map(fold)),
  };
}
