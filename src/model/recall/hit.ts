/** Hit: one answer of a search, with the reasons why it was found. */
import * as z from "zod";
import { identity } from "../memory/handle.ts";
import { Scope, Status } from "../memory/item.ts";
import { ROLES, Shelf } from "../memory/shelf.ts";

/** What a hit replaced, or what was turned down about its subject: it does not hold, but it explains. */
export const Past = z.object({
  ...identity,
  title: z.string().nullable(),
  content: z.string(),
  status: Status,
  validFrom: z.string().nullable(),
  validUntil: z.string().nullable(),
  reason: z.string().nullable().optional().describe("Of what was turned down: why."),
});
export type Past = z.infer<typeof Past>;

export const Hit = z.object({
  ...identity,
  shelf: Shelf,
  scope: Scope,
  type: z.string(),
  title: z.string().nullable(),
  summary: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  status: Status,
  score: z.number().min(0).max(1).describe("Order within this answer; the best is 1."),
  relevance: z.number().min(0).max(1).describe("Absolute: how well this answers the question."),
  why: z.record(z.string(), z.number()).describe("Share of the score that each ranker gave."),
  createdAt: z.string(),
  validFrom: z.string().nullable(),
  validUntil: z.string().nullable(),
  history: z.array(Past),
  related: z.array(z.string()),
  stale: z.string().nullable(),
  unratified: z.boolean(),
  session: z.string().optional().describe("Of evidence: the session in which it was said."),
  passage: z
    .object({
      ordinal: z.int(),
      speaker: z.string().nullable(),
      role: z.enum(ROLES).nullable(),
      at: z.string().nullable(),
    })
    .optional()
    .describe("Of evidence, and where passages are ranked: which part was found, who said it and when."),
  path: z.string().optional().describe("Of a file: where it lies in the project."),
  startLine: z.int().optional().describe("Of a file: the first line of what was found."),
  endLine: z.int().optional(),
  heading: z.string().optional().describe("Of a document: the headings above what was found."),
  symbol: z.string().optional().describe("Of code: the definition that was found."),
});
export type Hit = z.infer<typeof Hit>;
