/**
 * Decision and proposal: what the items on these two shelves keep in their details.
 *
 * The subject is an item's title and the decision its content, so that search sees both. Details may
 * come from a file or an older version: what is not as it should be reads as absent.
 */
import * as z from "zod";
import type { Item } from "../memory/item.ts";

/** Beyond this a date has no name. */
const LAST_MOMENT = 8_640_000_000_000_000;

const Texts = z.array(z.string()).catch([]);

export const ProposalDetails = z.looseObject({
  rationale: z.string().nullable().catch(null),
  /** Rejected alternatives. */
  rejected: Texts,
  /** Ids of what was said. */
  evidence: Texts,
  /** Ids of what it replaces once it is ratified. */
  supersedes: Texts,
  /** Ids of decisions that it will be tied to. */
  relates: Texts,
});
export type ProposalDetails = z.infer<typeof ProposalDetails>;

/** Why a proposal was turned down, where somebody said so. */
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

/** What a person may change while ratifying; what is left out stays as proposed. */
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
