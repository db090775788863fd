/** Words that a store knows and a shell can complete: handles of items by shelf, tags, and the subjects of decisions. */
export const KNOWN_WORDS = [
  "item",
  "memory",
  "linkable",
  "decision",
  "proposal",
  "evidence",
  "tag",
  "subject",
] as const;
export type KnownWord = (typeof KNOWN_WORDS)[number];

/** A word, and what it stands for. */
export interface Completion {
  word: string;
  about: string;
}
