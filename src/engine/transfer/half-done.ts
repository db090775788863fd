/** The failure of an import that has written a part: says so, and how to undo or finish it. */
import { Failure } from "../../errors.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { World } from "../../ports/world.ts";

export function halfDone(cause: Failure, { origin }: Pick<World, "origin">): Failure {
  const { code, message, hint } = cause;
  const rest = `Part of it is imported; \`stele rollback ${handleOf(origin.call)}\` undoes that part.`;
  return new Failure(code, `${message} ${rest}`, `${hint} Repeating the import finishes it.`, { cause });
}
