/** Where a memory comes from when nobody says: a person at a keyboard, or an agent. */
import type { Source } from "../../model/memory/item.ts";
import type { World } from "../../ports/world.ts";

export function sourceFor({ origin }: Pick<World, "origin">): Source {
  return origin.host === "mcp" ? "ai_inferred" : "user_explicit";
}
