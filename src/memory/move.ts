/**
 * Moves a memory to another scope, with its id and its history, and edits it on the way if asked to.
 *
 * Across stores it is written to the target first and then removed from the source, so a crash in between leaves two
 * copies rather than none; repeating the call completes the move. Of two copies the one changed last is kept. The copy
 * that is kept is always written, so that of two opposite moves one conflicts and starts again.
 */
import { Failure } from "../errors.ts";
import type { Edge } from "../graph/edges.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import type { EdgeReads, ItemReads, JournalReads, Store } from "../store/store.ts";
import type { ReviseWorld, World } from "../world.ts";
import { chainOf, clearDuplicate, type Found, needMemory } from "./find-item.ts";
import { handleOf } from "./handles.ts";
import {
  isEmbedded,
  isExpired,
  removing,
  removingOnRecord,
  revising,
  revisionTo,
  withChanges,
} from "./item-changes.ts";
import { INDEXED_FIELDS } from "./item-fields.ts";
import type { Item, LastingScope, Scope } from "./item.ts";
import { passagesOf } from "./passages.ts";
import { resolveId, unknownIdFailure } from "./resolve-id.ts";
import type { Passage } from "./shelves.ts";
import { isGlobalByType } from "./visibility.ts";

// The rules of a move to another scope: which copy counts, how an item looks in its new scope, and what is written.
//
// An interrupted move leaves two copies, and either may have been changed since.

/**
 * Whether the copy at the target counts, not that at the source: the one changed last does. Changes made while there
 * are two go to the project's, so that one counts if both are of the same time.
 */
export const isTargetLatest = (target: Item, source: Item, isTargetProject: boolean): boolean =>
  target.updatedAt > source.updatedAt || (target.updatedAt === source.updatedAt && isTargetProject);

/** The lifetime of a working memory ends with its scope; a stated end of any other memory stays. */
export const movedTo = (scope: LastingScope, item: Item): Item => ({
  ...item,
  scope,
  expiresAt: item.scope === "working" ? null : item.expiresAt,
  details: { ...item.details, routedBy: "caller" },
});

/** Closed items come first, because an active one may take their content. */
export const inWritingOrder = (items: readonly Item[]): Item[] =>
  items.toSorted((one, two) => Number(one.status === "active") - Number(two.status === "active"));

/** Whether writing `item` over the copy that is there, if any, needs new passages. */
export const isReindexed = (item: Item, there: Item | null): boolean => !there || indexed(there) !== indexed(item);

const indexed = (item: Item): string => JSON.stringify(INDEXED_FIELDS.map((name) => item[name]));

/**
 * The source's copy as it is written over an older one at the target that was replaced there: the change made at the
 * source since stays in the history, and the successor in force.
 */
export function stillReplaced(source: Item, there: Item): Item {
  if (source.status !== "active" || there.status !== "superseded") return source;
  const { status, supersededBy, validFrom, validUntil } = there;
  return { ...source, status, supersededBy, validFrom, validUntil };
}

/**
 * The change that makes the target's copy equal to `item`. Null if it is already and nothing leaves the source; otherwise
 * its version exceeds that of either copy, so that whoever read one of them before can no longer remove it.
 */
export function writing(
  item: Item,
  there: Item | null,
  source: Item | null,
  passages: Passage[] | null,
): Extract<Change, { kind: "insert_item" | "revise_item" }> | null {
  const embed = passages !== null && isEmbedded(item.type);
  const version = source && Math.max(source.version, there?.version ?? 0) + 1;
  if (!there) {
    const fresh = { ...item, version: version ?? 1 };
    return { kind: "insert_item", shelf: "memory", item: fresh, passages: passages ?? [], embed };
  }
  if (version === null && says(there) === says(item)) return null;
  return { ...revising("memory", there, revisionTo(item)), ...(version !== null && { version }), passages, embed };
}

/**
 * What a move has inserted at the target, with the versions it wrote, after these changes. What somebody else wrote to in
 * between is no longer its own.
 */
export function insertedAfter(
  changes: readonly Change[],
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const inserted = new Map(before);
  for (const change of changes) {
    if (change.kind === "insert_item") inserted.set(change.item.id, change.item.version);
    if (change.kind !== "revise_item") continue;
    const isOwn = before.get(change.id) === change.expectedVersion;
    if (isOwn) inserted.set(change.id, change.version ?? change.expectedVersion + 1);
    else inserted.delete(change.id);
  }
  return inserted;
}

/** Everything but the fields that differ between two copies anyway. */
const says = (item: Item): string => JSON.stringify({ ...item, version: 0, accessedAt: 0, accessCount: 0 });

/**
 * Withdraws what a move has inserted at the target, if the memory was closed, removed or erased at the source before the
 * move was complete.
 *
 * Anyone else who moves the memory there writes to the copy before removing the source. An untouched copy is therefore
 * this move's own, and what became of the source counts.
 */
interface Copies {
  from: ItemReads & JournalReads;
  to: ItemReads;
  /** The version of each. */
  inserted: ReadonlyMap<string, number>;
}

/** What nobody else has changed since. */
async function untouched({ to, inserted }: Copies): Promise<Item[]> {
  if (inserted.size === 0) return [];
  const there = await to.items("memory", [...inserted.keys()]);
  return there.filter(({ id, version }) => inserted.get(id) === version);
}

/** A copy of something erased leaves no trace in the journal either. */
async function withdrawing(copies: readonly Item[], { from }: Copies): Promise<Change[]> {
  const erased: string[] = [];
  for (const { id } of copies) {
    const { records } = await from.journal({ itemIds: [id], shelf: "memory" }, { limit: 1, offset: 0 });
    if (records[0]?.kind === "purge_items") erased.push(id);
  }
  const changes = copies.map((copy) => removing("memory", copy));
  return erased.length > 0 ? [...changes, { kind: "purge_items", ids: erased, queries: [] }] : changes;
}

interface Moved<Edited> {
  /** promoted: to a wider scope; moved: from global back into the project. */
  status: "promoted" | "moved" | "unchanged";
  edited: Edited;
}

/** Plans changes to the memory before it moves. */
type PlanEdit<Edited> = (item: Item) => Promise<{ changes: readonly Change[]; answer: Edited }>;

interface Journey<Edited> {
  id: string;
  scope: LastingScope;
  from: Store;
  to: Store;
  edit: PlanEdit<Edited>;
  /** Items that this call has copied already: the source is still what counts. */
  copied: Set<string>;
  /** What this call has inserted at the target, and the version it wrote there last. */
  inserted: ReadonlyMap<string, number>;
}

type TargetPlan<Edited> = { changes: Change[]; answer: (Moved<Edited> & { taken: readonly Item[] }) | Failure };

export async function move<Edited>(
  id: string,
  scope: LastingScope,
  edit: PlanEdit<Edited>,
  world: ReviseWorld,
): Promise<Moved<Edited>> {
  await needMemory(id, world);
  const [to, from] = scope === "global" ? [world.global, world.project] : [world.project, world.global];
  const journey: Journey<Edited> = { id, scope, from, to, edit, copied: new Set(), inserted: new Map() };
  return commit(from, () => planSource(journey, world), world);
}

/** Writes to the target, then plans to remove exactly that from the source: a change in between restarts the move. */
async function planSource<Edited>(
  journey: Journey<Edited>,
  world: ReviseWorld,
): Promise<{ changes: Change[]; answer: Moved<Edited> }> {
  const { from, to, copied } = journey;
  const moving = await itemsToMove(journey, world);
  const changes = moving.flatMap((item) => removingOnRecord("memory", item));
  // A source that cannot be written refuses before the target is changed.
  if (changes.length > 0 && (from.readOnly || (await from.refusal?.())))
    await from.apply(changes, world.origin, { dryRun: true });
  const edges = await edgesWithin(moving, from);
  const planTo = async () => {
    const plan = await planTarget(journey, moving, edges, world);
    return { ...plan, answer: plan };
  };
  const { changes: written, answer: planned } = await commit(to, planTo, world);
  if (planned instanceof Failure) throw planned;
  const { taken, ...answer } = planned;
  for (const { id } of taken) copied.add(id);
  journey.inserted = insertedAfter(written, journey.inserted);
  return { changes, answer };
}

/** The memory and its predecessors, as far as they are at the source; an interrupted move may have left some. */
async function itemsToMove(
  { id, from, to }: Pick<Journey<unknown>, "id" | "from" | "to">,
  { clock }: Pick<World, "clock">,
): Promise<Item[]> {
  const isCurrent = (item: Item) => !isExpired(item, clock.now());
  const [source] = await from.items("memory", [id]);
  if (source && isCurrent(source)) return chainOf(source, "memory", from);
  const chain = await chainOf({ id }, "memory", to);
  const ids = chain.map((item) => item.id);
  return (await from.items("memory", ids)).filter(isCurrent);
}

async function planTarget<Edited>(
  journey: Journey<Edited>,
  moving: readonly Item[],
  edges: readonly Edge[],
  world: ReviseWorld,
): Promise<TargetPlan<Edited>> {
  const { id, scope, to, edit } = journey;
  const sources = new Map(moving.map((item) => [item.id, item]));
  const own = await untouched(journey);
  if (own.some((item) => item.id === id) && !sources.has(id))
    return { changes: await withdrawing(own, journey), answer: await unknownIdFailure(id, "memory", world) };
  const { item, taken, rows: before } = await chooseCopies(journey, moving, world);
  const isThere = moving.length === 0 && item.scope === scope && !isGlobalByType(item);
  // A copy left at the source may be active although the memory was closed since.
  if (!isThere && item.status !== "active" && sources.get(id)?.status !== "active")
    return { changes: await closing(journey, sources, own, taken, world), answer: notActive(item) };

  const { changes: edits, answer: edited } = await edit(item);
  const rows = withChanges(before, edits);
  const kept = new Set(rows.map((row) => row.id));
  const orphans = own.filter((one) => !kept.has(one.id));
  const withdrawn = await withdrawing(orphans, journey);
  const clearing = [...withdrawn, ...(await clearDuplicates(rows, orphans, scope, to, world))];
  if (isThere) return { changes: [...clearing, ...edits], answer: { status: "unchanged", edited, taken } };
  // A copy keeps its time of change, by which the latest is told.
  const set = moving.length === 0 ? { updatedAt: world.clock.now() } : {};
  const moved = rows.map((row) => ({ ...movedTo(scope, row), ...set }));
  const status = moving.length > 0 && scope === "project" ? "moved" : "promoted";
  return {
    changes: [...clearing, ...(await writingAll(moved, sources, to, world)), ...(await missingEdges(edges, to))],
    answer: { status, edited, taken },
  };
}

/** Of every item the copy that counts: `taken` from the source or kept in the target. `item` is the one to edit. */
async function chooseCopies(
  { id, to, copied }: Journey<unknown>,
  moving: readonly Item[],
  world: ReviseWorld,
): Promise<{ item: Item; taken: Item[]; rows: Item[] }> {
  const present = await itemsIn(to, [id, ...moving.map((item) => item.id)]);
  const taken: Item[] = [];
  for (const source of moving) {
    const there = present.get(source.id);
    if (!there || copied.has(source.id)) taken.push(source);
    else if (!isTargetLatest(there, source, to === world.project))
      taken.push((await newestOf(there, to)).status === "active" ? stillReplaced(source, there) : source);
  }
  const chosen = new Map([...present, ...taken.map((item) => [item.id, item] as const)]);
  const asked = chosen.get(id);
  if (!asked) throw await unknownIdFailure(id, "memory", world);
  const isLeft = copied.has(id) || moving.some((source) => source.id === id);
  const item = isLeft ? await newestOf(asked, to) : asked;
  return { item, taken, rows: [...chosen.set(item.id, item).values()] };
}

/** What has replaced the item in the target: an interrupted replacement leaves its predecessor at the source. */
async function newestOf(item: Item, to: ItemReads): Promise<Item> {
  const seen = new Set([item.id]);
  let newest = item;
  while (newest.status === "superseded" && newest.supersededBy && !seen.has(newest.supersededBy)) {
    seen.add(newest.supersededBy);
    const [next] = await to.items("memory", [newest.supersededBy]);
    if (!next) return newest;
    newest = next;
  }
  return newest;
}

/** Leaves nothing active in the target that was closed at the source. */
async function closing(
  journey: Journey<unknown>,
  sources: ReadonlyMap<string, Item>,
  own: readonly Item[],
  taken: readonly Item[],
  world: ReviseWorld,
): Promise<Change[]> {
  const { scope, to } = journey;
  const present = await itemsIn(to, [...sources.keys()]);
  for (const { id } of own) present.delete(id);
  const left = taken.filter(({ id }) => present.has(id)).map((item) => movedTo(scope, item));
  return [...(await withdrawing(own, journey)), ...(await writingAll(left, sources, to, world))];
}

async function clearDuplicates(
  rows: readonly Item[],
  leaving: readonly Item[],
  scope: LastingScope,
  to: ItemReads,
  world: Pick<World, "clock">,
): Promise<Change[]> {
  const own = new Set([...rows, ...leaving].map(({ id }) => id));
  const clearing: Change[] = [];
  for (const row of rows.filter(({ status }) => status === "active"))
    clearing.push(...(await clearDuplicate({ ...row, scope }, to, world, own)));
  return clearing;
}

async function writingAll(
  items: readonly Item[],
  sources: ReadonlyMap<string, Item>,
  to: ItemReads,
  world: Pick<World, "tokenizer" | "log">,
): Promise<Change[]> {
  const ids = items.map(({ id }) => id);
  const present = await itemsIn(to, ids);
  const changes: (Change | null)[] = [];
  for (const item of inWritingOrder(items)) {
    const there = present.get(item.id) ?? null;
    const passages = isReindexed(item, there) ? await passagesOf(item, world) : null;
    changes.push(writing(item, there, sources.get(item.id) ?? null, passages));
  }
  return changes.filter((change) => change !== null);
}

async function itemsIn(store: ItemReads, ids: readonly string[]): Promise<Map<string, Item>> {
  return new Map((await store.items("memory", ids)).map((item) => [item.id, item]));
}

/** Both ends of an edge are in one store, so only edges within the chain move with it. */
async function edgesWithin(chain: readonly Item[], store: EdgeReads): Promise<Edge[]> {
  if (chain.length === 0) return [];
  const ids = new Set(chain.map(({ id }) => id));
  const edges = await store.edgesOf("memory", [...ids], { limit: Number.MAX_SAFE_INTEGER });
  return edges.filter(({ source, target, made }) => !made && ids.has(source) && ids.has(target));
}

async function missingEdges(edges: readonly Edge[], to: EdgeReads): Promise<Change[]> {
  const ids = edges.map(({ id }) => id);
  const known = new Set((await to.edges("memory", ids)).map(({ id }) => id));
  return edges.filter(({ id }) => !known.has(id)).map((edge) => ({ kind: "insert_edge", edge }));
}

const notActive = (item: Item): Failure =>
  new Failure(
    "conflict",
    `Memory ${handleOf(item.id)} is ${item.status}; only active memories can be moved to another scope.`,
    item.supersededBy
      ? `Move ${handleOf(item.supersededBy)}, which replaced it.`
      : `Bring it back with \`stele update ${handleOf(item.id)} --status active\`.`,
  );

/** Moves a memory to another scope: wider, or from global back into this project. */
interface Promoted extends Pick<Moved<null>, "status"> {
  id: string;
  scope: Scope;
  /** How many stated relations to other memories it lost, because an edge cannot connect two stores. */
  relationsLeft: number;
}

/** Without a scope, a working memory becomes project, and any other stays where it is. */
export async function promote(typed: string, scope: Scope | undefined, world: ReviseWorld): Promise<Promoted> {
  const id = await resolveId(typed, "memory", world);
  const found = await needMemory(id, world);
  const { item } = found;
  const target = scope ?? (item.scope === "working" ? "project" : item.scope);
  if (target === "working" || (scope === undefined && target === item.scope)) {
    if (item.scope !== target) throw narrower(item.id, item.scope);
    return { status: "unchanged", id, scope: target, relationsLeft: 0 };
  }
  const relationsLeft = found.store === world[target] ? 0 : await relationsOutside(found);
  const { status } = await move(id, target, async () => ({ changes: [], answer: null }), world);
  return { status, id, scope: target, relationsLeft };
}

/** Relations within its own chain move with it. */
async function relationsOutside({ item, store }: Found): Promise<number> {
  const chain = new Set((await chainOf(item, "memory", store)).map(({ id }) => id));
  const stated = { made: false, statuses: ["active"], limit: Number.MAX_SAFE_INTEGER } as const;
  const edges = await store.edgesOf("memory", [...chain], stated);
  return edges.filter(({ source, target }) => !chain.has(source) || !chain.has(target)).length;
}

function narrower(id: string, scope: Scope): Failure {
  return new Failure(
    "invalid_input",
    `Memory ${handleOf(id)} is ${scope}; a lasting memory cannot become working.`,
    "Remember its content again with a lifetime, and forget this one.",
  );
}
