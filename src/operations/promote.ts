/** Widen the scope of a memory. */
import { z } from "zod";
import { promote } from "../engine/promote.ts";
import { Scope } from "../model/item.ts";
import { id } from "./fields.ts";
import { defineOperation } from "./operation.ts";

export default defineOperation({
  name: "promote",
  group: "memory",
  summary: "Move a memory to a wider scope: from working to project, or to global for all projects. Its id stays.",
  effect: "write",
  repeatable: true,
  input: z.object({
    id,
    scope: Scope.exclude(["working"]).default("project").describe("Where it shall belong."),
  }),
  output: z.object({ status: z.enum(["promoted", "unchanged"]), id: z.string(), scope: Scope }),
  cli: { positional: ["id"], examples: ["stele promote 0198c0de-0000-7000-8000-000000000000 --scope global"] },
  run: async (input, world) => promote(input.id, input.scope, world),
  render: ({ status, id, scope }) => (status === "promoted" ? `${id} is ${scope} now.` : `${id} is ${scope} already.`),
});
