/** Archive a memory, or erase an item. */
import * as z from "zod";
import { Call, callOf, renderUndo } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import type { Question } from "../../catalog/question.ts";
import { isForAgent, mayGoUnasked, needConsent } from "../../decisions/consent.ts";
import { decisionQuestion } from "../../decisions/decision-question.ts";
import { oneLine } from "../../recall/show-hits.ts";
import type { CapturedEvidence } from "../../sessions/absorb.ts";
import { counted } from "../../text/short-text.ts";
import { shortText } from "../../text/text.ts";
import {
  decisionsErased,
  erase,
  evidenceErased,
  forget,
  idToErase,
  summaryToErase,
  targetsToForget,
} from "../forget.ts";
import { handleOf, withHandle } from "../handles.ts";
import { identity } from "../item.ts";
import { type Shelf, SHELVES } from "../shelves.ts";

const PossibleTarget = z.object({
  ...identity,
  scope: z.string(),
  type: z.string(),
  summary: z.string(),
  relevance: z.number(),
});

export default defineOperation({
  name: "forget",
  group: "memory",
  summary:
    "Archive a memory by id or handle, or erase any item permanently with the purge option. Given words instead, list candidates " +
    "and change nothing.",
  effect: "destroy",
  begins: false,
  repeatable: true,
  input: z.object({
    target: shortText(10_000).describe(
      "Id or handle of the memory (to purge, of any item), or words that describe it.",
    ),
    purge: z
      .boolean()
      .default(false)
      .describe(
        "Erase it, what it replaced and the evidence it was captured from, including journal and backups. This cannot be undone.",
      ),
    limit: z.int().min(1).max(50).default(5).describe("How many candidates to show."),
  }),
  output: z.object({
    status: z
      .enum(["forgotten", "unchanged", "erased", "candidates", "nothing"])
      .describe("unchanged: it was archived or rejected before."),
    id: identity.id.optional(),
    handle: identity.handle.optional(),
    summary: z.string().optional().describe("Summary of the archived memory."),
    shelf: z.enum(SHELVES).optional().describe("proposal if a proposal was rejected."),
    supersededBy: z.string().nullable().optional().describe("Id of what had replaced it; it cannot be brought back."),
    call: Call.optional(),
    candidates: z.array(PossibleTarget).optional(),
    replaced: z.array(z.string()).optional().describe("Ids of the items it had replaced, erased with it."),
    evidence: z.array(z.string()).optional().describe("Ids of the evidence it was captured from, erased with it."),
    evidenceKept: z
      .array(z.string())
      .optional()
      .describe(
        "Ids of evidence it was captured from that stays: a decision rests on it, or another project keeps it.",
      ),
    evidenceShared: z
      .int()
      .optional()
      .describe("Number of other items that were captured from the erased evidence and stay without it."),
    traces: z.array(z.string()).optional().describe("Files that may still hold traces of what was erased."),
  }),
  tool: {
    summary:
      "Archive a memory that is wrong or outdated, by handle. Given words instead, it lists candidates. With purge it erases.",
    fields: ["target", "purge"],
  },
  cli: {
    completes: { target: "memory" },
    positional: ["target"],
    examples: ["stele forget 7fd436b5", 'stele forget "old deploy notes"', "stele forget 7fd436b5 --purge"],
  },
  choice: {
    field: "target",
    question: ({ purge }) => (purge ? "Erase which one, for good?" : "Forget which one?"),
    candidates: ({ target, purge }, world) => targetsToForget(target, purge, world),
  },
  // Erasing cannot be undone. An agent never erases without asking, and not every agent has a marker: at the command line
  // everybody is asked, and where nobody is, only their own settings can allow it.
  async question({ target, purge }, world): Promise<Question | null> {
    if (!purge) return null;
    const id = await idToErase(target, world);
    const message = `Erase ${oneLine(id === target ? target : handleOf(id))} permanently, including backups?`;
    const evidence = evidenceLines(await evidenceErased(id, world), "asked");
    const whole = [message, ...evidence].join("\n");
    const asked = decisionQuestion(whole, "erase", "Erase", await decisionsErased(id, world), world);
    const isAgents = isForAgent(world.origin);
    if (!isAgents && world.origin.host !== "cli") return asked;
    const summary = await summaryToErase(id, world);
    // Marked, so that the text cannot pass for our own words.
    const quoted = summary === null ? [] : [`> ${oneLine(summary)}`];
    const shown = [message, ...quoted, ...evidence].join("\n");
    const fields = { erase: { kind: "confirm", label: "Erase" } } as const;
    return { message: shown, fields, ...asked, mayGoUnasked: !isAgents && mayGoUnasked(world) };
  },
  run: async ({ target, limit, purge }, world, consent) => {
    if (purge) needConsent(await decisionsErased(await idToErase(target, world), world), consent, world);
    const answer = await (purge ? erase : forget)(target, limit, world);
    if ("candidates" in answer) return { ...answer, candidates: answer.candidates.map(withHandle) };
    if (answer.status === "erased") return withHandle(answer);
    const { isOnRecord, ...forgotten } = answer;
    return { ...withHandle(forgotten), call: callOf(isOnRecord, world) };
  },
  isBad: ({ traces = [] }) => traces.length > 0,
  renderDryRun: ({ status, handle, summary, shelf, ...answer }) => {
    const would = `Would erase ${handle} permanently, including journal and backups.`;
    if (status === "erased") return [would, ...evidenceLines(answer, "asked")].join("\n");
    const doing = shelf === "proposal" ? "reject" : "archive";
    return status === "forgotten" ? `Would ${doing} ${handle} (${oneLine(summary ?? "", 80)}).` : "";
  },
  render: ({ status, handle, summary, shelf, supersededBy, call, candidates = [], traces = [], ...answer }) => {
    if (status === "erased") return [erased(handle, traces), ...evidenceLines(answer, "done")].join("\n");
    const named = `${handle} (${oneLine(summary ?? "", 80)})`;
    if (status === "unchanged" && shelf === "proposal") return `${named} is already rejected.`;
    if (status === "unchanged") return `${named} is already archived.${consequence({ handle, shelf, supersededBy })}`;
    if (status === "forgotten") {
      const what = `${shelf === "proposal" ? "Rejected" : "Archived"} ${named}.`;
      return `${what}${consequence({ handle, shelf, supersededBy, call })}`;
    }
    if (status === "nothing") return "Nothing remembered matches that. `stele list` shows what there is.";
    const lines = candidates.map(
      (candidate) => `${candidate.handle}  ${candidate.type}, ${candidate.scope}  ${candidate.summary}`,
    );
    return ["Nothing was changed. Which one? Forget it by its handle:", ...lines].join("\n");
  },
});

/** What a person might not expect of it, and how to take it back. */
function consequence(forgotten: {
  handle: string | undefined;
  shelf: Shelf | undefined;
  supersededBy: string | null | undefined;
  call?: string | null | undefined;
}): string {
  const { handle, shelf, supersededBy, call } = forgotten;
  if (shelf === "proposal") return ` It no longer waits to be ratified.${renderUndo(call)}`;
  if (supersededBy)
    return ` ${handleOf(supersededBy)} had replaced it already, so nothing is recalled differently.${renderUndo(call)}`;
  return renderUndo(call) || ` \`stele update ${handle} --status active\` brings it back.`;
}

function erased(handle: string | undefined, traces: readonly string[]): string {
  if (traces.length === 0)
    return `Erased ${handle} permanently. Exports, the daily log and copies you made are not affected; delete them yourself.`;
  const files = traces.map((path) => `  ${path}`);
  return [`Erased ${handle}, but these files could not be cleaned and may hold traces of it:`, ...files].join("\n");
}

const HANDLES_SHOWN = 20;

const handlesIn = (ids: readonly string[]): string => {
  const more = ids.length - HANDLES_SHOWN;
  return `${ids.slice(0, HANDLES_SHOWN).map(handleOf).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

/** What happens to the words that it was captured from. */
function evidenceLines(
  {
    evidence = [],
    evidenceKept = [],
    evidenceShared = 0,
  }: { [Key in keyof CapturedEvidence]?: CapturedEvidence[Key] | undefined },
  when: "asked" | "done",
): string[] {
  const lines: string[] = [];
  if (evidence.length > 0) {
    const count = evidence.length === 1 ? "piece" : counted(evidence.length, "piece");
    const pieces = `${count} of evidence it was taken from (${handlesIn(evidence)})`;
    lines.push(when === "done" ? `Erased with it: the ${pieces}.` : `This also erases the ${pieces}.`);
  }
  if (evidenceShared > 0) {
    const others = evidenceShared === 1 ? "1 other item points" : `${evidenceShared} other items point`;
    lines.push(`${others} to the same evidence and ${evidenceShared === 1 ? "stays" : "stay"} without it.`);
  }
  for (const id of evidenceKept.slice(0, HANDLES_SHOWN))
    lines.push(
      `Evidence ${handleOf(id)} stays, because a decision rests on it or another project keeps it; \`stele forget ${handleOf(id)} --purge\` erases it.`,
    );
  if (evidenceKept.length > HANDLES_SHOWN) lines.push(`So do ${evidenceKept.length - HANDLES_SHOWN} more.`);
  return lines;
}
