/** An item as answers show it: ISO times, no internals. */
import { ProposalDetails, SettlementDetails, reasonOf } from "../../model/decisions/decision.ts";
import { type Grounds } from "../../model/decisions/decision-view.ts";
import { identityOf } from "../../model/memory/handle.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Memory } from "../../model/memory/memory-view.ts";
import type { Shelf } from "../../model/memory/shelf.ts";

export const isoTime = (at: number): string => new Date(at).toISOString();
export const isoTimeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at));

export function memoryOf(shelf: Shelf, item: Item): Memory {
  return {
    ...identityOf(item.id),
    shelf,
    scope: item.scope,
    type: item.type,
    title: item.title,
    content: item.content,
    summary: item.summary,
    tags: item.tags,
    confidence: item.confidence,
    priority: item.priority,
    pinned: item.pinned,
    status: item.status,
    source: item.source,
    host: item.host,
    session: item.session,
    context: item.context,
    hash: item.hash,
    version: item.version,
    createdAt: isoTime(item.createdAt),
    updatedAt: isoTime(item.updatedAt),
    accessedAt: isoTime(item.accessedAt),
    accessCount: item.accessCount,
    expiresAt: isoTimeOrNull(item.expiresAt),
    validFrom: isoTimeOrNull(item.validFrom),
    validUntil: isoTimeOrNull(item.validUntil),
    supersededBy: item.supersededBy,
    ...((shelf === "decision" || shelf === "proposal") && { grounds: groundsOf(item) }),
  };
}

function groundsOf(item: Item): Grounds {
  const { details } = item;
  const { rationale, rejected, evidence } = ProposalDetails.parse(details);
  const settled = SettlementDetails.safeParse(details["ratified"] ?? details["settled"]).data ?? null;
  return {
    ...{ rationale, rejected, evidence, reason: reasonOf(item) },
    settled: settled && { ...settled, at: isoTime(settled.at) },
    edited: Object.keys(details["edits"] ?? {}),
  };
}
