/**
 * Grammar, as far as it can be guessed from word lists: the verb, what a negation denies, what is given up, and where
 * something holds.
 */
import { isStopWord } from "../../text/words.ts";
import { poleOf } from "./contrasts.ts";
import { isTelling, NEGATIONS, type Token, VERBS } from "./tokens.ts";

/** Words that can follow a verb such as "talks" or "deals", but hardly a plural. */
const AFTER_VERB =
  /^(?:a|an|the|at|to|by|with|from|about|through|up|down|not|only|its|their|our|all|every|each|as|over|into|out|off|\d.*)$/;
/** "The retry limit", "of use": what follows is a noun. */
const BEFORE_NOUN =
  /^(?:the|a|an|our|this|that|each|every|its|their|his|her|my|your|of|per|no|any|der|die|das|le|la|el)$/;
/** How far after a negation the word that it negates may be. */
const NEGATION_REACH = 4;
const NOT_DENIED = /^(?:more|less|later|earlier|fewer|only|just|necessarily)$/;
/** The first known verb of the first sentence; failing that, a word that looks like one. Beyond the end if there is none. */
export function verbPlace(tokens: readonly Token[]): number {
  const end = tokens.findIndex(({ endsSentence }) => endsSentence);
  const first = end < 0 ? tokens : tokens.slice(0, end + 1);
  const known = first.findIndex(
    ({ text, folded }, at) =>
      VERBS.has(folded) && !/^\p{Lu}{2,}$/u.test(text) && !BEFORE_NOUN.test(first[at - 1]?.folded ?? ""),
  );
  if (known >= 0) return known;
  const likely = first.findIndex(
    ({ folded }, at) =>
      /[^su]s$/.test(folded) && at > 0 && !first[at - 1]!.endsClause && AFTER_VERB.test(first[at + 1]?.folded ?? ""),
  );
  return likely >= 0 ? likely : tokens.length;
}

/** "On Friday", "after all", "off limits": only "turned on" and "is off" are poles. */
export function isPhrase(tokens: readonly Token[], at: number): boolean {
  const { folded } = tokens[at]!;
  if (folded !== "on" && folded !== "off") return folded === "hand" && tokens[at - 1]?.folded !== "by";
  const before = tokens[at - 1]?.folded ?? "";
  return !/^(?:turn|turns|turned|switch|switched|is|are|stays|stay|be|remains|set)$/.test(before) || !isEnd(tokens, at);
}

const isEnd = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]!.endsClause || at === tokens.length - 1 || isStopWord(tokens[at + 1]!.folded);

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

/** Words before and after the name of something that is given up. */
const LEAVING_BEFORE =
  /^(?:off|dropped|drop|left|leave|abandoned|ditched|removed|retired|replaced|replacing|replaces|instead|away|from|scrapped|deprecated|killed|stopped|longer)$/;
const LEAVING_AFTER =
  /^(?:phased|retired|sunset|replaced|removed|dropped|deprecated|abandoned|deleted|gone|swapped|discontinued|decommissioned|scrapped|abolished|longer|anymore|obsolete|history|ended|shut)$/;
const LEAVING_REACH = 3;

/** Whether the text says that the thing at this place was given up: "moved off the old X", "X has been phased out". */
export function isLeft(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(Math.max(0, at - LEAVING_REACH), at);
  const sameClause = before.slice(before.findLastIndex(({ endsClause }) => endsClause) + 1);
  if (sameClause.some(({ folded }) => LEAVING_BEFORE.test(folded))) return true;
  for (let place = at; place < tokens.length && place <= at + 2 * LEAVING_REACH; place++) {
    if (place > at && LEAVING_AFTER.test(tokens[place]!.folded)) return true;
    if (tokens[place]!.endsClause) return false;
  }
  return false;
}

const SCOPING = /^(?:for|in|on|during|when|while|inside|within|under|against|fur|im|bei|pour|dans|chez|para|en|em)$/;

/** Whether a preposition stands before it, with at most an article or another word in between. */
export const isScope = (tokens: readonly Token[], at: number): boolean =>
  [1, 2].some((back) => {
    const before = tokens[at - back];
    return (
      before !== undefined &&
      SCOPING.test(before.folded) &&
      !tokens.slice(at - back, at).some(({ endsClause }) => endsClause)
    );
  });
