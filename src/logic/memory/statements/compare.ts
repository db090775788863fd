/**
 * Comparison: whether a new statement repeats, updates or contradicts an older one.
 *
 * What both say is the slot, what only one says its value. Two values of one slot conflict: other numbers, opposite
 * poles, a negation, other names. If the new statement tells a change, it is an update. Statements about different
 * things are at most related. Anything doubtful is nothing: silence is better than a false alarm.
 */
import type { Item } from "../../../model/memory/item.ts";
import type { Kinship } from "../../../model/memory/similar.ts";
import { titled } from "../../../model/text/titled.ts";
import { areEqual } from "../../text/quantities.ts";
import { fold } from "../../text/words.ts";
import { differInOneWord, differInValue } from "../meaning.ts";
import { type Conflict, conflictOf, denies, differInOneNoun, type OwnWords, ownWords } from "./conflict.ts";
import { haveOtherCircumstances } from "./circumstances.ts";
import { areDisjoint, isChoice, isNarrower, withoutHanPoles } from "./contrasts.ts";
import { areOtherIdentities } from "./identity.ts";
import { areExchanged } from "./neighbours.ts";
import { type Statement, statementOf, type Word } from "./statement.ts";

export interface Comparison {
  kind: Kinship;
  /** From 0 to 1: how near the two are. */
  strength: number;
}

/** How near two texts are, each between 0 and 1. */
export interface Nearness {
  /** How well the wordpieces of each are covered by the other. */
  olderCovered: number;
  newerCovered: number;
  /** Null without vectors. */
  cosine: number | null;
}

/** The least nearness of two statements for each kind. With vectors the mean of cosine and coverage counts. */
const LEAST = {
  repeats: 0.7,
  updates: 0.5,
  contradicts: 0.6,
  related: 0.7,
  /** Where it is uncertain that both are about the same thing. */
  uncertain: 0.6,
  /** Where both have words of their own for the subject, which may still be synonyms. */
  covered: 0.7,
  /** Where everything but one name is the same; rare names have little in common. */
  named: 0.5,
  /** Where only a word differs, which may be a synonym, or a number that may measure something else. */
  doubtful: 0.8,
} as const;
/** For statements that are near but whose difference is not understood. */
const UNCLEAR_LEAST = { withVector: 0.6, withoutVector: 0.65, sharedWords: 3 } as const;
/** From this cosine on, other words in the same place are synonyms, not other values. */
const SYNONYMS_LEAST = 0.85;
/** Denies a word beside it, so it is no negation of the statement. */
const WITHOUT = /\b(?:without|ohne|sans|sin|sem)\b/i;
/** With more words of their own, two numbers beside the same word may still be about different things. */
const OTHER_WORDS_MOST = 2;

/** Two statements of memory; a ratified decision has its own rules. */
export function compareStatements(older: Statement, newer: Statement, nearness: Nearness): Comparison | null {
  if (older.written === newer.written) return null;
  if (older.same === newer.same) return { kind: "repeats", strength: 1 };
  if (!older.isProse || !newer.isProse) return null;
  const strength = strengthOf(nearness);
  const found = (kind: Kinship): Comparison | null => (strength >= LEAST[kind] ? { kind, strength } : null);
  const parts = { older: ownWords(older, newer), newer: ownWords(newer, older) };
  if (areSiblings(older, newer, parts)) return found("related");
  if (areModifiedApart(parts) || areDisjoint(older.qualifiers, newer.qualifiers)) return null;
  if (isNarrower(older.qualifiers, newer.qualifiers)) return null;
  // What was or is only wished for changes nothing, and a wish may have come true.
  if (newer.isPresent !== older.isPresent && (!newer.isPresent || newer.change === null)) return null;
  if (newer.change === null && areOtherIdentities(older.identity, newer.identity)) {
    return strength >= LEAST.named ? { kind: "contradicts", strength } : null;
  }
  const hasVerbs = older.hasVerb && newer.hasVerb;
  const isCertain = hasVerbs && subjectWords(parts.older).length === 0 && subjectWords(parts.newer).length === 0;
  const mayDiffer = subjectWords(parts.older).length > 0 && subjectWords(parts.newer).length > 0;
  const conflict = conflictOf(older, newer, parts);
  if (conflict !== null) {
    if ((!isCertain || conflict === "measure") && strength < LEAST.uncertain) return null;
    if (newer.change !== null) {
      // Two accounts of a change may number it differently, and a possible change of something else is none.
      const isSame = !mayDiffer || recallsNumbers(older, newer);
      const isClear = older.change === null && (newer.change === "certain" ? isSame : isCertain);
      return isClear ? found("updates") : null;
    }
    if (mayDiffer || isAboutOthers(conflict, older, newer, parts)) return null;
    return strength >= leastOf(conflict) ? { kind: "contradicts", strength } : null;
  }
  if (newer.change !== null && older.change === null) {
    if ((mayDiffer && strength < LEAST.uncertain) || parts.newer.length === 0 || haveSameNames(newer, parts))
      return null;
    return isGivenUp(older, newer, parts) ? found("updates") : null;
  }
  if (differsInAnything(older, newer, parts) || haveOtherCircumstances(older.written, newer.written)) return null;
  if (WITHOUT.test(older.written) !== WITHOUT.test(newer.written)) return isAboutTheSame(older, newer, nearness);
  const isOneNoun = differInOneNoun(older, newer, parts);
  const mayBeSynonyms = !older.isForeign && !newer.isForeign && !isOneNoun;
  const isSynonymous = mayBeSynonyms && (nearness.cosine ?? 0) >= SYNONYMS_LEAST;
  const mayBeOther = (mayDiffer && coverageOf(nearness) < LEAST.covered) || isSubstituted(parts) || isOneNoun;
  // Words of both for the value may be synonyms or two values.
  const mayHaveOtherValue = hasValue(parts.older) && hasValue(parts.newer) && strength < LEAST.doubtful;
  if (!isSynonymous && (mayBeOther || mayHaveOtherValue)) return isAboutTheSame(older, newer, nearness);
  return found("repeats");
}

/** Whether a conflict is none, because each of the two is about something of its own. */
function isAboutOthers(conflict: Conflict, older: Statement, newer: Statement, own: OwnWords): boolean {
  if (isNarrowed(own.older, newer) || isNarrowed(own.newer, older)) return true;
  const hasVerbs = older.hasVerb && newer.hasVerb;
  if (haveOwnTopics(conflict, own) || (!hasVerbs && mayHaveOtherSubjects(conflict, own, older, newer))) return true;
  if (conflict === "negation" && denyOtherThings(own, older, newer)) return true;
  const isAloneOther = (conflict === "name" || conflict === "word") && !haveOtherValues(older, newer);
  if (!isAloneOther && haveOtherCircumstances(older.written, newer.written)) return true;
  return conflict === "number" && Math.max(own.older.length, own.newer.length) > OTHER_WORDS_MOST;
}

function leastOf(conflict: Conflict): number {
  if (conflict === "word" || conflict === "measure") return LEAST.doubtful;
  return conflict === "name" ? LEAST.named : LEAST.contradicts;
}

/** Near, and nothing tells them apart but words that may be synonyms or other values. */
function isAboutTheSame(older: Statement, newer: Statement, nearness: Nearness): Comparison | null {
  const strength = strengthOf(nearness);
  const least = nearness.cosine === null ? UNCLEAR_LEAST.withoutVector : UNCLEAR_LEAST.withVector;
  const shared = [...older.stems].filter((stem) => newer.stems.has(stem)).length;
  return strength >= least && shared >= UNCLEAR_LEAST.sharedWords ? { kind: "related", strength } : null;
}

/** Whether two texts are near enough to be worth reading. */
export const mayBeKin = (nearness: Nearness): boolean => strengthOf(nearness) >= LEAST.updates;

export function strengthOf(nearness: Nearness): number {
  const covered = coverageOf(nearness);
  return nearness.cosine === null ? covered : (covered + nearness.cosine) / 2;
}

const coverageOf = ({ olderCovered, newerCovered }: Nearness): number => (olderCovered + newerCovered) / 2;

const subjectWords = (words: readonly Word[]): Word[] => words.filter(({ isSubject }) => isSubject);

const hasValue = (words: readonly Word[]): boolean => words.some(({ isSubject }) => !isSubject);

/** Sent after 10 days, archived after 90: both have words of their own besides the values in which they differ. */
function haveOwnTopics(conflict: Conflict, { older, newer }: OwnWords): boolean {
  const both = (isTopic: (word: Word) => boolean) => older.some(isTopic) && newer.some(isTopic);
  if (conflict === "number" || conflict === "measure") return both(() => true);
  return conflict === "choice" && both(({ text }) => !isChoice(fold(text)));
}

/** Without a known verb, the words of each may be its subject. */
function mayHaveOtherSubjects(conflict: Conflict, own: OwnWords, older: Statement, newer: Statement): boolean {
  if (conflict !== "pole" && conflict !== "negation") return false;
  if (own.older.length === 0 || own.newer.length === 0) return false;
  return withoutHanPoles(older.same) !== withoutHanPoles(newer.same);
}

/** "Writes to the archive", "does not write to the log": what is denied has a word of its own beside it. */
function denyOtherThings(own: OwnWords, older: Statement, newer: Statement): boolean {
  const isOlder = older.negations > 0;
  const [negative, others] = isOlder ? [older, own.newer] : [newer, own.older];
  const clauses = new Set(negative.words.filter(({ isNegated }) => isNegated).map(({ clause }) => clause));
  return others.length > 0 && own[isOlder ? "older" : "newer"].some(({ clause }) => clauses.has(clause));
}

/** Production and staging, version 2 and 3, UART0 and UART2: the same about two things of a kind. */
function areSiblings(older: Statement, newer: Statement, { older: left, newer: right }: OwnWords): boolean {
  if (areDisjoint(older.subjectQualifiers, newer.subjectQualifiers)) return true;
  if (haveOtherSubjectNumbers(older, newer)) return true;
  return subjectWords(left).some((one) => right.some((two) => isSibling(one.text, two.text)));
}

/** Billing service and search service; or database backup and DB backup, which is the same, so this proves nothing. */
const areModifiedApart = ({ older, newer }: OwnWords): boolean =>
  subjectWords(older).some((one) => one.next !== null && subjectWords(newer).some((two) => one.next === two.next));

/** Partner requests are some of all requests. */
const isNarrowed = (own: readonly Word[], other: Statement): boolean =>
  subjectWords(own).some(({ next }) => next !== null && other.stems.has(next));

/** Version 2 and version 3 of something. */
const haveOtherSubjectNumbers = ({ subjectNumbers: one }: Statement, { subjectNumbers: two }: Statement): boolean =>
  one.size > 0 && two.size > 0 && [...one].every((number) => !two.has(number));

/** UART0 and UART2: names that differ only in a number. */
function isSibling(one: string, two: string): boolean {
  const [left, right] = [one, two].map((name) => fold(name).replace(/\d+/g, "#"));
  return left === right && left!.includes("#") && /\p{L}/u.test(left!);
}

/**
 * Whether the new statement gives up what the older one says; or tells a change and has other words for part of it.
 */
function isGivenUp(older: Statement, newer: Statement, own: OwnWords): boolean {
  const values = older.words.filter(({ isSubject }) => !isSubject);
  if (older.words.some(({ stem, isNegated }) => !isNegated && newer.left.has(stem) && !older.left.has(stem)))
    return true;
  const isOther = hasValue(own.older) && hasValue(own.newer);
  return newer.change === "certain" && isOther && values.some(({ stem }) => newer.stems.has(stem));
}

/** Two accounts of one change name the same things. */
const haveSameNames = (newer: Statement, own: OwnWords): boolean =>
  newer.words.some(({ isName }) => isName) && ![...own.older, ...own.newer].some(({ isName }) => isName);

type Said = Pick<Item, "title" | "content">;

/**
 * Whether two memories say different things, however many words they share: they contradict each other, one is denied or
 * given up in the other, or a number, a name or the only other word stands in the place of another. Statements stand at
 * the beginning, values anywhere. Details that only one of them has are no difference.
 */
export function sayDifferentThings(one: Said, two: Said): boolean {
  const [first, second] = [titled(one.title, one.content), titled(two.title, two.content)];
  if (differInValue(first, second) || differInOneWord(first, second)) return true;
  const [left, right] = [statementOf(one.content), statementOf(two.content)];
  const isOpposed = (older: Statement, newer: Statement): boolean => {
    const own = { older: ownWords(older, newer), newer: ownWords(newer, older) };
    const isChange = newer.change !== null && older.change === null;
    const isGone = isChange && isGivenUp(older, newer, own);
    return isGone || differInOneNoun(older, newer, own) || conflictOf(older, newer, own) !== null;
  };
  return (
    areOtherIdentities(left.identity, right.identity) ||
    differsInSense(left, right) ||
    [...left.negatives, ...right.negatives].some((word) => !left.negatives.has(word) || !right.negatives.has(word)) ||
    isOpposed(left, right) ||
    isOpposed(right, left)
  );
}

/** Anything that makes two near statements say something else. */
function differsInAnything(older: Statement, newer: Statement, own: OwnWords): boolean {
  const names = (words: readonly Word[]) => words.filter(({ isName }) => isName).length;
  return (
    differsInSense(older, newer) ||
    names(own.older) + names(own.newer) > 0 ||
    older.change !== newer.change ||
    older.changing !== newer.changing ||
    haveOtherNumbers(older, newer)
  );
}

/** The same words turned round: denied, in another order, or with the opposite of one. */
function differsInSense(older: Statement, newer: Statement): boolean {
  return (
    (older.order !== newer.order && older.order !== "" && newer.order !== "") ||
    older.negations !== newer.negations ||
    polesIn(older) !== polesIn(newer) ||
    areDisjoint(older.choices, newer.choices) ||
    denies(older, newer) ||
    denies(newer, older) ||
    areExchanged(older.neighbours, newer.neighbours)
  );
}

const haveOtherValues = (older: Statement, newer: Statement): boolean =>
  haveOtherNumbers(older, newer) || polesIn(older) !== polesIn(newer);

function haveOtherNumbers(older: Statement, newer: Statement): boolean {
  const lacks = (one: Statement, two: Statement) =>
    one.quantities.some((quantity) => !two.quantities.some((other) => areEqual(quantity, other)));
  return lacks(older, newer) || lacks(newer, older);
}

/** "From 81 to 82" is about what was 81. */
const recallsNumbers = (older: Statement, { quantities }: Statement): boolean =>
  older.quantities.some((one) => quantities.some((two) => areEqual(one, two)));

const polesIn = ({ poles }: Statement): string =>
  [...poles]
    .map(([pair, { pole }]) => `${pair} ${pole}`)
    .sort()
    .join();

/** A word of each in the same place: after or before the same word. */
const isSubstituted = ({ older, newer }: OwnWords): boolean =>
  older.some((one) =>
    newer.some(
      (two) => (one.previous !== null && one.previous === two.previous) || (one.next !== null && one.next === two.next),
    ),
  );
