/** Subjects: what decisions are about, and when two spellings mean the same one. */
import { isScopeTag } from "../memory/routing.ts";
import { stem } from "../text/stem.ts";
import { fold, identifierParts, isStopWord, words } from "../text/words.ts";

const DERIVED_WORDS = 5;
/** They open many decisions and name no subject. */
const DECIDING: ReadonlySet<string> = new Set(
  "adopt choose chose chosen decide decided let must pick prefer shall switch use".split(" "),
);
const CLAUSE_END = /[.,;:!?](?=\s|$)|[\n。，；：！？]/u;

/** What a decision is about when nobody has said so: its first tag, or the first telling words of its text. */
export function derivedSubject({ content, tags }: { content: string; tags: readonly string[] }): string {
  const tag = tags.find((one) => !isScopeTag(one));
  if (tag !== undefined) return tag;
  const [clause = ""] = content.trim().split(CLAUSE_END, 1);
  const written = clause.trim().split(/\s+/);
  const start = written.findIndex((word) => isTelling(word) && !words(word).every((part) => DECIDING.has(fold(part))));
  const opening = written.slice(Math.max(0, start), Math.max(0, start) + DERIVED_WORDS);
  return opening.slice(0, opening.findLastIndex(isTelling) + 1).join(" ") || content;
}

const isTelling = (word: string): boolean => words(word).some((part) => !isStopWord(part));

/** Spelling, word form and punctuation make no other subject: `sessionStore` is "session stores". C++ is not C#. */
export function subjectKey(subject: string): string {
  const parts = partsOf(subject);
  return parts.length === 0 ? fold(subject).trim() : [...parts, ...marksOf(subject)].join(" ");
}

/**
 * Whether others are the same subject, answered for many. All but the last letter of a stem begins each of its words,
 * so most are told apart at a glance.
 */
export function sameSubject(subject: string): (other: string) => boolean {
  const key = subjectKey(subject);
  const beginnings = partsOf(subject).map((part) => part.slice(0, Math.max(1, part.length - 1)));
  return (other) => {
    const folded = fold(other);
    return beginnings.every((beginning) => folded.includes(beginning)) && subjectKey(other) === key;
  };
}

/** Whether a question names a subject: its words stand in it, one after the other. Answered for many subjects. */
export function subjectsIn(question: string): (subject: string) => boolean {
  const said = ` ${partsOf(question).join(" ")} `;
  const marks = new Set(marksOf(question));
  return (subject) => {
    const parts = partsOf(subject);
    return (
      parts.length > 0 && said.includes(` ${parts.join(" ")} `) && marksOf(subject).every((mark) => marks.has(mark))
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
