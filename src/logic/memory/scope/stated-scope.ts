/**
 * The scope that a text states itself: "in all my projects", "in this repo".
 *
 * A negated phrase states nothing. A text that states both leaves the choice to its type. Only the beginning is read:
 * far into a long text, such a phrase is about a detail.
 */
import { mayStateScope, readForScope } from "./may-state-scope.ts";
import { SAYS_ALL, SCOPE_PHRASES, type ScopePhrases } from "./scope-phrases.ts";

export interface StatedScope {
  scope: "project" | "global";
  /** The words that state it. */
  phrase: string;
}

/** A negation stands near its phrase. */
const CHARACTERS_AROUND = 300;

export function statedScope(text: string): StatedScope | null {
  if (!mayStateScope(text)) return null;
  const read = readable(readForScope(text));
  const everywhere = phraseIn(read, "everywhere");
  const here = phraseIn(read, "here");
  if ((everywhere === null) === (here === null)) return null;
  return everywhere === null ? { scope: "project", phrase: here! } : { scope: "global", phrase: everywhere };
}

/** A paragraph or list item starts a sentence; other line breaks do not. */
const readable = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[’ʼ]/g, "'")
    .replaceAll(/\n\s*(?:\n|[-*#>]+ )\s*/g, ". ")
    .replaceAll(/\s+/g, " ")
    .replace(/^[-*#> ]+/, "");

function phraseIn(text: string, which: "everywhere" | "here"): string | null {
  for (const language of SCOPE_PHRASES) {
    for (const pattern of language[which]) {
      for (const { 0: phrase, index } of text.matchAll(pattern)) {
        const before = text.slice(Math.max(0, index - CHARACTERS_AROUND), index);
        const after = text.slice(index + phrase.length, index + phrase.length + CHARACTERS_AROUND);
        if (!isNegated(phrase, before, after, language)) return phrase;
      }
    }
  }
  return null;
}

function isNegated(phrase: string, before: string, after: string, language: ScopePhrases): boolean {
  const { negatedBefore, negatedAfter, notAll } = language;
  if (negatedBefore.test(before) || negatedAfter?.test(after)) return true;
  return SAYS_ALL.test(phrase) && (notAll?.test(before) ?? false);
}
