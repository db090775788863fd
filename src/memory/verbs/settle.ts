/** Settle what two items are to each other. */
import * as z from "zod";
import { Call, callOf, renderUndo, typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { inQuotes } from "../../catalog/question-text.ts";
import { decisionQuestion } from "../../decisions/decision-question.ts";
import { Failure } from "../../errors.ts";
import { lineText } from "../../text/text.ts";
import { handleOf } from "../handles.ts";
import { settle, settlingTouches } from "../settle.ts";
import { VERDICTS } from "../verdict.ts";

export default defineOperation({
  name: "settle",
  group: "memory",
  summary:
    "Settle what two near items are to each other: the first replaces the second, both hold, they repeat each other, or they are " +
    "unrelated. It is not asked again while both stay in one store. What a person said or decided is settled by a person.",
  effect: "write",
  begins: false,
  repeatable: true,
  input: z.object({
    one: typedId.describe("Id or handle of the one that replaces the other, or of either."),
    other: typedId.describe("Id or handle of the other."),
    as: z.enum(VERDICTS).describe("What the first is to the second; repeats folds them into one."),
    when: lineText(1_000).optional().describe("With both: under which condition each holds, in a few words."),
  }),
  output: z.object({
    status: z.enum(["settled", "unchanged"]),
    as: z.enum(VERDICTS),
    one: z.string(),
    other: z.string(),
    closed: z.string().nullable().describe("Id of the one that was closed in favour of the other."),
    when: z.string().nullable(),
    call: Call,
  }),
  tool: {
    summary:
      "Settle two near items once, by handle: replaces (one holds instead of other), both (with when), repeats, unrelated.",
    fields: ["one", "other", "as", "when"],
  },
  cli: {
    completes: { one: "linkable", other: "linkable" },
    positional: ["one", "other"],
    examples: [
      "stele settle 7fd436b5 1c9e02aa --as replaces",
      'stele settle 7fd436b5 1c9e02aa --as both --when "7fd4 in production, 1c9e in tests"',
    ],
  },
  async question(input, world) {
    refuseIdleCondition(input);
    const touched = await settlingTouches(input, world);
    const asked = decisionQuestion(messageFor(input), "settle", "Settle", touched, world);
    // The settings let decisions go unasked, not what a person said.
    return asked && { ...asked, mayGoUnasked: touched.count > 0 && asked.mayGoUnasked === true };
  },
  run: async (input, world, consent) => {
    refuseIdleCondition(input);
    const settled = await settle(input, consent, world);
    return { ...settled, call: callOf(settled.status === "settled", world) };
  },
  render: ({ status, as, one, other, closed, when, call }) => {
    if (status === "unchanged") return `Settled before: ${handleOf(one)} and ${handleOf(other)}, ${as}.`;
    const kept = closed === one ? other : one;
    const condition = when === null ? "" : ` (${inQuotes(when)})`;
    const done = {
      replaces: `${handleOf(kept)} replaces ${handleOf(closed ?? other)}`,
      repeats: `${handleOf(closed ?? other)} is folded into ${handleOf(kept)}`,
      both: `Both hold: ${handleOf(one)} and ${handleOf(other)}${condition}`,
      unrelated: `${handleOf(one)} and ${handleOf(other)} are unrelated`,
    }[as];
    return `${done}.${renderUndo(call)}`;
  },
});

/** Refused rather than dropped: whoever states a condition believes that it is kept. */
function refuseIdleCondition({ as, when }: { as: string; when?: string | undefined }): void {
  if (when === undefined || as === "both") return;
  throw new Failure(
    "invalid_input",
    `A condition goes with two that both hold, not with ${as}.`,
    "Leave `when` out, or settle them as both.",
  );
}

function messageFor({
  one,
  other,
  as,
  when,
}: {
  one: string;
  other: string;
  as: string;
  when?: string | undefined;
}): string {
  const condition = when === undefined ? "" : `, ${inQuotes(when)}`;
  return `Settle ${inQuotes(one)} and ${inQuotes(other)} as ${as}${condition}?`;
}
