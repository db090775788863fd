/** Reject a proposal. */
import * as z from "zod";
import { reject } from "../../engine/decisions/reject.ts";
import { identity, withHandle } from "../../model/memory/handle.ts";
import { Text } from "../../model/text/text.ts";
import { Call, callOf, renderUndo, typedId } from "../fields.ts";
import { defineOperation } from "../operation.ts";

export default defineOperation({
  name: "reject",
  group: "decisions",
  summary: "Reject a proposed decision. It is kept with the reason, in case it is proposed again.",
  effect: "write",
  begins: false,
  repeatable: true,
  input: z.object({
    id: typedId.describe("Id or handle of the proposal."),
    reason: Text.describe("Why it is rejected."),
  }),
  output: z.object({ status: z.literal("rejected"), ...identity, call: Call }),
  cli: {
    completes: { id: "proposal" },
    positional: ["id"],
    examples: ['stele reject 7fd436b5 --reason "too early"'],
  },
  run: async ({ id, reason }, world) => {
    const answer = await reject(id, reason, world);
    return { ...withHandle(answer), call: callOf(true, world) };
  },
  render: ({ handle, call }) => `Rejected ${handle}; it is kept with the reason.${renderUndo(call)}`,
});
