/** Proposals and the grounds of decisions, as answers show them. */
import * as z from "zod";
import { identity } from "../memory/handle.ts";
import { Source, Status } from "../memory/item.ts";

/** A proposal as answers show it. */
export const Proposal = z.object({
  ...identity,
  subject: z.string().nullable(),
  decision: z.string(),
  rationale: z.string().nullable(),
  rejected: z.array(z.string()).describe("Rejected alternatives."),
  evidence: z.array(z.string()).describe("Ids of the evidence."),
  supersedes: z.array(z.string()).describe("Ids of what it replaces once it is ratified."),
  relates: z.array(z.string()).describe("Ids of related decisions."),
  validFrom: z.string().nullable(),
  validUntil: z.string().nullable(),
  status: Status,
  reason: z.string().nullable().describe("Why it was rejected."),
  source: Source,
  host: z.string(),
  session: z.string(),
  createdAt: z.string(),
});
export type Proposal = z.infer<typeof Proposal>;

/** The grounds of a decision or proposal, and how it was settled. */
export const Grounds = z.object({
  rationale: z.string().nullable(),
  rejected: z.array(z.string()).describe("Rejected alternatives."),
  evidence: z.array(z.string()).describe("Ids of the evidence."),
  settled: z
    .object({ by: z.string().nullable(), how: z.string(), at: z.string() })
    .nullable()
    .describe("By whom, how and when it was ratified or rejected."),
  reason: z.string().nullable().describe("Why it was rejected."),
  edited: z.array(z.string()).describe("What was changed while it was ratified."),
});
export type Grounds = z.infer<typeof Grounds>;
