/**
 * Item: anything on a shelf.
 *
 * One structure serves memories, decisions, proposals, evidence, documents and code: search filters, ranks and shows
 * them all by the same fields. Fields that only one of them has are in `details`. Times are epoch milliseconds here and
 * ISO strings in answers.
 */
import * as z from "zod";

export const SCOPES = ["working", "project", "global"] as const;
export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

/** Scopes that outlive a session. Each has a store of the same name. */
export const LastingScope = Scope.exclude(["working"]);
export type LastingScope = z.infer<typeof LastingScope>;

export const STATUSES = ["active", "archived", "superseded", "pruned", "pending", "ratified", "rejected"] as const;
export const Status = z.enum(STATUSES);
export type Status = z.infer<typeof Status>;

export const SOURCES = [
  "user_explicit",
  "ai_inferred",
  "system_auto",
  "extraction",
  "manual",
  "code_index",
  "file-index",
] as const;
export const Source = z.enum(SOURCES);
export type Source = z.infer<typeof Source>;

/** The work in which an item originated. */
export const Context = z.object({
  branch: z.string().nullable().default(null),
  commits: z.array(z.string()).default([]),
  files: z.array(z.string()).default([]),
  symbols: z.array(z.string()).default([]),
  language: z.string().nullable().default(null),
});
export type Context = z.infer<typeof Context>;

export interface Item {
  id: string;
  type: string;
  scope: Scope;
  status: Status;
  title: string | null;
  content: string;
  summary: string;
  tags: string[];
  confidence: number;
  priority: number;
  pinned: boolean;
  source: Source;
  host: string;
  session: string;
  context: Context;
  label: string | null;
  path: string | null;
  hash: string;
  version: number;
  createdAt: number;
  updatedAt: number;
  accessedAt: number;
  accessCount: number;
  expiresAt: number | null;
  validFrom: number | null;
  validUntil: number | null;
  supersededBy: string | null;
  details: Record<string, unknown>;
}

/** The fields a revision may change; identity, creation time and access record stay. */
export type Revision = Partial<Omit<Item, "id" | "version" | "createdAt" | "accessedAt" | "accessCount">>;
