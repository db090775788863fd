/**
 * Moves a memory to another scope, with its id and its history, and edits it on the way if asked to.
 *
 * Across stores it is written to the target first and then removed from the source, so a crash
 * in between leaves two copies rather than none; repeating the call completes the move. Of two
 * copies the one changed last is kept.
 */
import { Failure } from "../../errors.ts";
import { isExpired } from "../../logic/memory/expiry.ts";
import { removingOnRecord, withChanges } from "../../logic/memory/item-changes.ts";
import { inWritingOrder, isReindexed, isTargetLatest, movedTo, writing } from "../../logic/memory/plan-move.ts";
import { isGlobalByType } from "../../logic/memory/visibility.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Edge } from "../../model/memory/edge.ts";
import { handleOf } from "../../model/memory/handle.ts";
import type { Item, LastingScope } from "../../model/memory/item.ts";
import type { EdgeReads } from "../../ports/edges.ts";
import type { ItemReads } from "../../ports/items.ts";
import type { Store } from "../../ports/store.ts";
import type { ReviseWorld, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { passagesOf } from "../text/passages.ts";
import { chainOf, clearDuplicate, needMemory } from "./find-item.ts";
import { unknownIdFailure } from "./resolve-id.ts";

export interface Moved<Edited> {
  /** promoted: to a wider scope; moved: from global back into the project. */
  status: "promoted" | "moved" | "unchanged";
  edited: Edited;
}

/** Plans changes to the memory before it moves. */
export type PlanEdit<Edited> = (item: Item) => Promise<{ changes: readonly Change[]; answer: Edited }>;

interface Journey<Edited> {
  id: string;
  scope: LastingScope;
  from: Store;
  to: Store;
  edit: PlanEdit<Edited>;
  /** Items that this call has copied already: the source is still what counts. */
  copied: Set<string>;
}

export async function move<Edited>(
  id: string,
  scope: LastingScope,
  edit: PlanEdit<Edited>,
  world: ReviseWorld,
): Promise<Moved<Edited>> {
  await needMemory(id, world);
  const [to, from] = scope === "global" ? [world.global, world.project] : [world.project, world.global];
  const journey: Journey<Edited> = { id, scope, from, to, edit, copied: new Set() };
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
  if (from.readOnly && changes.length > 0) await from.apply(changes, world.origin);
  const edges = await edgesWithin(moving, from);
  const { taken, ...answer } = await commit(to, () => planTarget(journey, moving, edges, world), world);
  for (const { id } of taken) copied.add(id);
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
  { id, scope, to, edit, copied }: Journey<Edited>,
  moving: readonly Item[],
  edges: readonly Edge[],
  world: ReviseWorld,
): Promise<{ changes: Change[]; answer: Moved<Edited> & { taken: Item[] } }> {
  const present = await itemsIn(to, [id, ...moving.map((item) => item.id)]);
  const taken = moving.filter((source) => {
    const there = present.get(source.id);
    return !there || copied.has(source.id) || !isTargetLatest(there, source, to === world.project);
  });
  const chosen = new Map([...present, ...taken.map((item) => [item.id, item] as const)]);
  const item = chosen.get(id);
  if (!item) throw await unknownIdFailure(id, "memory", world);
  const isThere = moving.length === 0 && item.scope === scope && !isGlobalByType(item);
  if (!isThere) needActive(item, moving);

  const { changes: edits, answer: edited } = await edit(item);
  const rows = withChanges([...chosen.values()], edits);
  const clearing = await clearDuplicates(rows, scope, to, world);
  if (isThere) return { changes: [...clearing, ...edits], answer: { status: "unchanged", edited, taken } };
  // A copy keeps its time of change, by which the latest is told.
  const set = moving.length === 0 ? { updatedAt: world.clock.now() } : {};
  const moved = rows.map((row) => ({ ...movedTo(scope, row), ...set }));
  const status = moving.length > 0 && scope === "project" ? "moved" : "promoted";
  return {
    changes: [...clearing, ...(await writingAll(moved, to, world)), ...(await missingEdges(edges, to))],
    answer: { status, edited, taken },
  };
}

async function clearDuplicates(
  rows: readonly Item[],
  scope: LastingScope,
  to: ItemReads,
  world: Pick<World, "clock">,
): Promise<Change[]> {
  const own = new Set(rows.map(({ id }) => id));
  const clearing: Change[] = [];
  for (const row of rows.filter(({ status }) => status === "active"))
    clearing.push(...(await clearDuplicate({ ...row, scope }, to, world, own)));
  return clearing;
}

async function writingAll(
  items: readonly Item[],
  to: ItemReads,
  world: Pick<World, "tokenizer" | "log">,
): Promise<Change[]> {
  const ids = items.map(({ id }) => id);
  const present = await itemsIn(to, ids);
  const changes: (Change | null)[] = [];
  for (const item of inWritingOrder(items)) {
    const there = present.get(item.id) ?? null;
    changes.push(writing(item, there, isReindexed(item, there) ? await passagesOf(item, world) : null));
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
  return edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
}

async function missingEdges(edges: readonly Edge[], to: EdgeReads): Promise<Change[]> {
  const ids = edges.map(({ id }) => id);
  const known = new Set((await to.edges("memory", ids)).map(({ id }) => id));
  return edges.filter(({ id }) => !known.has(id)).map((edge) => ({ kind: "insert_edge", edge }));
}

/** A copy left at the source may be active although the memory was closed since. */
function needActive(item: Item, moving: readonly Item[]): void {
  if ([item, ...moving.filter(({ id }) => id === item.id)].some(({ status }) => status === "active")) return;
  throw new Failure(
    "conflict",
    `Memory ${handleOf(item.id)} is ${item.status}; only active memories can be moved to another scope.`,
    item.supersededBy
      ? `Move ${handleOf(item.supersededBy)}, which replaced it.`
      : `Bring it back with \`stele update ${handleOf(item.id)} --status active\`.`,
  );
}
