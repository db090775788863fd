/** An item as answers show it: ISO times, no internals. */
import { authorOf, isByAgent } from "../../logic/memory/authorship.ts";
import { projection } from "../../logic/memory/projection.ts";
import { ProposalDetails, SettlementDetails, reasonOf } from "../../model/decisions/decision.ts";
import { type Grounds } from "../../model/decisions/decision-view.ts";
import { identityOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import { type Memory, SHOWN_FIELDS } from "../../model/memory/memory-view.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { World } from "../../ports/world.ts";

export const isoTime = (at: number): string => new Date(at).toISOString();
export const isoTimeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at));

const shownOf = projection<Omit<Memory, "id" | "handle" | "shelf" | "grounds" | "evidence" | "byAgent">>(
  SHOWN_FIELDS.map(([name, { kind }]) => ({ from: name, to: name, convert: kind === "moment" ? isoTimeOrNull : null })),
);

/** Working memories are read by all sessions of a project. */
export const otherSessionOf = (
  { scope, session }: Pick<Item, "scope" | "session">,
  { origin }: Pick<World, "origin">,
): { otherSession?: string } => (scope === "working" && session !== origin.session ? { otherSession: session } : {});

export function memoryOf(shelf: Shelf, item: Item): Memory {
  const memory: Memory = { ...identityOf(item.id), shelf, ...shownOf(item) };
  // Whoever wrote a decision, a person ratified it; `grounds` says who.
  if (shelf === "memory") memory.byAgent = isByAgent(authorOf(item));
  if (shelf === "memory" && item.source === "extraction")
    memory.evidence = ProposalDetails.parse(item.details).evidence;
  if (shelf === "decision" || shelf === "proposal") memory.grounds = groundsOf(item);
  return memory;
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
