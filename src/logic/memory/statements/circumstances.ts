/**
 * Circumstances: where, for whom or when a statement holds, and which of several things it is about.
 *
 * Two values under different circumstances are both right: 19 % in Germany and 20 % in France, at least 12 characters
 * and at most 128, build 512 and build 530.
 */
import { fold } from "../../text/words.ts";
import { isManner } from "./contrasts.ts";

const CIRCUMSTANCE =
  /\b(?:(?:in|(?<!\b(?:planned|scheduled|due|slated|set) )for) (?:(?:the|a|an|our|your|its|this|that|each|every|all|any) )*|(?:when|if) (?:(?:the|a|an|our|all|any) )?(?:\p{L}+ (?:is|was|are|were) )?)(\p{L}[\p{L}-]*)/gu;
const AT_LEAST = /\b(?:at least|no fewer than|no less than|minimum)\b/;
const AT_MOST = /\b(?:at most|no more than|up to|maximum)\b/;
/** "Build 530", "version 3.3": the number says which one. */
const NUMBERED = /^\W*(\p{L}+) v?(\d[\d.]*)/u;

/** Whether one of two statements holds under circumstances that the other does not name, or is about another thing. */
export function haveOtherCircumstances(one: string, two: string): boolean {
  const [left, right] = [fold(one), fold(two)];
  if (hasOwn(left, right) || hasOwn(right, left)) return true;
  if (AT_LEAST.test(left) !== AT_LEAST.test(right) && AT_MOST.test(left) !== AT_MOST.test(right)) return true;
  const [first, second] = [NUMBERED.exec(left), NUMBERED.exec(right)];
  return first !== null && second !== null && first[1] === second[1] && first[2] !== second[2];
}

/** A circumstance of the text that the other does not mention at all. */
export function hasOwn(text: string, other: string): boolean {
  const known = new Set(other.match(/\p{L}[\p{L}-]*/gu) ?? []);
  return [...text.matchAll(CIRCUMSTANCE)].some(([, word]) => !known.has(word!) && !isManner(word!));
}
