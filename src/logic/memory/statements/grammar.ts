/**
 * Grammar, as far as it can be guessed from word lists: the verb, what a negation denies, what is given up, and where
 * something holds.
 */
import { ALTERING, GIVING_UP, MOVING } from "../../text/change-verbs.ts";
import { isStopWord } from "../../text/words.ts";
import { poleOf } from "./contrasts.ts";
import { isTelling, NEGATIONS, type Token, VERBS, isAcronym } from "./tokens.ts";

/** Words that can follow a verb such as "talks" or "deals", but hardly a plural. */
const AFTER_VERB =
  /^(?:a|an|the|at|to|by|with|from|about|through|up|down|not|only|its|their|our|all|every|each|as|over|into|out|off|\d.*)$/;
/** "The retry limit", "of use": what follows is a noun. */
const BEFORE_NOUN =
  /^(?:the|a|an|our|this|that|each|every|its|their|his|her|my|your|of|per|no|any|der|die|das|le|la|el)$/;
/** A condition before the main clause is part of what the statement is about. */
const CONDITION =
  /^(?:when|whenever|if|while|once|unless|until|after|before|wenn|falls|sobald|si|quand|lorsque|cuando|se|quando)$/;
/** "Logs are kept": before one of these the first word is a noun. */
const AUXILIARY = /^(?:is|are|was|were|has|have|can|must|should|will|may)$/;
/** How far after a negation the word that it negates may be. */
const NEGATION_REACH = 4;
const NOT_DENIED = /^(?:more|less|later|earlier|fewer|only|just|necessarily)$/;
/** The first known verb of the first sentence; failing that, a word that looks like one. Beyond the end if there is none. */
export function verbPlace(tokens: readonly Token[]): number {
  const end = tokens.findIndex(({ endsSentence }) => endsSentence);
  const first = end < 0 ? tokens : tokens.slice(0, end + 1);
  const start = CONDITION.test(first[0]?.folded ?? "") ? first.findIndex(({ endsClause }) => endsClause) + 1 : 0;
  const known = first.findIndex(
    ({ text, folded }, at) =>
      at >= start &&
      VERBS.has(folded) &&
      !(at === 0 && AUXILIARY.test(first[1]?.folded ?? "")) &&
      !isAcronym(text) &&
      !BEFORE_NOUN.test(first[at - 1]?.folded ?? ""),
  );
  if (known >= 0) return known;
  const likely = first.findIndex(
    ({ folded }, at) =>
      /[^su]s$/.test(folded) &&
      at > start &&
      !first[at - 1]!.endsClause &&
      AFTER_VERB.test(first[at + 1]?.folded ?? ""),
  );
  if (likely >= 0) return likely;
  // "Pool size: 8" says what it is.
  const label = first.findIndex(({ isLabel }) => isLabel);
  return label >= 0 && label < first.length - 1 ? label + 1 : tokens.length;
}

/** "On Friday", "after all", "off limits": only "turned on" and "is off" are poles. */
export function isPhrase(tokens: readonly Token[], at: number): boolean {
  const { folded } = tokens[at]!;
  if (folded !== "on" && folded !== "off") return folded === "hand" && tokens[at - 1]?.folded !== "by";
  const before = tokens[at - 1]?.folded ?? "";
  return !/^(?:turn|turns|turned|switch|switched|is|are|stays|stay|be|remains|set)$/.test(before) || !isEnd(tokens, at);
}

const isEnd = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]!.endsClause ||
  at === tokens.length - 1 ||
  (isStopWord(tokens[at + 1]!.folded) && !BEFORE_NOUN.test(tokens[at + 1]!.folded));

export interface Negations {
  places: Set<number>;
  /** Poles that a negation turns into their opposite; it then reaches no further. */
  reversed: Set<number>;
  /** Without those that only reverse a pole. */
  count: number;
}

export function negationsIn(tokens: readonly Token[]): Negations {
  const found: Negations = { places: new Set(), reversed: new Set(), count: 0 };
  for (const [at, { folded, endsClause }] of tokens.entries()) {
    // "No more than" and "not only" deny nothing.
    if (!NEGATIONS.has(folded) || NOT_DENIED.test(tokens[at + 1]?.folded ?? "")) continue;
    const next = tokens[at + 1];
    if (!endsClause && next && poleOf(next.folded) && folded !== "no") {
      found.reversed.add(at + 1);
      continue;
    }
    found.count += 1;
    for (let place = at + 1; !endsClause && place <= at + NEGATION_REACH && place < tokens.length; place++) {
      if (isTelling(tokens[place]!)) {
        found.places.add(place);
        break;
      }
      if (tokens[place]!.endsClause) break;
    }
  }
  return found;
}

/** What is left stands after these; after "from" only if something moved. */
const LEAVING: ReadonlySet<string> = new Set([
  ...GIVING_UP.flatMap((verb) => (verb.includes(" ") ? [] : [verb])),
  ..."off away drop leave replacing replaces instead killed stopped".split(" "),
]);
/** What is arrived at stands after these: "replaced X with Y", "from X to Y", "replaced by Y". */
const ARRIVING = /^(?:to|onto|into|towards|with|by|for|via|using|through|on)$/;
/** Said of a thing before them. */
const GONE = /^(?:gone|longer|anymore|obsolete|history|shut)$/;
const PASSIVE = /^(?:is|are|was|were|be|been|being|got|gets|get)$/;
const GIVEN_UP: ReadonlySet<string> = new Set(GIVING_UP.map((verb) => verb.split(" ")[0]!));
const MOVED: ReadonlySet<string> = new Set([...MOVING, ..."away over went moving migrating switching".split(" ")]);
const ALTERED: ReadonlySet<string> = new Set(ALTERING);
const LEAVING_REACH = 3;

/** Whether the text says that the thing at this place was given up: "moved off the old X", "X has been phased out". */
export const isLeft = (tokens: readonly Token[], at: number): boolean =>
  isLeftBefore(tokens, at) || isLeftAfter(tokens, at);

function isLeftBefore(tokens: readonly Token[], at: number): boolean {
  if (noLongerBefore(tokens, at) !== null) return true;
  for (let place = at - 1; place >= Math.max(0, at - LEAVING_REACH); place--) {
    const { folded, endsClause, hasArrow } = tokens[place]!;
    if (endsClause || hasArrow || ARRIVING.test(folded)) return false;
    if (folded === "from") return hasMoved(tokens, place);
    if (LEAVING.has(folded)) return true;
  }
  return false;
}

/** The words between "no longer" and the thing, or null: "no longer run on X". */
export function noLongerBefore(tokens: readonly Token[], at: number): readonly Token[] | null {
  const before = tokens.slice(Math.max(0, at - LEAVING_REACH), at);
  const longer = before.findLastIndex(({ folded }) => folded === "longer");
  const between = before.slice(longer + 1);
  return longer < 0 || before.slice(longer).some(({ endsClause }) => endsClause) ? null : between;
}

/** "Reads from X", "copied from X to Y" and "restored from X" leave nothing; "raised from X to Y" does. */
function hasMoved(tokens: readonly Token[], from: number): boolean {
  const start = tokens.findLastIndex(({ endsClause }, place) => endsClause && place < from) + 1;
  const before = tokens.slice(start, from);
  const isTo = tokens.slice(from + 1, from + 2 + LEAVING_REACH).some(({ folded }) => folded === "to");
  return before.some(({ folded }) => MOVED.has(folded) || (isTo && ALTERED.has(folded)));
}

/** "X was replaced" leaves X, "X replaced Y" does not. */
function isLeftAfter(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]!.hasArrow) return true;
  for (let place = at; place < tokens.length && place <= at + 2 * LEAVING_REACH; place++) {
    const { folded, endsClause } = tokens[place]!;
    if (place > at && GONE.test(folded)) return true;
    if (place > at && GIVEN_UP.has(folded)) {
      const isPassive = tokens.slice(at + 1, place).some((between) => PASSIVE.test(between.folded));
      return isPassive || tokens[place + 1]?.folded === "by";
    }
    if (endsClause) return false;
  }
  return false;
}

/** Prepositions of a place, a time or a purpose. */
export const SCOPING =
  /^(?:for|in|on|during|when|while|inside|within|under|against|fur|im|bei|pour|dans|chez|para|en|em)$/;

/** "Planned for March" is a value. */
const SCHEDULED = /^(?:planned|scheduled|slated|due)$/;

/** Whether a preposition stands before it, with at most an article or another word in between. */
export const isScope = (tokens: readonly Token[], at: number): boolean =>
  [1, 2].some((back) => {
    const before = tokens[at - back];
    return (
      before !== undefined &&
      SCOPING.test(before.folded) &&
      !SCHEDULED.test(tokens[at - back - 1]?.folded ?? "") &&
      !tokens.slice(at - back, at).some(({ endsClause }) => endsClause)
    );
  });
