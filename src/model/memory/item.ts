/**
 * Item: anything that lies on a shelf.
 *
 * One envelope serves memories, decisions, proposals, evidence, documents and code: what
 * search filters, ranks and shows is the same for all. What only one of them has is in
 * `details`. Times are epoch milliseconds here and ISO strings in answers. `item-fields.ts`
 * has the fields.
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

/** Scopes that outlive a session. Each has a store, which is known by the same name. */
export const LastingScope = Scope.exclude(["working"]);
export type LastingScope = z.infer<typeof LastingScope>;

export const Status = z.enum(STATUSES);
export type Status = z.infer<typeof Status>;

export const Source = z.enum(SOURCES);
export type Source = z.infer<typeof Source>;

/** Where in the work an item came from. */
export type Context = Values<typeof CONTEXT_FIELDS>;

export interface Item extends Values<ItemFields> {}

/** What a revision may change; identity, birth and the access record stay. */
export type Revision = Partial<Omit<Item, FixedField>>;
