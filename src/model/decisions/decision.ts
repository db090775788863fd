/**
 * Decision and proposal: the details stored with items on these two shelves.
 *
 * The subject is an item's title and the decision its content, so that search sees both. Details may come from a file
 * or an older version: malformed ones read as absent.
 */
import * as z from "zod";
import type { Item } from "../memory/item.ts";

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
