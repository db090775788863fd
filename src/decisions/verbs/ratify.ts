/** Ask a person to ratify a decision. */
import * as z from "zod";
import { Call, callOf, moment, renderUndo, typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { inQuotes, quoted } from "../../catalog/question-text.ts";
import type { Question } from "../../catalog/question.ts";
import { handleOf, withHandle } from "../../memory/handles.ts";
import { identity } from "../../memory/item.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { lineText, shortText, Text } from "../../text/text.ts";
import type { Zone } from "../../time/calendar.ts";
import { readMoment, type TimeWorld } from "../../time/read-time.ts";
import { timeIn } from "../../time/shown.ts";
import { mayGoUnasked } from "../consent.ts";
import { type DecisionEdits, ProposalDetails } from "../decision.ts";
import { type Beside, planRatification, type Ratification, ratify } from "../ratify.ts";
import { Conflicts, renderConflicts } from "./propose.ts";

const input = z.object({
  id: typedId.describe("Id or handle of the proposal."),
  subject: lineText(200).optional().describe("Replaces the proposed subject."),
  decision: Text.optional().describe("Replaces the proposed wording."),
  rationale: Text.optional().describe("Replaces the rationale."),
  rejected: z.array(shortText(10_000)).max(50).optional().describe("Replaces the rejected alternatives."),
  evidence: z.array(typedId).max(200).optional().describe("Replaces the evidence, by ids or handles."),
  supersedes: z
    .array(typedId)
    .max(50)
    .optional()
    .describe("Ids or handles of the decisions it supersedes, instead of the proposed ones."),
  relates: z
    .array(typedId)
    .max(50)
    .optional()
    .describe("Ids or handles of related decisions, instead of the proposed ones."),
  validFrom: moment.optional().describe("When it takes effect; as proposed when omitted, else now."),
  validUntil: moment.optional().describe("When it stops applying."),
  with: z
    .array(typedId)
    .max(50)
    .optional()
    .describe(
      "Ids or handles of decisions near it that hold beside it; needs `when`. Of the three nearest, the others that are near " +
        "enough are superseded, if a person is asked; the question names each. Everything else stays in force.",
    ),
  when: lineText(1_000).optional().describe("Under which condition each of the two holds."),
  without: z
    .array(z.enum(["rationale", "rejected", "evidence", "supersedes", "relates", "validUntil"]))
    .optional()
    .describe("Parts of the proposal to drop."),
});

export default defineOperation({
  name: "ratify",
  group: "decisions",
  summary:
    "Ask a person to ratify a proposed decision. They see which decisions in force it is near, contradicts and supersedes; once they " +
    "agree, it takes effect and ends what the question says it supersedes; where nobody is asked, only what was named. Edits are " +
    "shown and recorded.",
  effect: "write",
  begins: false,
  repeatable: true,
  alwaysAsks: true,
  input,
  output: z.object({
    status: z.literal("ratified"),
    ...identity,
    superseded: z.array(z.string()).describe("Ids of the decisions it superseded."),
    related: z.array(z.string()).describe("Ids of related decisions."),
    conflicts: Conflicts,
    edited: z.array(z.string()).describe("Fields that differ from the proposal."),
    call: Call,
  }),
  cli: {
    completes: { id: "proposal", evidence: "evidence", supersedes: "decision", relates: "decision" },
    positional: ["id"],
    examples: [
      "stele ratify 7fd436b5",
      'stele ratify 7fd436b5 --decision "JWT, rotated daily" --valid-from 2026-02-01',
    ],
  },
  async question({ id, ...edits }, world): Promise<Question> {
    const planned = await planRatification(id, await editsOf(edits, world), { by: null, how: "" }, world);
    return {
      message: messageFor(planned, world.zone),
      about: planned.fingerprint,
      fields: { ratify: { kind: "confirm", label: "Ratify" } },
      mayGoUnasked: mayGoUnasked(world),
    };
  },
  run: async ({ id, ...edits }, world, consent) => {
    const { host } = world.origin;
    const settlement =
      consent === null
        ? { by: null, how: `${host}; the settings allow it` }
        : { by: "a person", how: `${host}, asked` };
    const answer = await ratify(id, await editsOf(edits, world), settlement, consent, world);
    const conflicts = answer.conflicts.map(withHandle);
    return { ...withHandle(answer), conflicts, call: callOf(true, world) };
  },
  render: ({ handle, superseded, conflicts, call }) => {
    const ended = superseded.length > 0 ? `, in place of ${superseded.map(handleOf).join(", ")}` : "";
    return `Ratified ${handle}${ended}.${renderUndo(call)}${renderConflicts(conflicts)}`;
  },
});

const DROPPED = { rationale: null, rejected: [], evidence: [], supersedes: [], relates: [], validUntil: null };

async function editsOf(
  { without = [], validFrom, validUntil, ...edits }: Omit<z.output<typeof input>, "id">,
  world: TimeWorld,
): Promise<DecisionEdits & Partial<Beside>> {
  const window = {
    validFrom: await readMoment(validFrom, "any", world),
    validUntil: await readMoment(validUntil, "any", world),
  };
  const dropped = Object.fromEntries(without.map((field) => [field, DROPPED[field]]));
  return { ...dropped, ...given({ ...edits, ...window }) };
}

function given<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/**
 * Deterministic, because an answer is valid only for the exact question shown. Contradictions come before the text,
 * which may be long. Text written by others is marked or kept on one line, so that it cannot pass for our own words.
 */
function messageFor(
  { decision, edited, supersedes, related, conflicts, near, when, window }: Ratification,
  zone: Zone,
): string {
  const { rationale, rejected, evidence } = ProposalDetails.parse(decision.details);
  const recorded = recordedStatus(decision);
  const isNear = (id: string) => near.some(({ item, standing }) => item.id === id && standing === "replaced");
  const lines = [
    `Ratify this decision about ${inQuotes(decision.title ?? "")}?${renderConflicts(conflicts)}`,
    ...supersedes.map(
      ({ id, content }) => `Supersedes ${handleOf(id)}: ${inQuotes(content)}${isNear(id) ? KEEPING : ""}`,
    ),
    ...related.map(({ id, content }) => `Relates to ${handleOf(id)}: ${inQuotes(content)}`),
    ...near
      .filter(({ standing }) => standing === "near")
      .map(({ item: { id, content } }) => {
        const text = conflicts.some((one) => one.id === id) ? "" : `: ${inQuotes(content)}`;
        return `Near ${handleOf(id)}, which stays in force${text} (\`--supersedes ${handleOf(id)}\` ends it)`;
      }),
    ...(when === null ? [] : [`Both hold: ${inQuotes(when)}`]),
    ...(window.from === null ? [] : [`Holds from ${timeIn(window.from, zone)}`]),
    ...(window.until === null ? [] : [`Holds until ${timeIn(window.until, zone)}`]),
    ...(edited.length > 0 ? [`Changed since it was proposed: ${edited.join(", ")}`] : []),
    ...(recorded === null ? [] : [`Status in the record: ${inQuotes(recorded)}.`]),
    ...quoted(decision.content, "`stele get` shows the proposal in full"),
    ...(rationale === null ? [] : [`Rationale: ${inQuotes(rationale, 1_000)}`]),
    ...(decision.background === null ? [] : [`Background: ${inQuotes(decision.background, 2_000)}`]),
    ...rejected.map((text) => `Rejected: ${inQuotes(text)}`),
    ...evidence.map((id) => `Evidence: ${oneLine(handleOf(id))}`),
  ];
  return lines.join("\n");
}

const KEEPING = " (in force, and near it; `--with` and `--when` keep both)";

/** The status in the decision record, if the proposal was imported from one. */
function recordedStatus({ details }: Ratification["decision"]): string | null {
  const { status } = (details["record"] ?? {}) as { status?: unknown };
  return typeof status === "string" ? oneLine(status, 50) : null;
}
