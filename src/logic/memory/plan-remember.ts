/**
 * The changes that store a memory.
 *
 * Equal content is touched, not stored twice. A decision is proposed to a person, never stored as a memory. The
 * superseded item is closed in the same transaction that inserts its successor. A full working scope is cleared first.
 */
import type { Change, Origin } from "../../model/journal/change.ts";
import type { ProposalDetails } from "../../model/decisions/decision.ts";
import type { Context, Item, Source } from "../../model/memory/item.ts";
import type { MemoryType } from "../../model/memory/memory.ts";
import type { Passage, Shelf } from "../../model/memory/shelf.ts";
import { isExpired } from "./expiry.ts";
import { closing, removing, revising } from "./item-changes.ts";
import { newItem } from "./new-item.ts";
import type { Route } from "./routing.ts";
import { isEmbedded, shelfFor } from "./shelving.ts";
import { summaryOf } from "../text/summary.ts";

export interface Draft {
  content: string;
  /** Hash of the content. */
  hash: string;
  type: MemoryType;
  title: string | null;
  summary: string | null;
  tags: string[];
  priority: number;
  confidence: number | null;
  pinned: boolean;
  source: Source;
  context: Context;
  ttlSeconds: number | null;
  /** For a memory that represents a piece of a file. */
  path?: string;
  /** Only for a decision proposed with more than its text. */
  proposal?: ProposalDetails & Pick<Item, "validFrom" | "validUntil">;
}

/** The state that the planner needs to know. */
export interface Situation {
  id: string;
  now: number;
  origin: Origin;
  spaceId: string;
  route: Route;
  workingTtlSeconds: number;
  duplicate: Item | null;
  predecessor: Item | null;
  /** Working memories to evict before another one fits. */
  leaving: readonly string[];
  passages: Passage[];
}

export interface Remembered {
  status: "stored" | "duplicate" | "proposed";
  id: string;
  type: MemoryType;
}

const EXTRACTED_CONFIDENCE = 0.7;

export function planRemember(draft: Draft, situation: Situation): { changes: Change[]; answer: Remembered } {
  const shelf = shelfFor(draft.type);
  const { duplicate, predecessor, now } = situation;
  const closes = (successor: string) =>
    predecessor && shelf === "memory" ? [closing(predecessor, successor, now)] : [];
  if (duplicate && !isExpired(duplicate, now)) {
    const changes = renewal(duplicate, shelf, draft, situation);
    if (duplicate.id !== predecessor?.id) changes.push(...closes(duplicate.id));
    return { changes, answer: { status: "duplicate", id: duplicate.id, type: duplicate.type as MemoryType } };
  }
  const item = itemOf(draft, situation);
  const changes: Change[] = [
    ...clearing(shelf, situation),
    ...closes(item.id),
    { kind: "insert_item", shelf, item, passages: situation.passages, embed: isEmbedded(draft.type) },
  ];
  return { changes, answer: { status: shelf === "proposal" ? "proposed" : "stored", id: item.id, type: draft.type } };
}

/** Storing it again touches it and extends its lifetime to at least that of a new one. */
function renewal(duplicate: Item, shelf: Shelf, draft: Draft, situation: Situation): Change[] {
  const { now } = situation;
  const expiresAt = expiryOf(draft, situation);
  const isLonger = duplicate.expiresAt !== null && (expiresAt === null || expiresAt > duplicate.expiresAt);
  const touches = [{ id: duplicate.id, how: "shown" as const, relevance: null }];
  return [
    ...(isLonger ? [revising(shelf, duplicate, { expiresAt, updatedAt: now })] : []),
    { kind: "touch_items", shelf, touches, query: null, at: now },
  ];
}

/**
 * Makes room: evicts working memories and removes an expired one with the same content. A superseded one is closed
 * instead.
 */
function clearing(shelf: Shelf, { duplicate, predecessor, leaving }: Situation): Change[] {
  const ids = leaving.filter((id) => id !== predecessor?.id && id !== duplicate?.id);
  const changes: Change[] = ids.length > 0 ? [{ kind: "evict_items", shelf, ids }] : [];
  if (duplicate && duplicate.id !== predecessor?.id) changes.push(removing(shelf, duplicate));
  return changes;
}

function expiryOf({ ttlSeconds }: Draft, { now, route, workingTtlSeconds }: Situation): number | null {
  const seconds = ttlSeconds ?? (route.scope === "working" ? workingTtlSeconds : null);
  return seconds === null ? null : now + seconds * 1000;
}

function itemOf(draft: Draft, situation: Situation): Item {
  const { now, spaceId, route, predecessor } = situation;
  const { type, title, content, hash, priority, pinned, source, context } = draft;
  const { validFrom, validUntil, ...proposal } = draft.proposal ?? {};
  return newItem(
    {
      ...{ type, title, content, hash, priority, pinned, source, context, path: draft.path ?? null },
      summary: draft.summary ?? summaryOf(content),
      scope: route.scope,
      status: type === "decision" ? "pending" : "active",
      tags: [...new Set(draft.tags)],
      confidence: draft.confidence ?? (source === "extraction" ? EXTRACTED_CONFIDENCE : 1),
      expiresAt: expiryOf(draft, situation),
      // A proposal without a start begins to hold when it is ratified, whenever that is.
      validFrom: type === "decision" ? (validFrom ?? null) : predecessor ? now : null,
      validUntil: validUntil ?? null,
      details: {
        space: spaceId,
        routedBy: route.by,
        ...(type === "decision" && predecessor ? { supersedes: [predecessor.id] } : {}),
        ...proposal,
      },
    },
    situation,
  );
}
