/**
 * Opposites: which side of pairs such as allow and deny a text takes.
 *
 * A demand is negated in any form: "must never", "shall not", "don't", "no key may". A negation before a verb of a pair
 * reverses that verb instead: not to exclude is to include.
 */
import { fold } from "../text/words.ts";

export type Side = "for" | "against" | null;

export interface Sides {
  /** One entry per pair. */
  pairs: readonly Side[];
  /** Whether the text demands or forbids anything at all; opposites only if both texts are about the same thing. */
  demand: Side;
}

/** Verbs in every form; a noun such as "requirement" is not a demand. */
const VERBS: readonly (readonly [RegExp, RegExp])[] = [
  [/^enabl(?:e|es|ed|ing)$/, /^disabl(?:e|es|ed|ing)$/],
  [/^allow(?:s|ed|ing)?$/, /^den(?:y|ies|ied|ying)$/],
  [/^requir(?:e|es|ed|ing)$/, /^forb(?:id|ids|idden|idding|ade)$/],
  [/^includ(?:e|es|ed|ing)$/, /^exclud(?:e|es|ed|ing)$/],
  [/^add(?:s|ed|ing)?$/, /^remov(?:e|es|ed|ing)$/],
];
/** Each demanding word, and the words whose negation opposes it. */
const DEMANDS: readonly (readonly [string, readonly string[]])[] = [
  ["must", ["must", "never"]],
  ["always", ["do", "does"]],
];
const DEMANDING: ReadonlySet<string> = new Set("must shall should may always".split(" "));
const NEGATED_WITH_NOT: ReadonlySet<string> = new Set([
  ...DEMANDING,
  ..."can could did do does might need will would".split(" "),
]);
const NEGATIONS: ReadonlySet<string> = new Set(["not", "never"]);
/** Before a demand these negate it: no key may, nobody shall. */
const NOBODY: ReadonlySet<string> = new Set("no nobody none nothing neither".split(" "));
const NOBODY_REACHES_WORDS = 4;
/** Words allowed between a negation and the word it negates. */
const BETWEEN: ReadonlySet<string> = new Set("also always be been being even ever get then to".split(" "));
/** Stems that remain before "n't". */
const SHORTENED: Readonly<Record<string, string>> = { ca: "can", sha: "shall", wo: "will" };

interface Demand {
  side: "for" | "against";
  word: string;
}

export function sidesOf(text: string): Sides {
  const tokens = spokenWords(text);
  const reversed = new Set<number>();
  const negated = new Set<number>();
  const demands: Demand[] = [];
  for (const [at, word] of tokens.entries()) {
    if (!NEGATIONS.has(word) || tokens[at + 1] === "only") continue;
    const [before, next] = [skipping(tokens, at, -1), skipping(tokens, at, 1)];
    const demanding = NEGATED_WITH_NOT.has(tokens[before] ?? "") ? tokens[before]! : null;
    if (demanding !== null) negated.add(before);
    if (isVerb(tokens[next] ?? "")) reversed.add(next);
    else if (word === "never") demands.push({ side: "against", word });
    else if (demanding !== null) demands.push({ side: "against", word: demanding });
  }
  for (const [at, word] of tokens.entries()) {
    if (DEMANDING.has(word) && !negated.has(at))
      demands.push({ side: isOfNobody(at, tokens) ? "against" : "for", word });
  }
  return {
    pairs: [
      ...DEMANDS.map((pair) => demandSide(pair, demands)),
      ...VERBS.map((pair) => verbSide(pair, tokens, reversed)),
    ],
    demand: stronger(demands.map(({ side }) => side)),
  };
}

const isVerb = (word: string): boolean => VERBS.some((pair) => pair.some((form) => form.test(word)));

/** A text that does both counts as against: "must be encrypted and never leave" is on the side of never. */
function stronger(sides: readonly Side[]): Side {
  if (sides.includes("against")) return "against";
  return sides.includes("for") ? "for" : null;
}

const demandSide = ([demanding, opposed]: (typeof DEMANDS)[number], demands: readonly Demand[]): Side =>
  stronger(
    demands.filter(({ side, word }) => (side === "for" ? word === demanding : opposed.includes(word))).map(({ side }) => side),
  ); // prettier-ignore

function verbSide([isFor, isAgainst]: (typeof VERBS)[number], tokens: readonly string[], reversed: Set<number>): Side {
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

/** Contractions become two words, "no longer" becomes "not", and every mark that ends a clause becomes a comma. */
function spokenWords(text: string): string[] {
  const plain = fold(text)
    .replaceAll("’", "'")
    .replace(/\bno\s{1,3}(?:longer|more)\b/g, "not")
    .replace(/\bcannot\b/g, "can not")
    .replace(/\b([a-z]{2,6})n't\b/g, (_, word: string) => `${SHORTENED[word] ?? word} not`);
  const found = plain.match(/[\p{L}\p{N}\p{M}]+(?:'\p{L}+)?|[,.;:!?]+(?=\s)/gu) ?? [];
  return found.map((word) => (/^[,.;:!?]/.test(word) ? "," : word));
}
