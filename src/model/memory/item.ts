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
