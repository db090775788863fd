/**
 * Forgetting: by id it archives or erases; by words it only shows what could be meant.
 *
 * Nothing is let go on a guess. A repeated call finds the memory archived and agrees.
 */
import { Failure } from "../errors.ts";
import { revising } from "../logic/plan-remember.ts";
import type { Change } from "../model/change.ts";
import type { Item } from "../model/item.ts";
import type { World } from "../ports.ts";
import { commit } from "./commit.ts";
import { type Found, findAll } from "./find-item.ts";
import { type Purged, purge } from "./purge.ts";
import { recall } from "./recall.ts";

export interface Candidate {
  id: string;
  scope: string;
  type: string;
  summary: string;
  relevance: number;
}

export type Forgotten =
  | { status: "forgotten"; id: string; isChanged: boolean }
  | ({ status: "erased"; id: string } & Purged)
  | { status: "candidates"; candidates: Candidate[] }
  | { status: "nothing"; candidates: [] };

const ID_SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CANDIDATE_RELEVANCE_LEAST = 0.2;

export async function forget(target: string, limit: number, world: World): Promise<Forgotten> {
  const found = await findAll(target, world, ["memory", "proposal"]);
  if (found.length === 0) return candidates(target, limit, world);
  let isChanged = false;
  for (const place of found) {
    if (await commit(place.store, () => planArchive(place, world), world)) isChanged = place.item.scope !== "working";
  }
  return { status: "forgotten", id: target, isChanged };
}

export async function erase(target: string, limit: number, world: World): Promise<Forgotten> {
  const purged = await purge(target, world);
  return purged ? { status: "erased", id: target, ...purged } : candidates(target, limit, world);
}

async function planArchive(
  { store, shelf, item: { id } }: Found,
  world: World,
): Promise<{ changes: Change[]; answer: boolean }> {
  const [item] = await store.items(shelf, [id]);
  if (!item || isForgotten(item)) return { changes: [], answer: false };
  if (item.status === "ratified") {
    throw new Failure(
      "refused",
      `${id} is a decision that a person ratified.`,
      "Propose another one that supersedes it.",
    );
  }
  const status = shelf === "proposal" ? "rejected" : "archived";
  return { changes: [revising(shelf, item, { status, updatedAt: world.clock.now() })], answer: true };
}

const isForgotten = (item: Item) =>
  item.status === "archived" || item.status === "pruned" || item.status === "rejected";

async function candidates(query: string, limit: number, world: World): Promise<Forgotten> {
  if (ID_SHAPE.test(query)) {
    throw new Failure("not_found", `There is no memory ${query}.`, "Describe it in words to see what could be meant.");
  }
  const { hits } = await recall(
    { query, limit, mode: "hybrid", threshold: CANDIDATE_RELEVANCE_LEAST, quiet: true },
    world,
  );
  if (hits.length === 0) return { status: "nothing", candidates: [] };
  return {
    status: "candidates",
    candidates: hits.map(({ id, scope, type, summary, relevance }) => ({ id, scope, type, summary, relevance })),
  };
}
