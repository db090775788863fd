/**
 * Two memories become one.
 *
 * The result keeps everything either of them had, except that only one text is kept. Both originals are closed and
 * stay as its history, so nothing is lost and a rollback restores them.
 */
import type { Change } from "../../model/journal/change.ts";
import type { Context, Item } from "../../model/memory/item.ts";
import { CONTEXT_FIELDS, ITEM_FIELDS } from "../../model/memory/item-fields.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import { newEdge } from "../graph/edge-id.ts";
import { detailsAgreed } from "../memory/authorship.ts";
import { closing } from "../memory/item-changes.ts";
import { negations } from "../text/english.ts";
import { isEmbedded } from "../memory/shelving.ts";
import { isGlobalByType } from "../memory/visibility.ts";
import { contentHash } from "../text/content-hash.ts";
import { summaryOf } from "../text/summary.ts";
import { tellingStems } from "../text/words.ts";

export type Pair = readonly [Item, Item];

/** Why two memories cannot be merged. */
export type MergeRefusal =
  | { why: "itself" | "closed" | "ending" | "working" | "from a file"; item: Item }
  | { why: "merged already"; into: string }
  | { why: "two scopes" };

export function mergeRefusal([one, two]: Pair): MergeRefusal | null {
  if (one.id === two.id) return { why: "itself", item: one };
  if (one.status === "superseded" && two.status === "superseded" && one.supersededBy === two.supersededBy)
    return one.supersededBy === null ? { why: "closed", item: one } : { why: "merged already", into: one.supersededBy };
  for (const item of [one, two]) {
    if (item.status !== "active") return { why: "closed", item };
    // Its end is planned already, in favour of another item.
    if (item.supersededBy !== null) return { why: "ending", item };
    if (item.scope === "working") return { why: "working", item };
    // The next indexing would bring it back.
    if (item.path !== null) return { why: "from a file", item };
  }
  return one.scope === two.scope ? null : { why: "two scopes" };
}

export type Reason = "given" | "says more" | "newer";

export interface KeptText {
  content: string;
  /** The memory it comes from; null if it was given. */
  from: string | null;
  because: Reason;
}

/** The text given; else that of the memory which says all that the other does and more; else the newer one's. */
export function keptText(pair: Pair, given: string | undefined): KeptText {
  if (given !== undefined) return { content: given, from: null, because: "given" };
  const [newer, older] = byAge(pair);
  const saysMore = pair.find((item) => includes(item, item === newer ? older : newer));
  const { id, content } = saysMore ?? newer;
  return { content, from: id, because: saysMore ? "says more" : "newer" };
}

/** A negation is too common a word to be compared as one, but it turns the meaning round. */
function includes(item: Item, other: Item): boolean {
  const [own, others] = [tellingStems(item.content), tellingStems(other.content)];
  const isMore = own.size > others.size && [...others].every((word) => own.has(word));
  return isMore && negations(item.content) === negations(other.content);
}

/** Newest first, by the last change. */
function byAge([one, two]: Pair): Pair {
  const age = one.updatedAt - two.updatedAt || one.createdAt - two.createdAt || (one.id < two.id ? -1 : 1);
  return age > 0 ? [one, two] : [two, one];
}

export interface Merger extends Pick<Item, "host" | "session" | "source"> {
  id: string;
  now: number;
}

/** The memory that replaces both. Where only one value fits, that of the memory whose text is kept goes first. */
export function mergedItem(pair: Pair, { content, from }: KeptText, { now, ...author }: Merger): Item {
  const [newer, older] = byAge(pair);
  const [base, other] = from === older.id ? [older, newer] : [newer, older];
  const expiries = pair.map(({ expiresAt }) => expiresAt);
  return {
    ...base,
    ...author,
    content,
    summary: content === base.content ? base.summary : summaryOf(content),
    hash: contentHash(content),
    title: base.title ?? other.title,
    background: base.background ?? other.background,
    tags: union(base.tags, other.tags, ITEM_FIELDS.tags.most),
    confidence: 1,
    priority: Math.max(base.priority, other.priority),
    pinned: base.pinned || other.pinned,
    context: joined(base.context, other.context),
    details: detailsOf(base, other),
    expiresAt: expiries.some((at) => at === null) ? null : Math.max(...expiries.map(Number)),
    ...{ version: 1, createdAt: now, updatedAt: now, accessedAt: now, accessCount: 0 },
    ...{ validFrom: now, validUntil: null, supersededBy: null },
  };
}

const union = (one: readonly string[], two: readonly string[], most: number): string[] =>
  [...new Set([...one, ...two])].slice(0, most);

const joined = (one: Context, two: Context): Context => ({
  branch: one.branch ?? two.branch,
  commits: union(one.commits, two.commits, CONTEXT_FIELDS.commits.most),
  files: union(one.files, two.files, CONTEXT_FIELDS.files.most),
  symbols: union(one.symbols, two.symbols, CONTEXT_FIELDS.symbols.most),
  language: one.language ?? two.language,
});

/**
 * A person agreed to it, whoever wrote the two. A global memory that every project sees is not hidden by a merger with
 * one that only its project sees.
 */
function detailsOf(base: Item, other: Item): Item["details"] {
  const details = detailsAgreed(base);
  return isGlobalByType(base) && !isGlobalByType(other) ? { ...details, routedBy: "caller" } : details;
}

/** `clearing`: removals that come first, such as an expired memory with equal content. */
export function planMerge(pair: Pair, item: Item, passages: Passage[], clearing: readonly Change[]): Change[] {
  const { id, createdAt: now } = item;
  return [
    ...clearing,
    ...pair.map((original) => closing(original, id, now)),
    { kind: "insert_item", shelf: "memory", item, passages, embed: isEmbedded(item.type) },
    ...pair.map((original): Change => {
      const ends = { shelf: "memory", source: id, target: original.id, relation: "supersedes" } as const;
      const edge = newEdge({ ...ends, strength: 1, bidirectional: false, status: "active", createdAt: now });
      return { kind: "insert_edge", edge };
    }),
  ];
}
