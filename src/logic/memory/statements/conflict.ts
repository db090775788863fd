/**
 * Conflict: in which kind of value two statements about the same thing differ.
 *
 * Numbers conflict if they measure the same thing, poles if they are opposite, a negation if the other statement
 * affirms the same word, and names if the statements are otherwise equal.
 */
import { areEqual, comparability, type Quantity } from "../../text/quantities.ts";
import { fold } from "../../text/words.ts";
import { areDisjoint, isOrder, type Pole } from "./contrasts.ts";
import type { PoleUse, Statement, Word } from "./statement.ts";

export type Conflict = "number" | "measure" | "pole" | "choice" | "negation" | "name" | "word";

/** Two statements that differ in at most this many words each differ in a value. */
const VALUE_WORDS = 2;
/** And share at least this many. */
const FRAME_WORDS = 3;
/** Where names differ, fewer are enough. */
const NAMED_FRAME_WORDS = 2;

export interface OwnWords {
  older: readonly Word[];
  newer: readonly Word[];
}

/** The words that the other statement lacks. */
export function ownWords(statement: Statement, other: Statement): Word[] {
  const known = new Set([...other.stems, ...other.words.map(({ stem }) => stem)]);
  const isKnown = (part: string) => known.has(fold(part));
  return statement.words.filter(({ stem, text }) => !known.has(stem) && !text.split(/[^\p{L}\p{N}]+/u).every(isKnown));
}

/** The kind of value in which they differ, or null. */
export function conflictOf(older: Statement, newer: Statement, own: OwnWords): Conflict | null {
  if (!areModified(own) && !areScoped(own)) {
    const numbers = otherNumbers(older, newer);
    // Fails on 18 and does not fail on 20.
    if (numbers !== null) return newer.change === null && older.negations !== newer.negations ? null : numbers;
    if (haveOppositePoles(older, newer)) return "pole";
    if (areDisjoint(older.valueChoices, newer.valueChoices)) return "choice";
    if (isNegated(older, newer) || isNegated(newer, older)) return "negation";
  }
  const other = otherWord(older, newer, own);
  if (other !== null) return other;
  // Without a word of change, other names may as well belong to another thing.
  return newer.change !== null && haveOtherNames(older, own) ? "name" : null;
}

/** Numbers that only one of them has, although both measure the same. */
function otherNumbers(older: Statement, newer: Statement): "number" | "measure" | null {
  const has = (one: Quantity, { quantities }: Statement) => quantities.some((two) => areEqual(one, two));
  const found = older.quantities.flatMap((one) =>
    newer.quantities
      .filter((two) => !has(two, older) && (newer.change !== null || !has(one, newer)))
      .map((two) => comparability(one, two)),
  );
  if (found.includes("sure") || isRaised(older, newer, has)) return "number";
  return found.includes("possible") ? "measure" : null;
}

/** "From 81 to 82": the older number and one that the older statement lacks, in a change. */
function isRaised(older: Statement, newer: Statement, has: (one: Quantity, other: Statement) => boolean): boolean {
  if (newer.change !== "certain") return false;
  const kept = newer.quantities.find((one) => has(one, older));
  return newer.quantities.some((one) => one.measure === kept?.measure && one.unit === kept.unit && !has(one, older));
}

/** 404 for unknown users, 403 for suspended users: both modify the same word, so the numbers belong to different things. */
const areModified = ({ older, newer }: OwnWords): boolean =>
  older.some((one) => one.next !== null && newer.some((two) => one.next === two.next));

/** 64 for training, 256 for evaluation: each holds in a place of its own. */
const areScoped = ({ older, newer }: OwnWords): boolean =>
  older.some(({ isScope }) => isScope) && newer.some(({ isScope }) => isScope);

const haveOppositePoles = (older: Statement, newer: Statement): boolean =>
  [...older.poles].some(([pair, one]) => {
    const two = newer.poles.get(pair);
    if (two === undefined || !isOpposite(one.pole, two.pole) || (one.isSubject && two.isSubject)) return false;
    if (isOrder(pair)) return one.objects[0] !== undefined && one.objects[0] === two.objects[0];
    // Allowing images and denying videos are both possible.
    const hasOwn = ({ objects }: PoleUse, { stems }: Statement) => objects.some((object) => !stems.has(object));
    return !(hasOwn(one, newer) && hasOwn(two, older));
  });

const isOpposite = (one: Pole | null, two: Pole | null): boolean => one !== null && two !== null && one !== two;

/** Whether `negative` denies what `positive` says; not if that one rejects something in words of its own. */
function isNegated(negative: Statement, positive: Statement): boolean {
  if (negative.negations !== 1 || positive.negations > 0) return false;
  const ownNegatives = [...positive.negatives, ...negative.negatives].filter(
    (word) => !positive.negatives.has(word) || !negative.negatives.has(word),
  );
  return ownNegatives.length === 0 && !sharePole(negative, positive) && denies(negative, positive);
}

const sharePole = (one: Statement, two: Statement): boolean =>
  [...one.poles].some(([pair, { pole }]) => pole !== null && two.poles.get(pair)?.pole === pole);

/** A word negated in one and not in the other. */
export function denies(negative: Statement, positive: Statement): boolean {
  const affirmed = new Set(positive.words.filter((word) => !word.isNegated).map(({ stem }) => stem));
  return negative.words.some(({ isNegated: isDenied, stem }) => isDenied && affirmed.has(stem));
}

/** Otherwise equal, except for a name or one word in the same place, which is no verb: "the mascot is a fox", "an owl". */
function otherWord(older: Statement, newer: Statement, own: OwnWords): "name" | "word" | null {
  const [one, two] = [own.older[0], own.newer[0]];
  if (!one || !two || own.older.length > 1 || own.newer.length > 1 || one.isSubject || two.isSubject) return null;
  if (listed(older.words, one) !== listed(newer.words, two) || one.previous !== two.previous) return null;
  const shared = older.words.length - 1;
  if (one.isName && two.isName && one.isChoice && two.isChoice) return shared >= NAMED_FRAME_WORDS ? "name" : null;
  const isValue = (word: Word) => word.next === null && !isParticiple(word);
  return isValue(one) && isValue(two) && shared >= FRAME_WORDS ? "word" : null;
}

/** "Moved the docs to GitLab", "moved the wiki": near, but another thing. */
export function differInOneNoun(older: Statement, newer: Statement, own: OwnWords): boolean {
  const [one, two] = [own.older[0], own.newer[0]];
  if (!one || !two || own.older.length > 1 || own.newer.length > 1) return false;
  return listed(older.words, one) === listed(newer.words, two) && !isParticiple(one) && !isParticiple(two);
}

const isParticiple = ({ text }: Word): boolean => /(?:ed|ing|en)$/.test(text);

const listed = (words: readonly Word[], except: Word): string =>
  words.flatMap((word) => (word === except ? [] : [word.stem])).join(" ");

/** The older one is repeated except for a name, and the newer one has another. */
function haveOtherNames(older: Statement, own: OwnWords): boolean {
  const hasName = (words: readonly Word[]) => words.some(({ isName, isSubject }) => isName && !isSubject);
  const shared = older.words.length - own.older.length;
  return own.older.length <= VALUE_WORDS && shared >= NAMED_FRAME_WORDS && hasName(own.older) && hasName(own.newer);
}
