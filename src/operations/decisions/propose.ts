/** Stage a decision for a person. */
import * as z from "zod";
import { propose } from "../../engine/decisions/propose.ts";
import { handleOf, identity, withHandle } from "../../model/memory/handle.ts";
import { Text, lineText, shortText } from "../../model/text/text.ts";
import { Call, Redactions, callOf, moment, renderRedactions, session, tags, typedId } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { oneLine } from "../recall/render-hits.ts";

export const Conflicts = z
  .array(
    z.object({
      ...identity,
      decision: z.string(),
      energy: z.number().describe("How much the two contradict, from 0 to 1."),
      level: z.enum(["reject", "warn"]),
    }),
  )
  .describe("What holds and is contradicted, strongest first.");

export const timeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

const OUTCOMES = {
  proposed: "Proposed, waits for a person",
  duplicate: "Proposed already, waits for a person",
  holds: "Decided already",
};

export default defineOperation({
  name: "propose",
  group: "decisions",
  summary:
    "Stage a decision for a person to ratify, and tell what it contradicts. It does not hold until then. " +
    "Name the ids of what it supersedes and of the evidence for it.",
  effect: "write",
  repeatable: true,
  input: z.object({
    subject: lineText(200).describe("What it is about, in a word or a few."),
    decision: Text.describe("What is decided, in a sentence or a few."),
    rationale: Text.optional().describe("Why."),
    rejected: z.array(shortText(10_000)).max(50).default([]).describe("Alternatives that were turned down."),
    evidence: z.array(typedId).max(200).default([]).describe("Ids or handles of what was said, as `log` gave them."),
    supersedes: z.array(typedId).max(50).default([]).describe("Ids or handles of the decisions that it replaces."),
    relates: z
      .array(typedId)
      .max(50)
      .default([])
      .describe("Ids or handles of decisions that it relates to without replacing them."),
    validFrom: moment.optional().describe("When it begins to hold; when it is ratified, if omitted."),
    validUntil: moment.optional().describe("When it ends; never when omitted."),
    tags: tags.default([]).describe("Words to find it by."),
    session: session.optional().describe("Session it belongs to; the host's own when omitted."),
  }),
  output: z.object({
    status: z
      .enum(["proposed", "duplicate", "holds"])
      .describe("duplicate: it waits already; holds: it is decided already."),
    ...identity,
    conflicts: Conflicts,
    call: Call,
    redactions: Redactions,
  }),
  cli: {
    examples: [
      'stele propose --subject auth --decision "JWT with refresh rotation"',
      'stele propose --subject auth --decision "Passkeys only" --supersedes 7fd436b5',
    ],
  },
  run: async ({ validFrom, validUntil, ...input }, world) => {
    const answer = await propose({ ...input, validFrom: timeOf(validFrom), validUntil: timeOf(validUntil) }, world);
    const conflicts = answer.conflicts.map(withHandle);
    return { ...withHandle(answer), conflicts, call: callOf(answer.status === "proposed", world) };
  },
  render: ({ status, handle, conflicts, redactions }) => {
    return `${OUTCOMES[status]}: ${handle}${renderConflicts(conflicts)}${renderRedactions(redactions)}`;
  },
});

export function renderConflicts(conflicts: readonly Omit<z.infer<typeof Conflicts>[number], "handle">[]): string {
  const said = { reject: "contradicts", warn: "may contradict" };
  return conflicts
    .map(({ id, decision, level }) => `\n  ${said[level]} ${handleOf(id)}: ${oneLine(decision)}`)
    .join("");
}
