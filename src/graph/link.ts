/** Relates two memories, or says that they are not related. Both must be in the same store, as every edge's ends are. */
import { isForAgent } from "../decisions/consent.ts";
import { Failure } from "../errors.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { type Found, needMemory } from "../memory/find-item.ts";
import { handleOf } from "../memory/handles.ts";
import { closing } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import { resolveId } from "../memory/resolve-id.ts";
import type { EdgeReads } from "../store/store.ts";
import type { LookupWorld, World } from "../world.ts";
import { type Edge, edgeName, isSymmetric, newEdge, possibleEdgeIds, type Relation } from "./edges.ts";

/**
 * The changes by which somebody relates two memories, or says that they are not related.
 *
 * A relation that holds both ways exists once, whichever end was named first. What was made from the texts is accepted by
 * stating it, and dismissed by an edge that says so: otherwise it would be made again.
 */
const FULL_STRENGTH = 1;

interface LinkRequest {
  source: Pick<Item, "id">;
  target: Item;
  relation: Relation;
  /** That of the existing or made edge when omitted, else 1. */
  strength?: number | undefined;
}

interface PlannedLink {
  status: "linked" | "accepted" | "unchanged";
  edge: Edge;
  changes: Change[];
}

/** `between`: all edges between the two. */
export function planLink(
  { source, target, relation, strength: given }: LinkRequest,
  between: readonly Edge[],
  now: number,
): PlannedLink {
  const isSame = (edge: Edge) => edge.relation === relation && (isSymmetric(relation) || edge.source === source.id);
  const stated = between.filter((edge) => !edge.made && isSame(edge));
  const active = stated.find(({ status }) => status === "active");
  const made = between.find((edge) => edge.made && isSame(edge));
  if (active && (given === undefined || given === active.strength))
    return { status: "unchanged", edge: active, changes: [] };
  const edge = newEdge({
    shelf: "memory",
    source: source.id,
    target: target.id,
    relation,
    strength: given ?? made?.strength ?? FULL_STRENGTH,
    bidirectional: isSymmetric(relation),
    status: "active",
    createdAt: now,
    ...(active?.verdict && { verdict: active.verdict }),
  });
  const changes: Change[] = [
    ...stated.map(removing),
    ...(relation === "supersedes" && !active ? [closing(target, source.id, now)] : []),
    { kind: "insert_edge", edge },
  ];
  return { status: made && !active ? "accepted" : "linked", edge, changes };
}

const removing = ({ shelf, id }: Edge): Change => ({ kind: "remove_edge", shelf, id });

interface PlannedUnlink {
  /** What was removed; for a made edge what was dismissed. */
  edges: Edge[];
  changes: Change[];
}

/**
 * Of one relation, or of all when it is omitted. A made edge is dismissed if it was in force or accepted; one that only
 * gave way to another relation counts again.
 */
export function planUnlink(relation: Relation | undefined, between: readonly Edge[], now: number): PlannedUnlink {
  const isMeant = (edge: Edge) => relation === undefined || edge.relation === relation;
  const inForce = between.filter((edge) => edge.status !== "dismissed" && isMeant(edge));
  const stated = inForce.filter((edge) => !edge.made);
  const isAccepted = (edge: Edge) => stated.some((other) => other.relation === edge.relation);
  const made = between.find((edge) => edge.made && (inForce.includes(edge) || isAccepted(edge)));
  const isDismissed = between.some((edge) => !edge.made && edge.status === "dismissed");
  const dismissal = made && !isDismissed ? [dismissing(made, now)] : [];
  const edges = [...new Set([...inForce, ...(made && !isDismissed ? [made] : [])])];
  return { edges, changes: [...stated.map(removing), ...dismissal] };
}

/** Stated, so that it is journaled and exported like everything else that somebody said. */
function dismissing({ id: _, made: __, ...edge }: Edge, now: number): Change {
  return { kind: "insert_edge", edge: newEdge({ ...edge, status: "dismissed", createdAt: now }) };
}

type LinkWorld = LookupWorld & Pick<World, "origin">;

interface Linked {
  status: PlannedLink["status"];
  edge: Edge;
}

interface Unlinked {
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
      const removed = between.filter(({ id }) => changes.some((one) => one.kind === "remove_edge" && one.id === id));
      if (!edge.verdict) refuseOverPerson(removed, world);
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
      refuseOverPerson(edges, world);
      return { changes, answer: { edges } };
    },
    world,
  );
}

/** What a person settled of two items, no agent takes back. */
function refuseOverPerson(edges: readonly Edge[], { origin }: Pick<World, "origin">): void {
  const settled = edges.find(({ verdict }) => verdict?.by === "person");
  if (!settled || !isForAgent(origin)) return;
  throw new Failure(
    "refused",
    `A person settled what ${handleOf(settled.source)} and ${handleOf(settled.target)} are to each other.`,
    `\`stele settle ${handleOf(settled.source)} ${handleOf(settled.target)}\` asks them to settle it otherwise.`,
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
  ] as const)
    if (item.status !== "active") throw notInForce(item, what);
  if (successor.scope === replaced.scope) return;
  throw new Failure(
    "invalid_input",
    `Memory ${handleOf(replaced.id)} is ${replaced.scope}; a ${successor.scope} memory cannot supersede it.`,
    "Promote one of them first.",
  );
}

export const notInForce = (item: Pick<Item, "id" | "status" | "supersededBy">, what: string): Failure =>
  new Failure(
    "conflict",
    `${handleOf(item.id)} is ${item.status}; it cannot ${what}.`,
    item.supersededBy
      ? `${handleOf(item.supersededBy)} has replaced it; \`stele audit --id ${handleOf(item.id)}\` names the call, which \`stele rollback\` undoes.`
      : `Bring it back first: \`stele update ${handleOf(item.id)} --status active\`.`,
  );

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
