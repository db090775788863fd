/** Hit: one search result, with the reasons it was found. */
import * as z from "zod";
import { DOCUMENT_TYPES } from "../files/corpus.ts";
import { identity, Scope, Shelf, Source, Status } from "../memory/item.ts";
import { Condition } from "../memory/near-pair.ts";
import { ROLES } from "../memory/shelves.ts";
import { MODES } from "./ranking.ts";

/** An item that a hit superseded, or a proposal rejected on its subject: it does not hold, but it explains. */
export const Past = z.object({
  ...identity,
  title: z.string().nullable(),
  content: z.string(),
  status: Status,
  validFrom: z.string().nullable(),
  validUntil: z.string().nullable(),
  folded: z.literal(true).optional().describe("It was folded into a summary; that does not mean that it is outdated."),
  reason: z.string().nullable().optional().describe("Why it was rejected, if it was."),
});
export type Past = z.infer<typeof Past>;

/** A decision in force that a hit opposes. */
const Opposed = z.object({ ...identity, why: z.string() });
type Opposed = z.infer<typeof Opposed>;

export const Hit = z.object({
  ...identity,
  shelf: Shelf,
  scope: Scope,
  type: z.string(),
  title: z.string().nullable(),
  summary: z.string(),
  content: z.string(),
  excerpt: z.string().optional().describe("Long contents only: the part that answers the question."),
  tags: z.array(z.string()),
  status: Status,
  source: Source.describe("Where it comes from."),
  byAgent: z.boolean().describe("An agent wrote it."),
  score: z.number().min(0).max(1).describe("Order within this answer; the best is 1."),
  relevance: z.number().min(0).max(1).describe("Absolute: how likely this answers the question."),
  why: z
    .record(z.string(), z.number())
    .describe("Share of the score from each ranker; and by how much priority, confidence and the like changed it."),
  createdAt: z.string(),
  validFrom: z.string().nullable(),
  validUntil: z.string().nullable(),
  history: z.array(Past),
  related: z.array(z.string()).describe("Ids of the nearest items by relations, up to two steps away."),
  code: z
    .object({ ...identity, path: z.string().nullable(), content: z.string() })
    .optional()
    .describe("Descriptions of code only: the code, cut if long."),
  contradicts: z.array(Opposed).describe("Decisions in force that this opposes."),
  beside: z
    .object({
      ...identity,
      is: z.enum(["earlier", "later"]),
      contradicts: z.boolean(),
      createdAt: z.string(),
      summary: z.string().optional().describe("Unless it stands directly before."),
    })
    .optional()
    .describe("What it is earlier or later than and near to; nobody has settled yet which of the two holds."),
  conditions: z.array(Condition).optional().describe("What holds beside it, and under which condition both do."),
  stale: z.string().nullable(),
  unratified: z.boolean(),
  otherSession: z.string().optional().describe("Of a working memory that another session wrote: which session."),
  session: z.string().optional().describe("Evidence only: the session it comes from."),
  passage: z
    .object({
      ordinal: z.int(),
      speaker: z.string().nullable(),
      role: z.enum(ROLES).nullable(),
      at: z.string().nullable(),
    })
    .optional()
    .describe("For evidence and ranked passages: which part was found, who said it and when."),
  path: z.string().optional().describe("Files only: path in the project."),
  label: z.string().optional().describe("Documents only: what kind of document it is, such as adr or readme."),
  docType: z.enum(DOCUMENT_TYPES).optional().describe("Documents only: steps to follow, or information."),
  startLine: z.int().optional().describe("Files only: first line of the match."),
  endLine: z.int().optional(),
  heading: z.string().optional().describe("Documents only: headings above the match."),
  symbol: z.string().optional().describe("Code only: the matching definition."),
});
export type Hit = z.infer<typeof Hit>;

/** The answer of a search. */
export const HitsAnswer = z.object({
  mode: z.enum(MODES),
  degraded: z.string().nullable().describe("Why the answer may be incomplete, or null."),
  hits: z.array(Hit),
});

/** Two questions, two lists: the hits, and what one session noted about the same. */
export const WithSession = HitsAnswer.extend({
  session: z
    .object({
      sessions: z.array(z.string()).describe("The latest first."),
      lines: z.array(z.string()).describe("For each a heading, then its notes by words shared with the question."),
    })
    .nullable()
    .describe("What an earlier session noted about it, and a later one about the same matter."),
});
