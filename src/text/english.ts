/** What is known about English: the words that deny, demand and oppose. All other rules about meaning use these. */
import { fold, words } from "./words.ts";

const listed = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Before a verb they negate it. */
export const NOT: ReadonlySet<string> = listed("not never");
/** Before a demand these negate it: no key may, nobody shall. */
export const NOBODY: ReadonlySet<string> = listed("no nobody none nothing neither");
const NEGATIONS: ReadonlySet<string> = listed("not no never without none neither nor cannot");

export const DEMANDING: ReadonlySet<string> = listed("must shall should may always");
/** Each demanding word, and the words whose negation opposes it, whatever the texts are about. */
export const DEMANDS: readonly (readonly [string, readonly string[]])[] = [
  ["must", ["never"]],
  ["always", ["do", "does"]],
];
export const NEGATED_WITH_NOT: ReadonlySet<string> = new Set([
  ...DEMANDING,
  ...listed("can could did do does might need will would"),
]);

/** Verbs in every form; a noun such as "requirement" is not a demand. */
export const OPPOSITE_VERBS: readonly (readonly [RegExp, RegExp])[] = [
  [/^enabl(?:e|es|ed|ing)$/, /^disabl(?:e|es|ed|ing)$/],
  [/^allow(?:s|ed|ing)?$/, /^den(?:y|ies|ied|ying)$/],
  [/^requir(?:e|es|ed|ing)$/, /^forb(?:id|ids|idden|idding|ade)$/],
  [/^includ(?:e|es|ed|ing)$/, /^exclud(?:e|es|ed|ing)$/],
  [/^add(?:s|ed|ing)?$/, /^remov(?:e|es|ed|ing)$/],
];

export const STOPPING = /^(?:stop|stops|stopped|stopping)$/;

/** A sentence that says what has to be. */
export const DEMAND =
  /\b(?:must|shall|should|never|always|cannot|may\s+not|can(?:no|')t|(?:do|does)(?:\s+not|n['’]t)|required?|requires|forbid(?:s|den)?|prohibit(?:s|ed)?|mandatory|not\s+allowed)\b/i;

/** What a demand is not to bring about: it is not demanded, but nor is it forbidden elsewhere. */
export const LACKING = "without";
/** These begin a condition. */
export const CONDITION: ReadonlySet<string> = listed("if when whenever unless");
/** Words allowed between a negation and the word it negates. */
export const BETWEEN: ReadonlySet<string> = listed("also always be been being even ever get then to");

/** Stems that remain before "n't". */
const SHORTENED: Readonly<Record<string, string>> = { ca: "can", sha: "shall", wo: "will" };

/** Folded, with each contraction as two words. */
export const uncontracted = (text: string): string =>
  fold(text)
    .replaceAll("’", "'")
    .replace(/\bcannot\b/g, "can not")
    .replace(/\b([a-z]{2,6})n't\b/g, (_, word: string) => `${SHORTENED[word] ?? word} not`);

/** Articles say nothing about what is meant. */
export const ARTICLES: ReadonlySet<string> = listed("a an the");

export const isNegation = (word: string): boolean => NEGATIONS.has(fold(word));

export function negations(text: string): number {
  const contracted = text.match(/\b\w+n['’]t\b/gi)?.length ?? 0;
  return contracted + words(text).filter(isNegation).length;
}
