/**
 * What a sentence says was done to a thing: put in, taken out or brought back.
 *
 * Verbs and the names beside them are read, not meanings. A thing is a name of code, or else a phrase of at least two
 * telling words.
 */
import { tellingStems } from "../../../text/words.ts";
import { anyOf, expression, raw } from "../phrases.ts";
import {
  ADDS,
  CONDITION,
  DENIAL,
  DROPS,
  IS_DROPPED,
  IS_RESTORED,
  REGRET,
  RESTORES,
  WAS_RIGHT,
} from "./deed-phrases.ts";

export type Deed = "adds" | "drops" | "restores";

export interface Done {
  deed: Deed;
  /** Of code. */
  names: ReadonlySet<string>;
  /** Of the whole phrase. */
  stems: ReadonlySet<string>;
  /** Under a condition, or not done yet. */
  isConditional: boolean;
  /** How much of the text it makes up. */
  share: number;
}

/** What a verb is done to stands before or after it. Where two verbs overlap, the first of this list counts. */
const FORMS: readonly [Deed, "before" | "after", RegExp][] = [
  ["restores", "before", IS_RESTORED.pattern],
  ["restores", "before", WAS_RIGHT.pattern],
  ["drops", "before", IS_DROPPED.pattern],
  ["restores", "after", RESTORES.pattern],
  ["drops", "after", DROPS.pattern],
  ["adds", "after", ADDS.pattern],
];
const LINK = anyOf(
  "because|since|which|so|but|when|after|before|until|while|instead|rather",
  "in|on|from|for|with|by|to|into|via|at|as",
);
const CLAUSE_END = expression(
  raw`[.:](?=\s|$)|[;!?—]|\((?!\))|(?<!\()\)|\s-\s|→|->|,(?= (which|so|but|because|since|and then)\b)|\s${LINK}\b`,
  "",
);
const SENTENCE_END = /(?<=[.!?])\s+/;
const CLAUSE = /(?<=;)\s+|\s—\s/;
/** "Remove: `a`; `b`", whose items all have the verb of the first. */
const LIST_HEAD = /^(?:\d+\.\s+)?\w+(?: \w+)?(?: \([^()]*\))?:\s/;
const PRONOUN = /^\s*(?:it|them|that|this)\b/i;
/** In code marks, or by its form: an option, a call, capitals or an underscore within, a file. */
const NAME = expression(
  raw`\`(?<quoted>[^\`]+)\`|(?<![\w./-])(?<bare>--[a-z][\w-]+|\w+(?=\(\))|[a-z]+[A-Z]\w*|` +
    raw`[A-Z][a-z0-9]+[A-Z]\w*|\w+_\w+|[\w-]+\.[a-z]{1,4}\b)`,
  "g",
);
const LEAST_STEMS = 2;
const LEAST_SHARE = 0.3;

export function namesIn(text: string): Set<string> {
  const found = [...text.matchAll(NAME)].map(([, quoted, bare]) => quoted ?? bare!);
  return new Set(
    found.map((name) => name.replace(/\(.*$/, "").replace(/^[\s*&"']+|[\s"',.;:=]+$/g, "")).filter(Boolean),
  );
}

export function deedsIn(text: string): Done[] {
  return text
    .split(SENTENCE_END)
    .flatMap((sentence) => deedsInSentence(sentence).map((one) => ({ ...one, share: sentence.length / text.length })));
}

/**
 * What was taken out is back, or what was put in is out. What is only mentioned beside other things stays; so does a
 * text that tells of both, the deed and how it was undone.
 */
export const isUndone = (later: readonly Done[], earlier: readonly Done[]): boolean =>
  later.some(
    (one) =>
      !one.isConditional &&
      earlier.some((other) => isOpposite(one, other) && isSame(one, other)) &&
      !earlier.some((other) => other.deed === one.deed && isSame(one, other)),
  );

const isOpposite = (later: Done, earlier: Done): boolean =>
  (later.deed === "restores" && earlier.deed === "drops") ||
  (later.deed === "drops" && earlier.deed === "adds" && earlier.share >= LEAST_SHARE);

function isSame(one: Done, other: Done): boolean {
  if (one.names.size > 0 && other.names.size > 0) return [...one.names].some((name) => other.names.has(name));
  if (one.names.size > 0 || other.names.size > 0) return false;
  const [few, many] = one.stems.size <= other.stems.size ? [one.stems, other.stems] : [other.stems, one.stems];
  return [...few].every((stem) => many.has(stem));
}

type Found = Omit<Done, "share">;

function deedsInSentence(sentence: string): Found[] {
  const head = LIST_HEAD.exec(sentence)?.[0];
  if (head !== undefined) {
    const [deed] = FORMS.find(([, , form]) => head.replace(/^\d+\.\s+/, "").search(form) === 0) ?? [];
    if (deed !== undefined) return doneTo(deed, sentence.slice(head.length), CONDITION.pattern.test(sentence));
  }
  return sentence.split(CLAUSE).flatMap(deedsInClause);
}

function deedsInClause(clause: string): Found[] {
  const isConditional = CONDITION.pattern.test(clause);
  if (REGRET.pattern.test(clause)) return doneTo("restores", clause, isConditional);
  const found: Found[] = [];
  const taken: [number, number][] = [];
  for (const [deed, side, form] of FORMS)
    for (const { index, 0: verb } of clause.matchAll(form)) {
      const end = index + verb.length;
      if (taken.some(([from, to]) => index < to && end > from)) continue;
      taken.push([index, end]);
      const [before, after] = [clause.slice(0, index), clause.slice(end)];
      if (DENIAL.pattern.test(before)) continue;
      // "Removed the cache, then restored it."
      const phrase = side === "before" ? lastPiece(before) : PRONOUN.test(after) ? before : after.split(CLAUSE_END)[0]!;
      found.push(...doneTo(deed, phrase, isConditional));
    }
  return found;
}

const lastPiece = (text: string): string => text.split(CLAUSE_END).findLast((piece) => piece.trim() !== "") ?? "";

function doneTo(deed: Deed, phrase: string, isConditional: boolean): Found[] {
  const names = namesIn(phrase);
  const stems = tellingStems(phrase);
  return names.size === 0 && stems.size < LEAST_STEMS ? [] : [{ deed, names, stems, isConditional }];
}
