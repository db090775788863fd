/**
 * What remembering writes.
 *
 * Equal content is touched, not stored twice. A decision is staged for a person, never
 * stored as a memory. What is superseded closes in the same change set as its successor
 * opens. A full working scope makes room first.
 */
import type { Change, Origin } from "../model/change.ts";
import type { Context, Item, Source } from "../model/item.ts";
import type { MemoryType } from "../model/memory.ts";
import type { Passage, Shelf } from "../model/shelf.ts";
import { contentHash } from "./content-hash.ts";
import type { Route } from "./routing.ts";
import { summaryOf } from "./summary.ts";

export interface Draft {
  content: string;
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
}

/** What the planner must know about the world. */
export interface Situation {
  id: string;
  now: number;
  origin: Origin;
  spaceId: string;
  route: Route;
  workingTtlSeconds: number;
  duplicate: Item | null;
  predecessor: Item | null;
  leaving: readonly { id: string; version: number }[];
  passages: Passage[];
}

export interface Remembered {
  status: "stored" | "duplicate" | "proposed";
  id: string;
}

const EXTRACTED_CONFIDENCE = 0.7;

/** Decisions wait on their own shelf until a person has ratified them. */
export const shelfFor = (type: MemoryType): Shelf => (type === "decision" ? "proposal" : "memory");

/** Raw code is found through its description; embedding it would only add noise. */
export const isEmbedded = (type: string): boolean => type !== "code";

export function planRemember(draft: Draft, situation: Situation): { changes: Change[]; answer: Remembered } {
  const shelf = shelfFor(draft.type);
  const { duplicate, predecessor, now } = situation;
  const closes = (successor: string) =>
    predecessor && shelf === "memory" ? [closing(predecessor, successor, now)] : [];
  if (duplicate && !isExpired(duplicate, now)) {
    const touches = [{ id: duplicate.id, how: "shown" as const, relevance: null }];
    const changes: Change[] = [{ kind: "touch_items", shelf, touches, query: null, at: now }];
    if (duplicate.id !== predecessor?.id) changes.push(...closes(duplicate.id));
    return { changes, answer: { status: "duplicate", id: duplicate.id } };
  }
  const item = newItem(draft, situation);
  const changes: Change[] = [
    ...leavingOf(situation).map(
      ({ id, version }): Change => ({ kind: "remove_item", shelf, id, expectedVersion: version }),
    ),
    ...closes(item.id),
    { kind: "insert_item", shelf, item, passages: situation.passages, embed: isEmbedded(draft.type) },
  ];
  return { changes, answer: { status: shelf === "proposal" ? "proposed" : "stored", id: item.id } };
}

/** An expired item of equal content would stand in the way, so it leaves too. What is superseded closes instead. */
function leavingOf({ duplicate, predecessor, leaving }: Situation): readonly { id: string; version: number }[] {
  const isThere = !duplicate || leaving.some(({ id }) => id === duplicate.id);
  return (isThere ? leaving : [...leaving, duplicate]).filter(({ id }) => id !== predecessor?.id);
}

export const isExpired = (item: Item, now: number): boolean => item.expiresAt !== null && item.expiresAt <= now;

/** Closes an item in favour of its successor: it no longer holds, and says until when it did. */
export function closing(item: Item, successor: string, now: number): Change {
  return {
    kind: "revise_item",
    shelf: "memory",
    id: item.id,
    expectedVersion: item.version,
    set: {
      status: "superseded",
      supersededBy: successor,
      validFrom: item.validFrom ?? item.createdAt,
      validUntil: Math.max(now, item.validFrom ?? item.createdAt),
      updatedAt: now,
    },
    passages: null,
    embed: false,
  };
}

function newItem(draft: Draft, { id, now, origin, spaceId, route, workingTtlSeconds, predecessor }: Situation): Item {
  const ttlSeconds = draft.ttlSeconds ?? (route.scope === "working" ? workingTtlSeconds : null);
  return {
    id,
    type: draft.type,
    scope: route.scope,
    status: draft.type === "decision" ? "pending" : "active",
    title: draft.title,
    content: draft.content,
    summary: draft.summary ?? summaryOf(draft.content),
    tags: [...new Set(draft.tags)],
    confidence: draft.confidence ?? (draft.source === "extraction" ? EXTRACTED_CONFIDENCE : 1),
    priority: draft.priority,
    pinned: draft.pinned,
    source: draft.source,
    host: origin.host,
    session: origin.session,
    context: draft.context,
    label: null,
    path: null,
    hash: contentHash(draft.content),
    version: 1,
    createdAt: now,
    updatedAt: now,
    accessedAt: now,
    accessCount: 0,
    expiresAt: ttlSeconds === null ? null : now + ttlSeconds * 1000,
    validFrom: predecessor ? now : null,
    validUntil: null,
    supersededBy: null,
    details: {
      space: spaceId,
      routedBy: route.by,
      ...(draft.type === "decision" && predecessor ? { supersedes: [predecessor.id] } : {}),
    },
  };
}
