/**
 * Whether a statement opposes a ratified decision, and why.
 *
 * It does if it says that the decided choice was given up, names another choice for the decided subject, or differs
 * from the decision in a number or a pole. It must be about exactly that subject: a dashboard for background jobs is
 * not the background jobs. Needs no vectors; each text is read once, however many it is compared with.
 */
import { conflictOf, type Conflict } from "../memory/statements/conflict.ts";
import { hasOwn } from "../memory/statements/circumstances.ts";
import { openingOf } from "../memory/statements/opening.ts";
import { type Statement, statementOf } from "../memory/statements/statement.ts";
import { type Token, tokensOf } from "../memory/statements/tokens.ts";
import { changeIn } from "../text/change-words.ts";
import { areEqual } from "../text/quantities.ts";
import { stem } from "../text/stem.ts";
import { fold, isStopWord } from "../text/words.ts";
import { chosenFor, firstName, rejectedIn, subjectIn } from "./chosen-name.ts";
import { choicesIn, isGivenUp, keysOf } from "./given-up.ts";
import { sameSubject } from "./subject.ts";

export interface Decided {
  subject: string;
  text: string;
  /** Alternatives that were rejected. */
  rejected?: readonly string[];
}

/** A statement to compare with decisions; its parts are read when one of them first needs them. */
export interface PreparedStatement {
  /** Of a proposal; null for a memory. */
  subject: string | null;
  folded: string;
  tokens: () => readonly Token[];
  whole: () => Statement;
  /** The same without what it says was left: of "from X to Y" only "to Y". */
  kept: () => { tokens: readonly Token[]; stems: readonly string[]; statement: () => Statement };
}

const REASON_CHARACTERS = 80;
const REJECTED_WORDS_MOST = 5;
const REASONS: Record<Exclude<Conflict, "name" | "word" | "measure">, string> = {
  number: "has another number",
  pole: "says the opposite",
  choice: "makes another choice",
  negation: "denies it",
};

export function prepareStatement(text: string, subject: string | null = null): PreparedStatement {
  const opening = openingOf(text);
  const tokens = once(() => tokensOf(opening));
  const whole = once(() => statementOf(opening));
  const kept = once(() => {
    const rest = withoutLeft(opening);
    const own = rest === opening ? tokens() : tokensOf(rest);
    const stems = own.map(({ folded }) => stem(folded));
    return { tokens: own, stems, statement: rest === opening ? whole : once(() => statementOf(rest)) };
  });
  return { subject, folded: fold(opening), tokens, whole, kept };
}

/** Reads a decision once; the answer is the reason in a few words, or null if the statement does not oppose it. */
export function decisionReader({
  subject,
  text,
  rejected = [],
}: Decided): (statement: PreparedStatement) => string | null {
  const opening = openingOf(text);
  const decided = tokensOf(opening);
  const own = new Set([...decided, ...tokensOf(subject)].flatMap(({ text: word }) => keysOf(word)));
  const choices = choicesIn(decided);
  const chosen = choices.map((at) => decided[at]!);
  const parts = tokensOf(subject).map(({ folded }) => stem(folded));
  // A stem may end in another letter than its word.
  const beginnings = parts.map((part) => part.slice(0, Math.max(1, part.length - 1)));
  const isSame = sameSubject(subject);
  const alternatives = rejected.map((one) => tokensOf(openingOf(one)).map(({ folded }) => folded)).filter(isSpecific);
  const statement = once(() => statementOf(opening));
  const says = `where the decision says ${short(text)}`;

  return (other) => {
    const [first] = chosen;
    if (first && other.folded.includes(first.folded) && isGivenUp(other.tokens(), decided, choices[0]!, own)) {
      return `gives up ${first.text}, which the decision chose`;
    }
    const mayNameRejected = alternatives.some((words) => words.every((word) => other.folded.includes(word)));
    const alternative = mayNameRejected ? rejectedIn(other.kept().tokens, alternatives, own) : null;
    if (alternative !== null) return `names ${alternative}, which was rejected for ${short(text)}`;
    const isProposed = other.subject !== null && isSame(other.subject);
    const mayBeNamed = parts.length > 0 && beginnings.every((beginning) => other.folded.includes(beginning));
    if (!isProposed && !mayBeNamed) return null;
    const { tokens, stems } = other.kept();
    const place = mayBeNamed ? subjectIn(tokens, stems, parts) : null;
    if (place === null && !isProposed) return null;
    const isNamed = chosen.some((choice) => tokens.some(({ folded }) => folded === choice.folded));
    if (chosen.length > 0 && !isNamed) {
      const name = isProposed ? firstName(tokens, own) : chosenFor(tokens, place!, own);
      // What is Anna's is not Anna.
      if (name !== null && !/^['’]s\b/.test(other.folded.split(fold(name), 2)[1] ?? "")) return `names ${name} ${says}`;
    }
    // What holds for partners or in tests is another thing than what was decided for all.
    if (hasOwn(other.folded, `${fold(opening)} ${fold(subject)}`)) return null;
    const kind = conflictWith(statement(), other);
    return kind !== null && kind in REASONS ? `${REASONS[kind as keyof typeof REASONS]} ${says}` : null;
  };
}

function conflictWith(decided: Statement, { whole, kept }: PreparedStatement): Conflict | null {
  const none = { older: [], newer: [] };
  const statement = kept().statement();
  const kind = conflictOf(decided, statement, none);
  if (kind !== null || statement === whole()) return kind;
  // "Raised from 81 to 82": what was left tells what the new number is about, unless it is the decided one.
  const isKept = decided.quantities.some((one) => statement.quantities.some((two) => areEqual(one, two)));
  return !isKept && conflictOf(decided, whole(), none) === "number" ? "number" : null;
}

/** For a single pair. */
export const opposesDecision = (decision: Decided, statement: string, subject: string | null = null): string | null =>
  decisionReader(decision)(prepareStatement(statement, subject));

const LEFT =
  /\bfrom (?:(?!from\b)[^.;!?]){1,60}? (?=(?:on)?to\b)|(?<=\breplac(?:ed|es|ing) )[^.;!?]{1,60}? (?=with\b)/gi;
const LEFT_OF_ARROW = /[^\s.,;:!?]+(?: \d[\d.]*)? (?:→|⇒|->) /g;

/** "Open from 9 to 17" is no change. */
const withoutLeft = (text: string): string =>
  changeIn(text) === "certain" ? text.replace(LEFT, "").replace(LEFT_OF_ARROW, "") : text;

/** A long alternative is an argument, and a stop word no name. */
const isSpecific = (words: readonly string[]): boolean =>
  words.length > 0 && words.length <= REJECTED_WORDS_MOST && words.some((word) => !isStopWord(word));

const short = (text: string): string => {
  const line = text.split(/\s+/).join(" ").trim();
  return line.length <= REASON_CHARACTERS ? line : `${line.slice(0, REASON_CHARACTERS - 1).toWellFormed()}…`;
};

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
