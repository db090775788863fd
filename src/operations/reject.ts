/** Turn a proposal down. */
import * as z from "zod";
import { reject } from "../engine/reject.ts";
import { Text, shortText } from "../model/text.ts";
import { ChangeSet, changeSetOf, renderUndo } from "./fields.ts";
import { defineOperation } from "./operation.ts";

export default defineOperation({
  name: "reject",
  group: "decisions",
  summary: "Turn a proposed decision down. It is kept with the reason, for whoever thinks of it again.",
  effect: "write",
  repeatable: true,
  input: z.object({
    id: shortText(100).describe("Id of the proposal."),
    reason: Text.describe("Why not."),
  }),
  output: z.object({ status: z.literal("rejected"), id: z.string(), changeSet: ChangeSet }),
  cli: {
    positional: ["id"],
    examples: ['stele reject 0198c0de-0000-7000-8000-000000000000 --reason "too early"'],
  },
  run: async ({ id, reason }, world) => ({
    ...(await reject(id, reason, world)),
    changeSet: changeSetOf(true, world),
  }),
  render: ({ id, changeSet }) => `Rejected ${id}; it is kept with the reason.${renderUndo(changeSet)}`,
});
