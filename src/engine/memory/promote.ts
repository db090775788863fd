/** Moves a memory to another scope: wider, or from global back into this project. */
import { Failure } from "../../errors.ts";
import { handleOf } from "../../model/memory/handle.ts";
import type { Scope } from "../../model/memory/item.ts";
import type { ReviseWorld } from "../../ports/world.ts";
import { needMemory } from "./find-item.ts";
import { type Moved, move } from "./move.ts";
import { resolveId } from "./resolve-id.ts";

export interface Promoted extends Pick<Moved<null>, "status"> {
  id: string;
  scope: Scope;
}

/** Without a scope, a working memory becomes project, and any other stays where it is. */
export async function promote(typed: string, scope: Scope | undefined, world: ReviseWorld): Promise<Promoted> {
  const id = await resolveId(typed, "memory", world);
  const { item } = await needMemory(id, world);
  const target = scope ?? (item.scope === "working" ? "project" : item.scope);
  if (target === "working" || (scope === undefined && target === item.scope)) {
    if (item.scope !== target) throw narrower(item.id, item.scope);
    return { status: "unchanged", id, scope: target };
  }
  const { status } = await move(id, target, async () => ({ changes: [], answer: null }), world);
  return { status, id, scope: target };
}

function narrower(id: string, scope: Scope): Failure {
  return new Failure(
    "invalid_input",
    `Memory ${handleOf(id)} is ${scope}; a lasting memory cannot become working.`,
    "Remember its content again with a lifetime, and forget this one.",
  );
}
