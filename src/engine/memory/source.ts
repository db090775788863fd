/** The default source of a memory: a person, or an agent if it comes through MCP or from an agent's shell. */
import type { Source } from "../../model/memory/item.ts";
import type { World } from "../../ports/world.ts";

export function sourceFor({ origin }: Pick<World, "origin">): Source {
  return origin.host === "mcp" || origin.byAgent ? "ai_inferred" : "user_explicit";
}
