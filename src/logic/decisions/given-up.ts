/**
 * What a decision chose, and whether a statement says that it was given up.
 *
 * Only a name can be given up for certain, and only by something that happened: "from X to Y", "replaced X with Y" and
 * "X → Y" leave X alone. A plan, a condition or a denial gives nothing up, and neither does the loss of a part of it.
 */
import { isLeft, noLongerBefore } from "../memory/statements/grammar.ts";
import { isCapitalised, isCode, isTelling, NEGATIONS, type Token, VERBS } from "../memory/statements/tokens.ts";
import { changeIn } from "../text/change-words.ts";
import { INTENDING } from "../memory/statements/intention-words.ts";
import { stem } from "../text/stem.ts";
import { fold, words } from "../text/words.ts";

/** Decisions often open with an order, whose capital says nothing. */
const ORDERS: ReadonlySet<string> = new Set(
  (
    "adopt avoid build cache check choose commit compile create define delete deploy document encrypt enforce format " +
    "generate host ignore implement index keep let limit lint log measure merge monitor move name pick pin prefer publish " +
    "queue rebase reject release review rotate route save schedule send serve ship sign split squash stay stop store " +
    "stream switch sync tag test trace track treat upgrade validate version write"
  ).split(" "),
);
/** What stands under one of these has not happened. */
const UNREAL: ReadonlySet<string> = new Set([
  ...INTENDING,
  ..."if unless when whenever before until may should cannot nobody without".split(" "),
]);
/** May stand between "no longer" and what is no longer used. */
const DISUSED =
  /^(?:use|uses|used|using|run|runs|running|rely|relies|depend|depends|need|needs|deploy|deployed|stored|handled|powered|on|with|via|through|by|in|the|our|a|an)$/;
const NO_MORE = /^(?:longer|anymore|more)$/;

export const isName = (token: Token): boolean => isCode(token.text) || isCapitalised(token);

export const keysOf = (word: string): string[] => [fold(word), ...words(word).map((part) => stem(fold(part)))];

/** A word that an order, a pronoun or an article cannot be. */
export const mayBeName = (token: Token): boolean =>
  isTelling(token) && !VERBS.has(token.folded) && !ORDERS.has(token.folded);

/** The names that a decision chooses, in order; those that it leaves are none. */
export const choicesIn = (decided: readonly Token[]): number[] =>
  [...decided.keys()].filter((at) => {
    const token = decided[at]!;
    if (!mayBeName(token) || isLeft(decided, at)) return false;
    return isName(token) || isCompound(token) || (at === 0 && /^\p{Lu}/u.test(token.text));
  });

const isCompound = ({ text }: Token): boolean => /^\p{L}{2,}(?:-\p{L}{2,})+$/u.test(text);

/** Whether the statement gives the choice up, and has something else in common with the decision. */
export function isGivenUp(
  tokens: readonly Token[],
  decided: readonly Token[],
  choice: number,
  own: ReadonlySet<string>,
): boolean {
  const { folded: chosen } = decided[choice]!;
  const isShared = tokens.some(
    (token) => token.folded !== chosen && isTelling(token) && keysOf(token.text).some((key) => own.has(key)),
  );
  if (!isShared) return false;
  const places = [...tokens.keys()].filter((at) => tokens[at]!.folded === chosen);
  // "From X 14 to X 16" keeps X.
  return (
    places.length > 0 &&
    places.every(
      (at) =>
        isLeft(tokens, at) &&
        isSameThing(tokens, at, decided, choice) &&
        isWhole(tokens, at) &&
        !isUnreal(tokens, at) &&
        changeIn(sentenceAt(tokens, at)) === "certain",
    )
  );
}

/** "The Helm chart" is not Helm, "React Router" not React, and a deploy check not the deploy. */
function isSameThing(tokens: readonly Token[], at: number, decided: readonly Token[], choice: number): boolean {
  const [here, there] = [tokens[at]!, decided[choice]!];
  const [next, decidedNext] = [nextOf(tokens, at), nextOf(decided, choice)];
  const isSameNext = next !== undefined && decidedNext !== undefined && stem(next.folded) === stem(decidedNext.folded);
  const goesOn = next !== undefined && isTelling(next) && !VERBS.has(next.folded);
  const decidedGoesOn = decidedNext !== undefined && isName(decidedNext);
  if ((goesOn || decidedGoesOn) && !isSameNext) return false;
  if (isName(here) || isName(there)) return true;
  if (isCompound(here)) return isSameNext || decidedNext === undefined || !isTelling(decidedNext);
  // Both begin a sentence: a plural may be any noun.
  return /^\p{Lu}/u.test(here.text) && (isSameNext || !here.folded.endsWith("s"));
}

/** The next word of the clause that is no number: a version is still the thing. */
function nextOf(tokens: readonly Token[], at: number): Token | undefined {
  for (let place = at; tokens[place] && !tokens[place]!.endsClause && !tokens[place]!.hasArrow; place++) {
    const next = tokens[place + 1];
    if (next === undefined || !/^v?\d[\d.]*$/.test(next.folded)) return next;
  }
  return undefined;
}

/** Removed from one place, or no longer accepted by something, it is still used elsewhere; "left in" means kept. */
function isWhole(tokens: readonly Token[], at: number): boolean {
  const next = nextOf(tokens, at)?.folded ?? "";
  if (next === "from") return false;
  if (/^(?:in|as|alone)$/.test(next) && tokens[at - 1]?.folded === "left") return false;
  const between = noLongerBefore(tokens, at);
  return between === null || between.every(({ folded }) => DISUSED.test(folded));
}

function sentenceAt(tokens: readonly Token[], at: number): string {
  const start = tokens.findLastIndex(({ endsSentence }, place) => endsSentence && place < at) + 1;
  const end = tokens.findIndex(({ endsSentence }, place) => endsSentence && place >= at);
  return tokens
    .slice(start, end < 0 ? undefined : end + 1)
    .map(({ text }) => text)
    .join(" ");
}

/** The words of the clause around a place. */
export function clauseAt(tokens: readonly Token[], at: number): readonly Token[] {
  const start = tokens.findLastIndex(({ endsClause }, place) => endsClause && place < at) + 1;
  const end = tokens.findIndex(({ endsClause }, place) => endsClause && place >= at);
  return tokens.slice(start, end < 0 ? undefined : end + 1);
}

function isUnreal(tokens: readonly Token[], at: number): boolean {
  const clause = clauseAt(tokens, at).map(({ folded }) => folded);
  if (clause.some((word) => UNREAL.has(word))) return true;
  return clause.some((word) => NEGATIONS.has(word)) && !clause.some((word) => NO_MORE.test(word));
}
