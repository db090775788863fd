/** An item as answers show it: ISO times, no internals. */
import { type Grounds, ProposalDetails, reasonOf, SettlementDetails } from "../decisions/decision.ts";
import type { World } from "../world.ts";
import { authorOf, isByAgent } from "./authorship.ts";
import { identityOf } from "./handles.ts";
import { projection } from "./item-fields.ts";
import type { Item } from "./item.ts";
import type { Shelf } from "./shelves.ts";
import { type Memory, SHOWN_FIELDS } from "./view.ts";

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
    rationale,
    rejected,
    evidence,
    reason: reasonOf(item),
    settled: settled && { ...settled, at: isoTime(settled.at) },
    edited: Object.keys(details["edits"] ?? {}),
  };
}
