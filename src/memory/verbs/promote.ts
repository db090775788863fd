/** Move a memory to another scope. */
import * as z from "zod";
import { Call, callOf, id, renderUndo } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { counted } from "../../text/short-text.ts";
import { withHandle } from "../handles.ts";
import { identity, LastingScope, Scope } from "../item.ts";
import { promote } from "../move.ts";

export default defineOperation({
  name: "promote",
  group: "memory",
  summary:
    "Move a memory to another scope: from working to project, to global for all projects, or from global back into " +
    "this project. It keeps its id.",
  effect: "write",
  repeatable: true,
  input: z.object({
    id,
    scope: LastingScope.optional().describe(
      "The scope to move it to. When omitted, a working memory becomes project and any other stays.",
    ),
  }),
  output: z.object({
    status: z
      .enum(["promoted", "moved", "unchanged"])
      .describe("promoted: to a wider scope; moved: from global back into this project."),
    ...identity,
    scope: Scope,
    relationsLeft: z.int().describe("Stated relations that stay behind: they cannot connect two stores."),
    call: Call,
  }),
  cli: {
    completes: { id: "memory" },
    positional: ["id"],
    examples: ["stele promote 7fd436b5 --scope global", "stele promote 7fd436b5 --scope project"],
  },
  run: async (input, world) => {
    const answer = await promote(input.id, input.scope, world);
    return { ...withHandle(answer), call: callOf(answer.status !== "unchanged", world) };
  },
  render: ({ status, handle, scope, relationsLeft, call }) => {
    if (status === "unchanged") return `${handle} is already ${scope}.`;
    const behind = `${counted(relationsLeft, "relation stays", "relations stay")} behind`;
    const lost = relationsLeft > 0 ? ` ${behind}; ${relationsLeft > 1 ? "they" : "it"} cannot connect two stores.` : "";
    return `${handle} is now ${scope}.${lost}${renderUndo(call)}`;
  },
});
