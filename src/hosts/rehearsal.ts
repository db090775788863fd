/**
 * Rehearsal: the same work, with nothing kept.
 *
 * Both stores check and count every change and then take it back, so a dry run fails where
 * the real run would. Work that would follow the answer is not begun, and nothing that waits
 * is embedded: a lease that is taken back would give out the same passages for ever.
 */
import type { Change, ChangeKind } from "../model/change.ts";
import type { Embedder, Store, World } from "../ports.ts";

/** What a person asked for; the rest (access, leases, vectors) is the store's own housekeeping. */
const TOLD: ReadonlySet<ChangeKind> = new Set([
  "insert_item",
  "revise_item",
  "remove_item",
  "evict_items",
  "insert_space",
  "move_space",
]);

export function rehearsal(world: World): { world: World; changes: Change[] } {
  const changes: Change[] = [];
  const rehearsing = (store: Store): Store => ({
    ...store,
    async apply(planned, origin) {
      const applied = await store.apply(planned, origin, { rehearse: true });
      // A refused plan is planned again; only the one that would have held counts.
      if (applied.status === "applied") changes.push(...planned.filter(({ kind }) => TOLD.has(kind)));
      return applied;
    },
  });
  return {
    world: {
      ...world,
      project: rehearsing(world.project),
      global: rehearsing(world.global),
      embedder: withoutDraining(world.embedder),
      afterwards: { add: () => undefined, settle: () => world.afterwards.settle() },
    },
    changes,
  };
}

/** Questions are still embedded, because they decide what is found; whoever drains is told there is nothing to use. */
function withoutDraining(embedder: Embedder): Embedder {
  return { ...embedder, state: () => "absent", load: async () => undefined };
}
