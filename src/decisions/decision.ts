/**
 * Decision and proposal: the details stored with items on these two shelves.
 *
 * The subject is an item's title and the decision its content, so that search sees both. Details may come from a file
 * or an older version: malformed ones read as absent.
 */
import * as z from "zod";
import { identity, type Item, Source, Status } from "../memory/item.ts";

/** The last moment that a Date can represent. */
const LAST_MOMENT = 8_640_000_000_000_000;

const Texts = z.array(z.string()).catch([]);

export const ProposalDetails = z.looseObject({
  rationale: z.string().nullable().catch(null),
  /** Rejected alternatives. */
  rejected: Texts,
  /** Ids of the evidence. */
  evidence: Texts,
  /** Ids of the items it supersedes once ratified. */
  supersedes: Texts,
  /** Ids of decisions it will be related to. */
  relates: Texts,
});
export type ProposalDetails = z.infer<typeof ProposalDetails>;

/** Why a proposal was rejected, if a reason was given. */
export function reasonOf({ details }: Pick<Item, "details">): string | null {
  return typeof details["reason"] === "string" ? details["reason"] : null;
}

/** Who settled a proposal, how they were asked, and when. */
export const SettlementDetails = z.object({
  by: z.string().nullable(),
  how: z.string(),
  at: z.int().min(-LAST_MOMENT).max(LAST_MOMENT),
});
export type Settlement = z.infer<typeof SettlementDetails>;

/** Edits a person may make while ratifying; omitted fields stay as proposed. */
export interface DecisionEdits {
  subject?: string | undefined;
  decision?: string | undefined;
  rationale?: string | null | undefined;
  rejected?: string[] | undefined;
  evidence?: string[] | undefined;
  supersedes?: string[] | undefined;
  relates?: string[] | undefined;
  validFrom?: number | undefined;
  validUntil?: number | null | undefined;
}

// Proposals and the grounds of decisions, as answers show them.

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
