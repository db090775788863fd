/** Subjects: the topics of decisions, and when two spellings mean the same one. */
import { isScopeTag } from "../memory/routing.ts";
import { fold, identifierParts, isStopWord, stem, words } from "../text/words.ts";

const DERIVED_WORDS = 5;
/** Words that open many decisions but name no subject. */
const DECIDING: ReadonlySet<string> = new Set(
  "adopt choose chose chosen decide decided let must pick prefer shall switch use".split(" "),
);
/** Before these stands what a decision is about, behind them what was decided: "Telemetry is opt-in". */
const STATING: ReadonlySet<string> = new Set("are is may must shall should will".split(" "));
const CLAUSE_END = /[.,;:!?](?=\s|$)|[\n。，；：！？]/u;

/** The subject of a decision if none is given: its first tag, or the first significant words of its text. */
export function derivedSubject({ content, tags }: { content: string; tags: readonly string[] }): string {
  const tag = tags.find((one) => !isScopeTag(one));
  if (tag !== undefined) return tag;
  const [clause = ""] = content.trim().split(CLAUSE_END, 1);
  const written = clause.trim().split(/\s+/);
  const start = written.findIndex((word) => isTelling(word) && !words(word).every((part) => DECIDING.has(fold(part))));
  const opening = untilStating(written.slice(Math.max(0, start), Math.max(0, start) + DERIVED_WORDS));
  return opening.slice(0, opening.findLastIndex(isTelling) + 1).join(" ") || content;
}

function untilStating(written: readonly string[]): readonly string[] {
  const end = written.findIndex((word, at) => at > 0 && STATING.has(fold(word)));
  return end < 0 ? written : written.slice(0, end);
}

const isTelling = (word: string): boolean => words(word).some((part) => !isStopWord(part));

/**
 * Spelling, word form and punctuation do not make another subject: `sessionStore` equals "session stores", but C++ is
 * not C#.
 */
export function subjectKey(subject: string): string {
  const parts = partsOf(subject);
  return parts.length === 0 ? fold(subject).trim() : [...parts, ...marksOf(subject)].join(" ");
}

/**
 * Prepared for comparing many subjects with one. Every word begins with all but the last letter of its stem, so most
 * subjects are ruled out quickly.
 */
export function sameSubject(subject: string): (other: string) => boolean {
  const key = subjectKey(subject);
  const beginnings = partsOf(subject).map((part) => part.slice(0, Math.max(1, part.length - 1)));
  return (other) => {
    const folded = fold(other);
    return beginnings.every((beginning) => folded.includes(beginning)) && subjectKey(other) === key;
  };
}

/** Whether a question names a subject, that is, contains its words consecutively. Prepared for many subjects. */
export function subjectsIn(question: string): (subject: string) => boolean {
  const asked = ` ${partsOf(question).join(" ")} `;
  const marks = new Set(marksOf(question));
  return (subject) => {
    const parts = partsOf(subject);
    return (
      parts.length > 0 && asked.includes(` ${parts.join(" ")} `) && marksOf(subject).every((mark) => marks.has(mark))
    );
  };
}

const marksOf = (text: string): string[] => text.match(/(?<=[\p{L}\p{N}])[+#]+/gu) ?? [];

function partsOf(text: string): string[] {
  return words(text)
    .flatMap((word) => {
      const own = identifierParts(word);
      return own.length > 0 ? own : [word];
    })
    .map((part) => stem(fold(part)));
}
