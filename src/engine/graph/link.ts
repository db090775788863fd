/** Relates two memories, or says that they are not related. Both must be in the same store, as every edge's ends are. */
import { Failure } from "../../errors.ts";
import { possibleEdgeIds } from "../../logic/graph/edge-id.ts";
import { type PlannedLink, planLink, planUnlink } from "../../logic/graph/plan-edge.ts";
import type { Change } from "../../model/journal/change.ts";
import { type Edge, type Relation, edgeName } from "../../model/memory/edge.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import type { EdgeReads } from "../../ports/store/edges.ts";
import type { LookupWorld, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { type Found, needMemory } from "../memory/find-item.ts";
import { resolveId } from "../memory/resolve-id.ts";

type LinkWorld = LookupWorld & Pick<World, "origin">;

export interface Linked {
  status: PlannedLink["status"];
  edge: Edge;
}

export interface Unlinked {
  edges: Edge[];
}

export async function link(
  typed: { source: string; target: string },
  terms: { relation: Relation; strength?: number | undefined },
  world: LinkWorld,
): Promise<Linked> {
  const ids = await resolveBoth(typed, world);
  const { store } = (await needBoth(ids, world)).source;
  return commit<Linked>(
    store,
    async () => {
      const { source, target } = await needBoth(ids, world);
      const between = await edgesBetween(source.item, target.item, store);
      const request = { source: source.item, target: target.item, ...terms };
      const { status, edge, changes } = planLink(request, between, world.clock.now());
      if (terms.relation === "supersedes" && status !== "unchanged") checkSuccession(source.item, target.item, between);
      return { changes, answer: { status, edge } };
    },
    world,
  );
}

export async function unlink(
  typed: { source: string; target: string },
  relation: Relation | undefined,
  world: LinkWorld,
): Promise<Unlinked> {
  const ids = await resolveBoth(typed, world);
  const { store } = (await needBoth(ids, world)).source;
  return commit<Unlinked>(
    store,
    async () => {
      const { source, target } = await needBoth(ids, world);
      const between = await edgesBetween(source.item, target.item, store);
      const { edges, changes } = planUnlink(relation, between, world.clock.now());
      if (edges.length === 0) throw notLinked(source.item, target.item, relation);
      const replacing = edges.find((edge) => edge.relation === "supersedes");
      if (replacing) throw stillReplaced(replacing);
      return { changes, answer: { edges } };
    },
    world,
  );
}

const edgesBetween = (one: Pick<Item, "id">, two: Item, store: EdgeReads): Promise<Edge[]> =>
  store.edges("memory", possibleEdgeIds("memory", one.id, two.id));

/** The changes that relate a memory, new or not, to others of its store. */
export async function relating(
  id: string,
  others: readonly Item[],
  store: EdgeReads,
  { clock }: Pick<World, "clock">,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const target of others.filter((other) => other.id !== id)) {
    const request = { source: { id }, target, relation: "relates_to" as const };
    changes.push(...planLink(request, await edgesBetween(request.source, target, store), clock.now()).changes);
  }
  return changes;
}

/** Working memories come and go without a record, so an edge of one could not be restored. */
export function checkLasting({ id, scope }: Pick<Item, "id" | "scope">): void {
  if (scope !== "working") return;
  throw new Failure(
    "invalid_input",
    `Memory ${handleOf(id)} is working; only lasting memories can be linked.`,
    `Promote ${handleOf(id)} first.`,
  );
}

function checkSameStore(source: Found, target: Found): void {
  if (source.store === target.store) return;
  const [global, other] = source.item.scope === "global" ? [source.item, target.item] : [target.item, source.item];
  throw new Failure(
    "invalid_input",
    `Memory ${handleOf(global.id)} is global and ${handleOf(other.id)} belongs to this project; an edge cannot connect two stores.`,
    `Promote ${handleOf(other.id)} to global first, if it holds in every project.`,
  );
}

async function resolveBoth(
  { source, target }: { source: string; target: string },
  world: LinkWorld,
): Promise<{ source: string; target: string }> {
  const ids = { source: await resolveId(source, "memory", world), target: await resolveId(target, "memory", world) };
  if (ids.source !== ids.target) return ids;
  throw new Failure(
    "invalid_input",
    `Both are memory ${handleOf(ids.source)}; a memory has no edge to itself.`,
    "Name two different memories.",
  );
}

async function needBoth(
  ids: { source: string; target: string },
  world: LinkWorld,
): Promise<{ source: Found; target: Found }> {
  const both = { source: await needMemory(ids.source, world), target: await needMemory(ids.target, world) };
  checkLasting(both.source.item);
  checkLasting(both.target.item);
  checkSameStore(both.source, both.target);
  return both;
}

/** A replaced memory has one successor, which is in force: so no chain leads back to itself. */
export function checkSuccession(successor: Item, replaced: Item, between: readonly Edge[]): void {
  const isReplacement = between.some(({ relation, source }) => relation === "supersedes" && source === successor.id);
  if (isReplacement) return;
  for (const [item, what] of [
    [replaced, "be superseded"],
    [successor, "supersede another"],
  ] as const) {
    if (item.status === "active") continue;
    throw new Failure(
      "conflict",
      `Memory ${handleOf(item.id)} is ${item.status}; it cannot ${what}.`,
      item.supersededBy
        ? `${handleOf(item.supersededBy)} has replaced it.`
        : `Bring it back first: \`stele update ${handleOf(item.id)} --status active\`.`,
    );
  }
  if (successor.scope === replaced.scope) return;
  throw new Failure(
    "invalid_input",
    `Memory ${handleOf(replaced.id)} is ${replaced.scope}; a ${successor.scope} memory cannot supersede it.`,
    "Promote one of them first.",
  );
}

function notLinked(one: Item, two: Item, relation: Relation | undefined): Failure {
  const how = relation === undefined ? "" : ` by ${relation}`;
  return new Failure(
    "not_found",
    `Memories ${handleOf(one.id)} and ${handleOf(two.id)} are not linked${how}.`,
    `\`stele related ${handleOf(one.id)}\` lists what it is linked with.`,
  );
}

function stillReplaced(edge: Edge): Failure {
  return new Failure(
    "conflict",
    `The edge \`${edgeName(edge)}\` belongs to a replacement, which unlinking would not take back.`,
    `Find the call with \`stele audit --id ${handleOf(edge.target)}\` and roll it back.`,
  );
}
