/**
 * Promotes a memory: moves it to a wider scope, with its id and its history.
 *
 * Across stores it is written to the target first and then removed from the source, so a crash
 * in between leaves two copies rather than none; repeating the call completes the move,
 * including any change made at the source in between.
 */
import { Failure } from "../../errors.ts";
import { isExpired } from "../../logic/memory/expiry.ts";
import { removingOnRecord, revising } from "../../logic/memory/item-changes.ts";
import { isEmbedded } from "../../logic/memory/shelving.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Edge } from "../../model/memory/edge.ts";
import { handleOf } from "../../model/memory/handle.ts";
import type { Item, Scope } from "../../model/memory/item.ts";
import { SCOPES } from "../../model/memory/item-fields.ts";
import type { EdgeReads } from "../../ports/edges.ts";
import type { ReviseWorld, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { chainOf, clearDuplicate, needMemory } from "./find-item.ts";
import { passagesOf } from "../text/passages.ts";
import { resolveId } from "./resolve-id.ts";

export interface Promoted {
  status: "promoted" | "unchanged";
  id: string;
  scope: Scope;
}

export async function promote(typed: string, scope: Scope, world: ReviseWorld): Promise<Promoted> {
  const id = await resolveId(typed, "memory", world);
  if (scope === "global") return toGlobal(id, world);
  const { store } = await needMemory(id, world);
  return commit<Promoted>(
    store,
    async () => {
      const { item } = await needMemory(id, world);
      if (item.scope === scope) return { changes: [], answer: { status: "unchanged", id, scope } };
      checkDirection(item, scope);
      const clearing = await clearDuplicate({ ...item, scope }, store, world);
      const set = { scope, expiresAt: expiryAfterMove(item), updatedAt: world.clock.now() };
      return { changes: [...clearing, revising("memory", item, set)], answer: { status: "promoted", id, scope } };
    },
    world,
  );
}

async function toGlobal(id: string, world: ReviseWorld): Promise<Promoted> {
  await needMemory(id, world);
  return commit<Promoted>(world.project, () => planMove(id, world), world);
}

/** Writes to the target, then plans to remove exactly that from the source: a change in between restarts the move. */
async function planMove(id: string, world: ReviseWorld): Promise<{ changes: Change[]; answer: Promoted }> {
  const [source] = await world.project.items("memory", [id]);
  if (!source || isExpired(source, world.clock.now()))
    return { changes: [], answer: { status: "unchanged", id, scope: "global" } };
  checkDirection(source, "global");
  const chain = await chainOf(source, "memory", world.project);
  const edges = await edgesWithin(chain, world.project);
  await commit(world.global, () => planTarget(source, chain, edges, world), world);
  return {
    changes: chain.flatMap((item) => removingOnRecord("memory", item)),
    answer: { status: "promoted", id, scope: "global" },
  };
}

/** The lifetime of a working memory ends with its scope; a stated end of any other memory stays. */
const expiryAfterMove = ({ scope, expiresAt }: Item): number | null => (scope === "working" ? null : expiresAt);

/** Plans to copy the chain as it is at the source. */
async function planTarget(
  source: Item,
  chain: readonly Item[],
  edges: readonly Edge[],
  world: Pick<World, "global" | "tokenizer" | "clock" | "log">,
): Promise<{ changes: Change[]; answer: null }> {
  const ids = chain.map(({ id }) => id);
  const there = new Map((await world.global.items("memory", ids)).map((item) => [item.id, item]));
  const changes: Change[] = await clearDuplicate({ ...source, scope: "global" }, world.global, world);
  for (const item of chain) {
    const passages = await passagesOf(item, world);
    const present = there.get(item.id);
    const embed = isEmbedded(item.type);
    const moved: Item = { ...item, scope: "global", expiresAt: expiryAfterMove(item) };
    if (!present)
      changes.push({ kind: "insert_item", shelf: "memory", item: { ...moved, version: 1 }, passages, embed });
    else if (says(present) !== says(moved)) {
      changes.push({ ...revising("memory", present, moved), passages, embed } as Change);
    }
  }
  const known = new Set(
    (
      await world.global.edges(
        "memory",
        edges.map(({ id }) => id),
      )
    ).map(({ id }) => id),
  );
  for (const edge of edges.filter(({ id }) => !known.has(id))) changes.push({ kind: "insert_edge", edge });
  return { changes, answer: null };
}

/** Both ends of an edge are in one store, so only edges within the chain move with it. */
async function edgesWithin(chain: readonly Item[], store: EdgeReads): Promise<Edge[]> {
  const ids = new Set(chain.map(({ id }) => id));
  const edges = await store.edgesOf("memory", [...ids], { limit: Number.MAX_SAFE_INTEGER });
  return edges.filter(({ source, target, made }) => !made && ids.has(source) && ids.has(target));
}

/** Everything but the fields that differ between two copies anyway. */
const says = (item: Item): string => JSON.stringify({ ...item, version: 0, accessedAt: 0, accessCount: 0 });

function checkDirection(item: Item, scope: Scope): void {
  if (item.status !== "active") {
    throw new Failure(
      "conflict",
      `Memory ${handleOf(item.id)} is ${item.status}; only active memories can be promoted.`,
      "Remember its content again.",
    );
  }
  if (SCOPES.indexOf(scope) < SCOPES.indexOf(item.scope)) {
    throw new Failure(
      "invalid_input",
      `${scope} is narrower than ${item.scope}.`,
      "A memory can be promoted from working to project, and from either to global.",
    );
  }
}
