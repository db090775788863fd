/** Propose a decision for a person to ratify. */
import * as z from "zod";
import { Call, callOf, moment, Redactions, renderRedactions, session, tags, typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { inQuotes } from "../../catalog/question-text.ts";
import { handleOf, withHandle } from "../../memory/handles.ts";
import { identity } from "../../memory/item.ts";
import { Near } from "../../memory/near-pair.ts";
import { renderNear } from "../../memory/show-near.ts";
import { lineText, shortText, Text } from "../../text/text.ts";
import { readMoment } from "../../time/read-time.ts";
import { nearProposed } from "../near-decisions.ts";
import { propose } from "../propose.ts";

export const Conflicts = z
  .array(
    z.object({
      ...identity,
      decision: z.string(),
      energy: z.number().describe("Strength of the contradiction, from 0 to 1."),
      level: z.enum(["reject", "warn"]),
    }),
  )
  .describe("Decisions it contradicts, strongest first.");

const OUTCOMES = {
  proposed: "Proposed, pending ratification",
  duplicate: "Already proposed, pending ratification",
  holds: "Already decided",
};

export default defineOperation({
  name: "propose",
  group: "decisions",
  summary:
    "Propose a decision for a person to ratify, and report what it contradicts. It takes effect only once ratified. " +
    "Give the ids of the decisions it supersedes and of its evidence.",
  effect: "write",
  repeatable: true,
  input: z.object({
    subject: lineText(200).describe("What it is about, in a few words."),
    decision: Text.describe("The decision, in a sentence or two."),
    rationale: Text.optional().describe("Why."),
    rejected: z.array(shortText(10_000)).max(50).default([]).describe("Rejected alternatives."),
    evidence: z.array(typedId).max(200).default([]).describe("Ids or handles of evidence, as returned by `log`."),
    supersedes: z.array(typedId).max(50).default([]).describe("Ids or handles of the decisions it replaces."),
    relates: z
      .array(typedId)
      .max(50)
      .default([])
      .describe("Ids or handles of related decisions that it does not replace."),
    validFrom: moment.optional().describe("When it takes effect; on ratification when omitted."),
    validUntil: moment.optional().describe("When it stops applying; never when omitted."),
    tags: tags.default([]).describe("Tags to find it by."),
    session: session.optional().describe("Session it belongs to; the host's session when omitted."),
  }),
  output: z.object({
    status: z.enum(["proposed", "duplicate", "holds"]).describe("duplicate: already pending; holds: already decided."),
    ...identity,
    conflicts: Conflicts,
    near: z.array(Near).max(3).describe("Decisions in force and proposals that are probably about the same thing."),
    call: Call,
    redactions: Redactions,
  }),
  tool: {
    summary:
      "Propose a decision that you and the person settled on. It holds once a person ratifies it; the answer says what it contradicts.",
    fields: ["subject", "decision", "rationale", "rejected", "supersedes"],
  },
  cli: {
    completes: { subject: "subject", evidence: "evidence", supersedes: "decision", relates: "decision", tags: "tag" },
    examples: [
      'stele propose --subject auth --decision "JWT with refresh rotation"',
      'stele propose --subject auth --decision "Passkeys only" --supersedes 7fd436b5',
    ],
  },
  run: async ({ validFrom, validUntil, ...input }, world) => {
    const window = {
      validFrom: await readMoment(validFrom, "any", world),
      validUntil: await readMoment(validUntil, "any", world),
    };
    const answer = await propose({ ...input, ...window }, world);
    const conflicts = answer.conflicts.map(withHandle);
    const near = answer.status === "proposed" ? await nearProposed(answer.id, input, world) : [];
    return { ...withHandle(answer), conflicts, near, call: callOf(answer.status === "proposed", world) };
  },
  render: ({ status, handle, conflicts, near, redactions }, { zone }) => {
    const others = conflicts.filter(({ id }) => !near.some((one) => one.id === id));
    const lines = `${renderConflicts(others)}${renderNear(near, handle, zone, { isProposal: true })}`;
    return `${OUTCOMES[status]}: ${handle}${lines}${renderRedactions(redactions)}`;
  },
});

export function renderConflicts(conflicts: readonly Omit<z.infer<typeof Conflicts>[number], "handle">[]): string {
  const wording = { reject: "contradicts", warn: "may contradict" };
  return conflicts
    .map(({ id, decision, level }) => `\n  ${wording[level]} ${handleOf(id)}: ${inQuotes(decision)}`)
    .join("");
}
