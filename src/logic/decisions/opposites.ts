/**
 * Opposites: which side of pairs such as allow and deny a text takes, and what it forbids.
 *
 * A demand is negated in any form: "must never", "shall not", "don't", "no key may". It opposes a text that demands what
 * it forbids. A negation before a verb of a pair reverses that verb instead: not to exclude is to include. Identifiers and
 * conditions demand nothing.
 */
import {
  BETWEEN,
  CONDITION,
  DEMANDING,
  DEMANDS,
  LACKING,
  NEGATED_WITH_NOT,
  NOBODY,
  NOT,
  OPPOSITE_VERBS,
  uncontracted,
} from "../text/english.ts";
import { stem } from "../text/stem.ts";
import { isStopWord } from "../text/words.ts";

export type Side = "for" | "against" | null;

export interface Sides {
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

export const isOther = (one: Side, two: Side): boolean => one !== null && two !== null && one !== two;

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
