/** Reject a proposal. */
import * as z from "zod";
import { Call, callOf, renderUndo, typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { withHandle } from "../../memory/handles.ts";
import { identity } from "../../memory/item.ts";
import { Text } from "../../text/text.ts";
import { reject } from "../ratify.ts";

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
