/**
 * Moves a memory to another scope, with its id and its history, and edits it on the way if asked to.
 *
 * Across stores it is written to the target first and then removed from the source, so a crash
 * in between leaves two copies rather than none; repeating the call completes the move. Of two
 * copies the one changed last is kept.
 */
import { Failure } from "../../errors.ts";
import { isExpired } from "../../logic/memory/expiry.ts";
import { removingOnRecord, revising, revisionTo, withChanges } from "../../logic/memory/item-changes.ts";
import { isEmbedded } from "../../logic/memory/shelving.ts";
import { isGlobalByType } from "../../logic/memory/visibility.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Edge } from "../../model/memory/edge.ts";
import { handleOf } from "../../model/memory/handle.ts";
import type { Item, LastingScope } from "../../model/memory/item.ts";
import { INDEXED_FIELDS } from "../../model/memory/item-fields.ts";
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
  const isKept = (there: Item | undefined, source: Item): there is Item =>
    there !== undefined && !copied.has(source.id) && isLatest(there, source, to === world.project);
  const taken = moving.filter((item) => !isKept(present.get(item.id), item));
  const chosen = new Map([...present, ...taken.map((item) => [item.id, item] as const)]);
  const item = chosen.get(id);
  if (!item) throw await unknownIdFailure(id, "memory", world);
  const isThere = moving.length === 0 && item.scope === scope && !isGlobalByType(item);
  if (!isThere) needActive(item, moving);

  const { changes: edits, answer: edited } = await edit(item);
  const rows = withChanges([...chosen.values()], edits);
  const clearing = await clearDuplicates(rows, scope, to, world);
  if (isThere) return { changes: [...clearing, ...edits], answer: { status: "unchanged", edited, taken } };
  const set = moving.length === 0 ? { updatedAt: world.clock.now() } : {};
  const moved = rows.map((row) => ({ ...movedTo(scope, row), ...set }));
  const status = moving.length > 0 && scope === "project" ? "moved" : "promoted";
  return {
    changes: [...clearing, ...(await writing(moved, to, world)), ...(await missingEdges(edges, to))],
    answer: { status, edited, taken },
  };
}

/** Changes made while there are two copies go to the project's, so that one counts if both are of the same time. */
const isLatest = (there: Item, source: Item, isInProject: boolean): boolean =>
  there.updatedAt > source.updatedAt || (there.updatedAt === source.updatedAt && isInProject);

/** The lifetime of a working memory ends with its scope; a stated end of any other memory stays. */
const movedTo = (scope: LastingScope, item: Item): Item => ({
  ...item,
  scope,
  expiresAt: item.scope === "working" ? null : item.expiresAt,
  details: { ...item.details, routedBy: "caller" },
});

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

/** Inserts or revises; closed items first, because an active one may take their content. */
async function writing(
  rows: readonly Item[],
  to: ItemReads,
  world: Pick<World, "tokenizer" | "log">,
): Promise<Change[]> {
  const ids = rows.map(({ id }) => id);
  const present = await itemsIn(to, ids);
  const changes: Change[] = [];
  for (const row of rows.toSorted((one, two) => Number(isActive(one)) - Number(isActive(two)))) {
    const there = present.get(row.id);
    if (there && says(there) === says(row)) continue;
    const isIndexed = there !== undefined && indexed(there) === indexed(row);
    const passages = isIndexed ? null : await passagesOf(row, world);
    const embed = passages !== null && isEmbedded(row.type);
    if (there) changes.push({ ...revising("memory", there, revisionTo(row)), passages, embed });
    else
      changes.push({
        ...{ kind: "insert_item", shelf: "memory", item: { ...row, version: 1 } },
        ...{ passages: passages ?? [], embed },
      });
  }
  return changes;
}

const isActive = ({ status }: Item): boolean => status === "active";

/** Everything but the fields that differ between two copies anyway. */
const says = (item: Item): string => JSON.stringify({ ...item, version: 0, accessedAt: 0, accessCount: 0 });

const indexed = (item: Item): string => JSON.stringify(INDEXED_FIELDS.map((name) => item[name]));

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
  if (isActive(item) || moving.some((source) => source.id === item.id && isActive(source))) return;
  throw new Failure(
    "conflict",
    `Memory ${handleOf(item.id)} is ${item.status}; only active memories can be moved to another scope.`,
    item.supersededBy ? `Move ${handleOf(item.supersededBy)}, which replaced it.` : "Remember its content again.",
  );
}
