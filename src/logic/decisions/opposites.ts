/**
 * Opposites: on which side of a few pairs a text stands, such as allow and deny.
 *
 * A demand is negated in any form: "must never", "shall not", "don't", "no key may". A negation before a verb of a pair
 * turns that verb round instead: not to exclude is to include.
 */
import { fold } from "../text/words.ts";

export type Side = "for" | "against" | null;

export interface Sides {
  /** For each pair. */
  pairs: readonly Side[];
  /** Whether anything at all is demanded, or forbidden: opposite only where both speak of the same. */
  demand: Side;
}

/** Verbs in every form; a noun such as "requirement" demands nothing. */
const VERBS: readonly (readonly [RegExp, RegExp])[] = [
  [/^enabl(?:e|es|ed|ing)$/, /^disabl(?:e|es|ed|ing)$/],
  [/^allow(?:s|ed|ing)?$/, /^den(?:y|ies|ied|ying)$/],
  [/^requir(?:e|es|ed|ing)$/, /^forb(?:id|ids|idden|idding|ade)$/],
  [/^includ(?:e|es|ed|ing)$/, /^exclud(?:e|es|ed|ing)$/],
  [/^add(?:s|ed|ing)?$/, /^remov(?:e|es|ed|ing)$/],
];
/** By the word that demands, and those whose negation is its opposite. */
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
/** Before a demand they negate it: no key may, nobody shall. */
const NOBODY: ReadonlySet<string> = new Set("no nobody none nothing neither".split(" "));
const NOBODY_REACHES_WORDS = 4;
/** They may stand between a negation and what it negates. */
const BETWEEN: ReadonlySet<string> = new Set("also always be been being even ever get then to".split(" "));
/** What is left of a word before "n't". */
const SHORTENED: Readonly<Record<string, string>> = { ca: "can", sha: "shall", wo: "will" };

interface Said {
  side: "for" | "against";
  word: string;
}

export function sidesOf(text: string): Sides {
  const spoken = spokenWords(text);
  const turned = new Set<number>();
  const negated = new Set<number>();
  const said: Said[] = [];
  for (const [at, word] of spoken.entries()) {
    if (!NEGATIONS.has(word) || spoken[at + 1] === "only") continue;
    const [before, next] = [skipping(spoken, at, -1), skipping(spoken, at, 1)];
    const demanding = NEGATED_WITH_NOT.has(spoken[before] ?? "") ? spoken[before]! : null;
    if (demanding !== null) negated.add(before);
    if (isVerb(spoken[next] ?? "")) turned.add(next);
    else if (word === "never") said.push({ side: "against", word });
    else if (demanding !== null) said.push({ side: "against", word: demanding });
  }
  for (const [at, word] of spoken.entries()) {
    if (DEMANDING.has(word) && !negated.has(at)) said.push({ side: isOfNobody(at, spoken) ? "against" : "for", word });
  }
  return {
    pairs: [...DEMANDS.map((pair) => demandSide(pair, said)), ...VERBS.map((pair) => verbSide(pair, spoken, turned))],
    demand: stronger(said.map(({ side }) => side)),
  };
}

const isVerb = (word: string): boolean => VERBS.some((pair) => pair.some((form) => form.test(word)));

/** Whoever says both is against: "must be encrypted and never leave" is on the side of never. */
function stronger(sides: readonly Side[]): Side {
  if (sides.includes("against")) return "against";
  return sides.includes("for") ? "for" : null;
}

const demandSide = ([demanding, opposed]: (typeof DEMANDS)[number], said: readonly Said[]): Side =>
  stronger(
    said.filter(({ side, word }) => (side === "for" ? word === demanding : opposed.includes(word))).map(({ side }) => side),
  ); // prettier-ignore

function verbSide([isFor, isAgainst]: (typeof VERBS)[number], spoken: readonly string[], turned: Set<number>): Side {
  const sides = spoken.map((word, at): Side => {
    if (isFor.test(word)) return turned.has(at) ? "against" : "for";
    if (isAgainst.test(word)) return turned.has(at) ? "for" : "against";
    return null;
  });
  return stronger(sides);
}

function isOfNobody(at: number, spoken: readonly string[]): boolean {
  const before = spoken.slice(Math.max(0, at - NOBODY_REACHES_WORDS), at);
  return before.slice(before.lastIndexOf(",") + 1).some((word) => NOBODY.has(word));
}

/** The nearest word that does not merely stand between. */
function skipping(spoken: readonly string[], from: number, step: 1 | -1): number {
  let at = from + step;
  while (BETWEEN.has(spoken[at] ?? "")) at += step;
  return at;
}

/** Contractions as two words, "no longer" as not, and every mark that ends a clause as a comma. */
function spokenWords(text: string): string[] {
  const plain = fold(text)
    .replaceAll("’", "'")
    .replace(/\bno\s{1,3}(?:longer|more)\b/g, "not")
    .replace(/\bcannot\b/g, "can not")
    .replace(/\b([a-z]{2,6})n't\b/g, (_, word: string) => `${SHORTENED[word] ?? word} not`);
  const found = plain.match(/[\p{L}\p{N}\p{M}]+(?:'\p{L}+)?|[,.;:!?]+(?=\s)/gu) ?? [];
  return found.map((word) => (/^[,.;:!?]/.test(word) ? "," : word));
}
