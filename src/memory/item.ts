/**
 * Item: anything on a shelf.
 *
 * One structure serves memories, decisions, proposals, evidence, documents and code: search filters, ranks and shows
 * them all by the same fields, which `item-fields.ts` declares. Fields that only one of them has are in `details`. Times
 * are epoch milliseconds here and ISO strings in answers.
 */
import * as z from "zod";
import {
  type CONTEXT_FIELDS,
  type FixedField,
  type ItemFields,
  SCOPES,
  SOURCES,
  STATUSES,
  type Values,
} from "./item-fields.ts";
import { MEMORY_TYPES, SHELVES } from "./shelves.ts";

export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

/** Scopes that outlive a session. Each has a store of the same name. */
export const LastingScope = Scope.exclude(["working"]);
export type LastingScope = z.infer<typeof LastingScope>;

export const Status = z.enum(STATUSES);
export type Status = z.infer<typeof Status>;

export const Source = z.enum(SOURCES);
export type Source = z.infer<typeof Source>;

/** The work in which an item originated. */
export type Context = Values<typeof CONTEXT_FIELDS>;

export interface Item extends Values<ItemFields> {}

/** The fields a revision may change; identity, creation time and access record stay. */
export type Revision = Partial<Omit<Item, FixedField>>;

/**
 * Memory: one thing learnt.
 *
 * The list of types is closed; synonyms are mapped on input, so that the store never has two words for one idea.
 */
export const MemoryType = z.enum(MEMORY_TYPES);
export type MemoryType = z.infer<typeof MemoryType>;

export const TYPE_SYNONYMS = { code_pattern: "pattern", relationship: "preference" } as const satisfies Record<
  string,
  MemoryType
>;

/** A type as callers may write it. */
export const MemoryTypeInput = z
  .enum([...MEMORY_TYPES, "code_pattern", "relationship"])
  .transform(
    (type): MemoryType =>
      type in TYPE_SYNONYMS ? TYPE_SYNONYMS[type as keyof typeof TYPE_SYNONYMS] : (type as MemoryType),
  );

/** Weight 1–5 and importance 1–10 are other notations for priority, the only one stored. */
export const PRIORITY_OF_WEIGHT = { 1: 1, 2: 3, 3: 5, 4: 8, 5: 10 } as const;

/** The schema of shelves, apart from them: a hook has no time to load schemas. */
export const Shelf = z.enum(SHELVES);
export type Shelf = z.infer<typeof Shelf>;

// How answers name an item, as a schema.

/** The id for programs, the handle for people. */
export const identity = {
  id: z.string(),
  handle: z.string().describe("Short name; works wherever an id does."),
};
