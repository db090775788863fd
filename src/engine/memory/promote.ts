/** Moves a memory to another scope: wider, or from global back into this project. */
import { Failure } from "../../errors.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Scope } from "../../model/memory/item.ts";
import type { ReviseWorld } from "../../ports/world.ts";
import { type Found, chainOf, needMemory } from "./find-item.ts";
import { type Moved, move } from "./move.ts";
import { resolveId } from "./resolve-id.ts";

export interface Promoted extends Pick<Moved<null>, "status"> {
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
