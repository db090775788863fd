/**
 * Forgetting: by id it archives; by words it only shows what could be meant.
 *
 * Nothing is archived on a guess. A repeated call finds the memory archived and agrees.
 */
import type { Item } from "../model/item.ts";
import type { World } from "../ports.ts";
import { commit } from "./commit.ts";
import { findItem } from "./find-item.ts";
import { recall } from "./recall.ts";

export interface Candidate {
  id: string;
  scope: string;
  type: string;
  summary: string;
  relevance: number;
}

export type Forgotten =
  | { status: "forgotten"; id: string }
  | { status: "candidates"; candidates: Candidate[] }
  | { status: "nothing"; candidates: [] };

const CANDIDATE_RELEVANCE_LEAST = 0.2;

export async function forget(target: string, limit: number, world: World): Promise<Forgotten> {
  const found = await findItem(target, world, ["memory", "proposal"]);
  if (!found) return candidates(target, limit, world);
  return commit(
    found.store,
    async () => {
      const [item] = await found.store.items(found.shelf, [target]);
      const answer = { status: "forgotten" as const, id: target };
      if (!item || isForgotten(item)) return { changes: [], answer };
      const set = {
        status: found.shelf === "proposal" ? ("rejected" as const) : ("archived" as const),
        updatedAt: world.clock.now(),
      };
      const change = {
        kind: "revise_item" as const,
        shelf: found.shelf,
        id: target,
        expectedVersion: item.version,
        set,
      };
      return { changes: [{ ...change, passages: null, embed: false }], answer };
    },
    world,
  );
}

const isForgotten = (item: Item) =>
  item.status === "archived" || item.status === "pruned" || item.status === "rejected";

async function candidates(query: string, limit: number, world: World): Promise<Forgotten> {
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
