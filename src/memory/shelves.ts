/**
 * Shelves: separate places for searchable items.
 *
 * Each shelf has its own tables, word statistics and vectors, so a question about decisions cannot read evidence even
 * by mistake. Proposals have a shelf of their own for the same reason: pending items are never mixed with what holds.
 */
export const SHELVES = ["memory", "decision", "proposal", "evidence", "document", "code"] as const;
export type Shelf = (typeof SHELVES)[number];

/** The passages of these shelves cannot be rebuilt from the content, so they are exported with their item. */
export const SHELVES_WITH_PASSAGES = ["evidence", "document", "code"] as const;
export const carriesPassages = (shelf: Shelf): boolean => (SHELVES_WITH_PASSAGES as readonly string[]).includes(shelf);

export const ROLES = ["user", "assistant", "system", "tool"] as const;
export type Role = (typeof ROLES)[number];

/** The speaker of a part of a conversation, their role, and when it was said. */
export interface Turn {
  speaker: string | null;
  role: Role | null;
  at: number | null;
}

/** A searchable piece of an item. `tokens` are wordpiece ids; null means not computed yet. */
export interface Passage {
  ordinal: number;
  heading: string | null;
  startLine: number | null;
  endLine: number | null;
  text: string;
  tokens: Uint16Array | null;
  /** Only in conversations. */
  turn?: Turn;
}

/** A passage as the store knows it. */
export interface StoredPassage extends Passage {
  /** The store's own number, unique on its shelf and never reused. */
  passage: number;
  itemId: string;
}

/** The words in the keyword index; built by one rule so that rows and queries agree. */
export interface IndexedText {
  title: string;
  text: string;
  tags: string;
  split: string;
  cjk: string;
}

/** The types of memories, without their schema: the closed list is also a constraint of a team's database. */
export const MEMORY_TYPES = [
  "decision",
  "architecture",
  "convention",
  "pattern",
  "bug_fix",
  "gotcha",
  "error",
  "fact",
  "preference",
  "context",
  "progress",
  "documentation",
  "code_description",
  "code",
  "observation",
  "summary",
  "message",
  "thought",
  "scratchpad",
] as const;
