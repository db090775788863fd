/**
 * The changes that store a memory.
 *
 * Equal content is touched, not stored twice. A decision is proposed to a person, never stored as a memory. The
 * superseded item is closed in the same transaction that inserts its successor. A full working scope is cleared first.
 */
import type { ProposalDetails } from "../decisions/decision.ts";
import type { Change, Origin } from "../journal/change.ts";
import { adoption, BY_AGENT } from "./authorship.ts";
import { closing, isEmbedded, isExpired, newItem, removing, revising, shelfFor } from "./item-changes.ts";
import type { SaidField } from "./item-fields.ts";
import type { Item, MemoryType, Revision, Status } from "./item.ts";
import type { Route } from "./routing.ts";
import type { Passage, Shelf } from "./shelves.ts";
import { isGlobalByType } from "./visibility.ts";

/** Fields that nobody gave are absent. */
export interface Draft
  extends Pick<Item, "content" | "hash" | "source" | "context">,
    Partial<Pick<Item, SaidField | "summary" | "path">> {
  type: MemoryType;
  content: string;
  ttlSeconds?: number | undefined;
  /** Given instead of a lifetime. */
  expiresAt?: number | undefined;
  /** Ids of the evidence that a captured memory was taken from. */
  evidence?: readonly string[];
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

/**
 * Storing it again touches it and extends its lifetime to at least that of a new one. If it is now meant for every
 * project, it becomes visible in all of them; if a person repeats what an agent said, it becomes the person's.
 */
function renewal(duplicate: Item, shelf: Shelf, draft: Draft, situation: Situation): Change[] {
  const { now, route, origin } = situation;
  const expiresAt = expiryOf(draft, situation);
  const isLonger = duplicate.expiresAt !== null && (expiresAt === null || expiresAt > duplicate.expiresAt);
  const author = { source: draft.source, host: origin.host, byAgent: origin.byAgent ?? false };
  const adopted = shelf === "memory" ? adoption(duplicate, author) : {};
  const details = { ...(adopted.details ?? duplicate.details), routedBy: route.by === "type" ? "caller" : route.by };
  const isWider = isGlobalByType(duplicate) && (route.by !== "type" || draft.type === "preference");
  const set: Revision = { ...adopted, ...(isLonger && { expiresAt }), ...(isWider && { details }) };
  const touches = [{ id: duplicate.id, how: "shown" as const, relevance: null }];
  return [
    ...(Object.keys(set).length > 0 ? [revising(shelf, duplicate, { ...set, updatedAt: now })] : []),
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

function expiryOf({ ttlSeconds, expiresAt }: Draft, { now, route, workingTtlSeconds }: Situation): number | null {
  if (expiresAt !== undefined) return expiresAt;
  const seconds = ttlSeconds ?? (route.scope === "working" ? workingTtlSeconds : null);
  return seconds === null ? null : now + seconds * 1000;
}

function itemOf(draft: Draft, situation: Situation): Item {
  const { now, spaceId, route, predecessor, origin } = situation;
  const { ttlSeconds: _, proposal: terms, evidence, ...said } = draft;
  const { validFrom, validUntil, ...proposal } = terms ?? {};
  const isDecision = draft.type === "decision";
  return newItem(
    {
      ...said,
      scope: route.scope,
      status: isDecision ? "pending" : "active",
      tags: [...new Set(draft.tags)],
      confidence: draft.confidence ?? (draft.source === "extraction" ? EXTRACTED_CONFIDENCE : 1),
      expiresAt: expiryOf(draft, situation),
      // A proposal without a start begins to hold when it is ratified, whenever that is.
      validFrom: isDecision ? (validFrom ?? null) : predecessor ? now : null,
      validUntil: validUntil ?? null,
      details: {
        // A successor is shown where its predecessor was, whichever project it comes from.
        space: (predecessor && isGlobalByType(predecessor) && predecessor.details["space"]) || spaceId,
        routedBy: route.by,
        // Kept beside the source, which the caller may state: an agent cannot vouch that a person wrote something.
        ...(origin.byAgent && !isDecision && { [BY_AGENT]: true }),
        ...(evidence && evidence.length > 0 && { evidence }),
        ...proposal,
        ...(isDecision && predecessor ? { supersedes: [predecessor.id] } : {}),
      },
    },
    situation,
  );
}

/**
 * Uniqueness: no two active items of a scope have the same content, and no two files the same path.
 *
 * Decisions are exempt: two subjects may be decided in the same words. Indexes in the schema enforce the same rule.
 */
export const UNIQUE: Readonly<Record<Shelf, { status: Status; by: "hash" | "path" } | null>> = {
  memory: { status: "active", by: "hash" },
  decision: null,
  proposal: { status: "pending", by: "hash" },
  evidence: { status: "active", by: "hash" },
  document: { status: "active", by: "path" },
  code: { status: "active", by: "path" },
};

/** Whether content is unique on this shelf. */
export const isUniqueByContent = (shelf: Shelf): boolean => UNIQUE[shelf]?.by === "hash";

/** The slot that an item holds exclusively in its store, or null. */
export function uniqueSlotOf(shelf: Shelf, item: Item | null): string | null {
  const once = UNIQUE[shelf];
  if (!item || item.status !== once?.status || item[once.by] === null) return null;
  return `${shelf} ${item.scope} ${item[once.by]}`;
}

/** What two items have in common that may be there only once, in words. */
export const EQUAL = { hash: "content", path: "path" } as const;
