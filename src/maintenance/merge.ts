/**
 * Merges two memories into one, with a person's consent.
 *
 * Everything is planned before a person is asked, so nobody is asked about something that would be refused, and again
 * before it is written: consent covers exactly what was shown.
 */
import type { Consent } from "../catalog/question.ts";
import { fingerprint } from "../decisions/consent.ts";
import { Failure } from "../errors.ts";
import { newEdge } from "../graph/edges.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { detailsAgreed } from "../memory/authorship.ts";
import { findAll } from "../memory/find-item.ts";
import { handleOf } from "../memory/handles.ts";
import { closing, isEmbedded, isExpired, removing } from "../memory/item-changes.ts";
import { CONTEXT_FIELDS, ITEM_FIELDS } from "../memory/item-fields.ts";
import type { Context, Item } from "../memory/item.ts";
import { passagesOf } from "../memory/passages.ts";
import { findId, unknownIdFailure } from "../memory/resolve-id.ts";
import type { Passage, Shelf } from "../memory/shelves.ts";
import { isGlobalByType } from "../memory/visibility.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import type { ItemReads, Store } from "../store/store.ts";
import { contentHash } from "../text/content-hash.ts";
import { negations } from "../text/english.ts";
import { summaryOf } from "../text/short-text.ts";
import { tellingStems } from "../text/words.ts";
import type { LookupWorld, ReviseWorld, World } from "../world.ts";

/**
 * Two memories become one.
 *
 * The result keeps everything either of them had, except that only one text is kept. Both originals are closed and
 * stay as its history, so nothing is lost and a rollback restores them.
 */
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

type Reason = "given" | "says more" | "newer";

interface KeptText {
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

interface Merger extends Pick<Item, "host" | "session" | "source"> {
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
    version: 1,
    createdAt: now,
    updatedAt: now,
    accessedAt: now,
    accessCount: 0,
    validFrom: now,
    validUntil: null,
    supersededBy: null,
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

export interface MergeRequest {
  /** Ids, handles or prefixes. */
  first: string;
  second: string;
  /** Replaces both texts. */
  content?: string | undefined;
}

export interface Merging {
  store: Store;
  changes: Change[];
  pair: Pair;
  item: Item;
  kept: KeptText;
  /** Covers everything a person consents to, shown or not: it changes with any of it. */
  fingerprint: string;
  redactions: Redaction[];
}

type MergeWorld = ReviseWorld & Pick<World, "ids">;

export async function merge(request: MergeRequest, consent: Consent | null, world: MergeWorld): Promise<Merging> {
  const { store } = await planMerging(request, world);
  return commit(
    store,
    async () => {
      const answer = await planMerging(request, world);
      if (consent?.about !== answer.fingerprint) throw notAgreed(consent);
      return { changes: answer.changes, answer };
    },
    world,
  );
}

/** Only reads; throws if the merger would be refused. */
export async function planMerging({ first, second, content }: MergeRequest, world: MergeWorld): Promise<Merging> {
  const { clean, redactions } = redactor();
  const [one, two] = [await memoryNamed(first, world), await memoryNamed(second, world)];
  const pair: Pair = [one.item, two.item];
  const refusal = mergeRefusal(pair);
  if (refusal) throw refused(refusal, pair);
  const { store } = one;
  const kept = keptText(pair, content === undefined ? undefined : clean(content));
  const { host, session } = world.origin;
  // A person agrees to it, whoever suggested it.
  const author = { host, session, source: "user_explicit" } as const;
  const item = mergedItem(pair, kept, { id: world.ids.next(), now: world.clock.now(), ...author });
  const clearing = await clearTwin(item, pair, store, world);
  const changes = planMerge(pair, item, await passagesOf(item, world), clearing);
  return { store, changes, pair, item, kept, fingerprint: fingerprintOf(pair, item), redactions: redactions() };
}

/** An item on another shelf is named as what it is. */
async function memoryNamed(typed: string, world: LookupWorld): Promise<{ item: Item; store: Store }> {
  const id = await findId(typed, "memory", world);
  if (id === null) {
    const other = await findId(typed, "item", world);
    const [found] = other === null ? [] : await findAll(other, world);
    if (found) throw notMergeable(found.item, found.shelf);
    throw await unknownIdFailure(typed, "memory", world);
  }
  const [found, copy] = await findAll(id, world, ["memory"]);
  if (!found) throw await unknownIdFailure(typed, "memory", world);
  if (!copy) return found;
  throw new Failure(
    "conflict",
    `Memory ${handleOf(id)} is in both stores, because moving it was interrupted.`,
    "Promote it again, which completes the move.",
  );
}

/** Another memory may already say what the merged one would say. */
async function clearTwin(item: Item, pair: Pair, store: ItemReads, { clock }: Pick<World, "clock">): Promise<Change[]> {
  const twin = await store.sameContent("memory", item.scope, item.hash);
  if (!twin || pair.some(({ id }) => id === twin.id)) return [];
  if (isExpired(twin, clock.now())) return [removing("memory", twin)];
  throw new Failure(
    "conflict",
    `Memory ${handleOf(twin.id)} already has this content.`,
    `Merge with ${handleOf(twin.id)}, or give other content.`,
  );
}

/** Leaves out the id and the times, which differ each time. */
const fingerprintOf = (pair: Pair, { id: _, createdAt, updatedAt, accessedAt, validFrom, ...item }: Item): string =>
  fingerprint([pair.map(({ id, version, updatedAt: at }) => [id, version, at]), item]);

function notAgreed(consent: Consent | null): Failure {
  if (consent === null)
    return new Failure("refused", "Only a person can agree to a merger.", "Ask through a host that can.");
  return new Failure(
    "conflict",
    "The memories changed in the meantime; nothing was changed.",
    "Check the current state, then try again.",
  );
}

const INSTEAD: Partial<Record<Shelf, string>> = {
  decision: "To replace decisions, propose one that supersedes them.",
  proposal: "Ratify or reject it first.",
  document: "Edit the files themselves.",
  code: "Edit the files themselves.",
};

const notMergeable = ({ id }: Item, shelf: Shelf): Failure =>
  new Failure(
    "invalid_input",
    `${handleOf(id)} is on the shelf ${shelf}; only memories can be merged.`,
    INSTEAD[shelf] ?? "Name two memories.",
  );

function refused(refusal: MergeRefusal, [one, two]: Pair): Failure {
  if (refusal.why === "two scopes")
    return new Failure(
      "invalid_input",
      `${handleOf(one.id)} is ${one.scope} and ${handleOf(two.id)} is ${two.scope}; only memories of one scope can be merged.`,
      `Move one of them first: \`stele promote ${handleOf(two.id)} --scope ${one.scope}\`.`,
    );
  if (refusal.why === "merged already") {
    const into = handleOf(refusal.into);
    const both = `${handleOf(one.id)} and ${handleOf(two.id)}`;
    return new Failure("conflict", `${both} were already replaced by ${into}.`, `\`stele get ${into}\` shows it.`);
  }
  const { id, status, supersededBy, path } = refusal.item;
  const handle = handleOf(id);
  const successor = supersededBy === null ? null : handleOf(supersededBy);
  switch (refusal.why) {
    case "itself":
      return new Failure("invalid_input", `${handle} cannot be merged with itself.`, "Name two memories.");
    case "closed":
      return new Failure(
        "conflict",
        `Memory ${handle} is ${status}; only active memories can be merged.`,
        successor ? `Merge ${successor}, which replaced it.` : "Remember its content again to bring it back.",
      );
    case "ending":
      return new Failure("conflict", `Memory ${handle} will be replaced by ${successor}.`, "Leave it as it is.");
    case "working":
      return new Failure(
        "invalid_input",
        `Memory ${handle} is working and expires by itself.`,
        `Keep it first: \`stele promote ${handle}\`. Or fold the session: \`stele summarize\`.`,
      );
    case "from a file":
      return new Failure("invalid_input", `Memory ${handle} comes from the file ${path}.`, "Edit the file itself.");
  }
}
