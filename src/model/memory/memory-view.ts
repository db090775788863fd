/** An item in full, as answers show it. */
import * as z from "zod";
import { Grounds } from "../decisions/decision-view.ts";
import { identity } from "./handle.ts";
import { Context, Scope, Source, Status } from "./item.ts";

export const Memory = z.object({
  grounds: Grounds.optional().describe("Decisions and proposals only."),
  ...identity,
  shelf: z.string(),
  scope: Scope,
  type: z.string(),
  title: z.string().nullable(),
  content: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  confidence: z.number(),
  priority: z.int(),
  pinned: z.boolean(),
  status: Status,
  source: Source,
  host: z.string(),
  session: z.string(),
  context: Context,
  hash: z.string(),
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  accessedAt: z.string(),
  accessCount: z.int(),
  expiresAt: z.string().nullable(),
  validFrom: z.string().nullable(),
  validUntil: z.string().nullable(),
  supersededBy: z.string().nullable(),
});
export type Memory = z.infer<typeof Memory>;
