/** Widen the scope of a memory. */
import * as z from "zod";
import { promote } from "../engine/promote.ts";
import { Scope } from "../model/item.ts";
import { ChangeSet, changeSetOf, id, renderUndo } from "./fields.ts";
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
  output: z.object({ status: z.enum(["promoted", "unchanged"]), id: z.string(), scope: Scope, changeSet: ChangeSet }),
  cli: { positional: ["id"], examples: ["stele promote 0198c0de-0000-7000-8000-000000000000 --scope global"] },
  run: async (input, world) => {
    const answer = await promote(input.id, input.scope, world);
    return { ...answer, changeSet: changeSetOf(answer.status === "promoted", world) };
  },
  render: ({ status, id, scope, changeSet }) =>
    status === "promoted" ? `${id} is ${scope} now.${renderUndo(changeSet)}` : `${id} is ${scope} already.`,
});
