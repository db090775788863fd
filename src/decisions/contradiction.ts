/**
 * Contradiction: how strongly a proposed decision opposes those in force.
 *
 * The energy of two texts is 0.6 if they take opposite sides of a pair of opposites or one demands what the other forbids,
 * plus 0.4 times the share of words they have in common. It misses a prohibition in other words, a changed port or name
 * and an added "not"; those, and any other statement on the same subject, cause a warning. Only energy can reject.
 */
import { names, numbers } from "../memory/meaning.ts";
import {
  BETWEEN,
  CONDITION,
  DEMANDING,
  DEMANDS,
  LACKING,
  NEGATED_WITH_NOT,
  negations,
  NOBODY,
  NOT,
  OPPOSITE_VERBS,
  STOPPING,
  uncontracted,
} from "../text/english.ts";
import { termsByRarity } from "../text/rare-terms.ts";
import { fold, isStopWord, queryTerms, sharedPart, stem, tellingStems, words } from "../text/words.ts";
import { sameSubject } from "./subject.ts";

/**
 * Opposites: which side of pairs such as allow and deny a text takes, and what it forbids.
 *
 * A demand is negated in any form: "must never", "shall not", "don't", "no key may". It opposes a text that demands what
 * it forbids. A negation before a verb of a pair reverses that verb instead: not to exclude is to include. Identifiers and
 * conditions demand nothing.
 */
type Side = "for" | "against" | null;

interface Sides {
  /** One entry per pair. */
  pairs: readonly Side[];
  /** Whether the text demands or forbids anything at all. */
  demand: Side;
  /** Stems of what it forbids and, if it demands anything, of everything else it says. */
  forbidden: ReadonlySet<string>;
  demanded: ReadonlySet<string>;
}

const NOBODY_REACHES_WORDS = 4;
/** Less of what is forbidden may occur in a text about the same thing. */
const FORBIDDEN_SHARE = 0.5;

interface Demand {
  side: "for" | "against";
  word: string;
}

export function sidesOf(text: string): Sides {
  const tokens = withoutConditions(spokenWords(text));
  const reversed = new Set<number>();
  const negated = new Set<number>();
  const demands: Demand[] = [];
  const forbidden = new Set<string>();
  const lacking = new Set<string>();
  for (const [at, word] of tokens.entries()) {
    if (word === LACKING) addClause(lacking, tokens, at);
    if (!NOT.has(word) || tokens[at + 1] === "only") continue;
    const [before, next] = [skipping(tokens, at, -1), skipping(tokens, at, 1)];
    const demanding = NEGATED_WITH_NOT.has(tokens[before] ?? "") ? tokens[before]! : null;
    if (demanding !== null) negated.add(before);
    if (isVerb(tokens[next] ?? "")) reversed.add(next);
    else if (word === "never" || demanding !== null) {
      demands.push({ side: "against", word: word === "never" ? word : demanding! });
      addClause(forbidden, tokens, at);
    }
  }
  for (const [at, word] of tokens.entries()) {
    if (!DEMANDING.has(word) || negated.has(at)) continue;
    const isForbidding = isOfNobody(at, tokens);
    if (isForbidding) addClause(forbidden, tokens, at);
    demands.push({ side: isForbidding ? "against" : "for", word });
  }
  const isDemand = demands.some(({ side }) => side === "for");
  const rest = stemsOf(tokens).filter((one) => !forbidden.has(one) && !lacking.has(one));
  return {
    pairs: [
      ...DEMANDS.map((pair) => demandSide(pair, demands)),
      ...OPPOSITE_VERBS.map((pair) => verbSide(pair, tokens, reversed)),
    ],
    demand: stronger(demands.map(({ side }) => side)),
    forbidden,
    demanded: new Set(isDemand ? rest : []),
  };
}

/** Whether the texts take opposite sides of a pair, or one demands what the other forbids. */
export const areOpposed = (one: Sides, two: Sides): boolean =>
  one.pairs.some((side, pair) => isOther(side, two.pairs[pair] ?? null)) || forbids(one, two) || forbids(two, one);

const isOther = (one: Side, two: Side): boolean => one !== null && two !== null && one !== two;

function forbids({ forbidden }: Sides, { demanded }: Sides): boolean {
  const shared = [...forbidden].filter((one) => demanded.has(one)).length;
  return shared > forbidden.size * FORBIDDEN_SHARE;
}

/** What follows in the clause, up to the next demand. */
function addClause(stems: Set<string>, tokens: readonly string[], at: number): void {
  let end = at + 1;
  while (end < tokens.length && !endsClause(tokens[end]!)) end += 1;
  for (const one of stemsOf(tokens.slice(at + 1, end))) stems.add(one);
}

const endsClause = (word: string): boolean => word === "," || DEMANDING.has(word) || NOT.has(word) || word === LACKING;

const stemsOf = (tokens: readonly string[]): string[] =>
  tokens.filter((word) => word !== "," && !isStopWord(word)).map(stem);

const isVerb = (word: string): boolean => OPPOSITE_VERBS.some((pair) => pair.some((form) => form.test(word)));

/** A text that does both counts as against: "must be encrypted and never leave" is on the side of never. */
function stronger(sides: readonly Side[]): Side {
  if (sides.includes("against")) return "against";
  return sides.includes("for") ? "for" : null;
}

/** A text that forbids anything is not on the side of the demanding word. */
function demandSide([demanding, opposed]: (typeof DEMANDS)[number], demands: readonly Demand[]): Side {
  if (demands.some(({ side, word }) => side === "against" && opposed.includes(word))) return "against";
  const isFor = demands.every(({ side }) => side === "for") && demands.some(({ word }) => word === demanding);
  return isFor ? "for" : null;
}

function verbSide(
  [isFor, isAgainst]: (typeof OPPOSITE_VERBS)[number],
  tokens: readonly string[],
  reversed: Set<number>,
): Side {
  const sides = tokens.map((word, at): Side => {
    if (isFor.test(word)) return reversed.has(at) ? "against" : "for";
    if (isAgainst.test(word)) return reversed.has(at) ? "for" : "against";
    return null;
  });
  return stronger(sides);
}

function isOfNobody(at: number, tokens: readonly string[]): boolean {
  const before = tokens.slice(Math.max(0, at - NOBODY_REACHES_WORDS), at);
  return before.slice(before.lastIndexOf(",") + 1).some((word) => NOBODY.has(word));
}

/** The nearest word that is not a filler. */
function skipping(tokens: readonly string[], from: number, step: 1 | -1): number {
  let at = from + step;
  while (BETWEEN.has(tokens[at] ?? "")) at += step;
  return at;
}

/** "If nobody is logged in," and "unless it is disabled" tell when something is demanded, not what. */
function withoutConditions(tokens: readonly string[]): string[] {
  let isCondition = false;
  return tokens.map((word) => {
    if (CONDITION.has(word)) isCondition = true;
    else if (word === "," || word === "then") isCondition = false;
    return isCondition ? "," : word;
  });
}

/**
 * Contractions become two words, "no longer" becomes "not", and every mark that ends a clause becomes a comma. What is
 * joined by a hyphen or underscore stays one word, so that `no-verify` denies nothing.
 */
function spokenWords(text: string): string[] {
  const plain = uncontracted(text).replace(/\bno\s{1,3}(?:longer|more)\b/g, "not");
  const found = plain.match(/-{0,2}[\p{L}\p{N}\p{M}]+(?:['_.-][\p{L}\p{N}\p{M}]+)*|[,.;:!?]+(?=\s)/gu) ?? [];
  return found.map((word) => (/^[,.;:!?]/.test(word) ? "," : word));
}

export type Level = "reject" | "warn" | "allow";

interface Statement {
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
