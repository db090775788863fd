/**
 * Rehearsal: the same work, with nothing kept.
 *
 * Both stores check and count every change and then take it back, so a dry run fails
 * exactly where the real run would. Work that would follow the answer is not begun.
 */
import type { Change } from "../model/change.ts";
import type { Store, World } from "../ports.ts";

export function rehearsal(world: World): { world: World; changes: Change[] } {
  const changes: Change[] = [];
  const rehearsing = (store: Store): Store => ({
    ...store,
    async apply(planned, origin) {
      const applied = await store.apply(planned, origin, { rehearse: true });
      // A refused plan is planned again; only the one that would have held counts.
      if (applied.status === "applied") changes.push(...planned);
      return applied;
    },
  });
  return {
    world: {
      ...world,
      project: rehearsing(world.project),
      global: rehearsing(world.global),
      afterwards: { add: () => undefined, settle: () => world.afterwards.settle() },
    },
    changes,
  };
}
