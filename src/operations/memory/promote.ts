/** Widen the scope of a memory. */
import * as z from "zod";
import { promote } from "../../engine/memory/promote.ts";
import { identity, withHandle } from "../../model/memory/handle.ts";
import { Scope } from "../../model/memory/item.ts";
import { Call, callOf, id, renderUndo } from "../fields.ts";
import { defineOperation } from "../operation.ts";

export default defineOperation({
  name: "promote",
  group: "memory",
  summary: "Move a memory to a wider scope: from working to project, or to global for all projects. It keeps its id.",
  effect: "write",
  repeatable: true,
  input: z.object({
    id,
    scope: Scope.exclude(["working"]).default("project").describe("The scope to move it to."),
  }),
  output: z.object({ status: z.enum(["promoted", "unchanged"]), ...identity, scope: Scope, call: Call }),
  cli: { positional: ["id"], examples: ["stele promote 7fd436b5 --scope global"] },
  run: async (input, world) => {
    const answer = await promote(input.id, input.scope, world);
    return { ...withHandle(answer), call: callOf(answer.status === "promoted", world) };
  },
  render: ({ status, handle, scope, call }) =>
    status === "promoted" ? `${handle} is now ${scope}.${renderUndo(call)}` : `${handle} is already ${scope}.`,
});
