/** Correct, replace or move a memory. */
import * as z from "zod";
import {
  background,
  Call,
  callOf,
  id,
  priorities,
  priorityFrom,
  Redactions,
  renderRedactions,
  renderUndo,
  tags,
} from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { shownLine } from "../../text/short-text.ts";
import { lineText, Text } from "../../text/text.ts";
import { handleOf, withHandle } from "../handles.ts";
import { identity, LastingScope, MemoryTypeInput, Scope } from "../item.ts";
import { Near } from "../near-pair.ts";
import { renderNear } from "../show-near.ts";
import { contentToEdit, nearUpdated, update } from "../update.ts";

const CONTENT_CHARACTERS = 400;

export default defineOperation({
  name: "update",
  group: "memory",
  summary:
    "Change a memory. Better wording corrects it in place; content with a different meaning replaces it, " +
    "and the old version becomes history. A scope moves it, with its history; a status archives it or brings it back.",
  effect: "write",
  begins: "scope",
  repeatable: false,
  input: z.object({
    id,
    content: Text.optional().describe("The new content."),
    title: lineText(200).optional().describe("The new title."),
    background: background.optional().describe("New background."),
    type: MemoryTypeInput.refine(
      (type) => type !== "decision",
      "must not be decision: remember it again as one, so that a person can ratify it",
    )
      .optional()
      .describe("The new type."),
    scope: LastingScope.optional().describe("Move it to this project, or to global for all projects."),
    status: z
      .enum(["active", "archived"])
      .optional()
      .describe("active brings back what was archived or pruned; archived takes it out of recall."),
    tags: tags.optional().describe("The complete new list of tags."),
    ...priorities,
    confidence: z.number().min(0).max(1).optional().describe("Confidence, 0 to 1."),
    pinned: z.boolean().optional().describe("Never fades."),
    as: z
      .enum(["revision", "replacement"])
      .optional()
      .describe("Whether this corrects or replaces; decided by comparing the texts when omitted."),
  }),
  output: z.object({
    status: z.enum(["revised", "replaced", "restored", "archived", "unchanged"]),
    ...identity,
    scope: Scope,
    moved: z.boolean().describe("Whether it is in another scope than before."),
    supersedes: z.string().nullable(),
    call: Call,
    redactions: Redactions,
    near: z.array(Near).max(3).describe("Older items that are probably about the same thing as the new content."),
  }),
  cli: {
    completes: { id: "memory", tags: "tag" },
    positional: ["id", "content"],
    examples: [
      'stele update 7fd436b5 "Deploys need the VPN and two approvals"',
      "stele update 7fd436b5 --edit",
      "stele update 7fd436b5 --priority 9 --pinned",
      "stele update 7fd436b5 --scope global",
      "stele update 7fd436b5 --status active",
    ],
  },
  choice: {
    field: "id",
    question: () => "Update which one?",
    candidates: async ({ id }, world) => (await import("../find-item.ts")).targetsToChoose(id, "memory", world),
  },
  editing: { field: "content", current: ({ id }, world) => contentToEdit(id, world) },
  run: async ({ id, priority, importance, weight, ...edit }, world) => {
    const { isMoved, isOnRecord, ...answer } = await update(
      id,
      { ...edit, priority: priorityFrom({ priority, importance, weight }) },
      world,
    );
    const near = edit.content === undefined ? [] : await nearUpdated(answer, edit.content, world);
    const call = callOf(answer.status !== "unchanged" && isOnRecord, world);
    return { ...withHandle(answer), moved: isMoved, call, near };
  },
  render: ({ status, handle, scope, moved, supersedes, call, redactions, near }, { zone }) => {
    const what = {
      revised: `Updated ${handle}`,
      replaced: `Replaced ${handleOf(supersedes ?? "")} with ${handle}; the old version is its history`,
      restored: `Restored ${handle}; recall finds it again`,
      archived: `Archived ${handle}; recall no longer finds it`,
      unchanged: `Nothing to change in ${handle}`,
    };
    const done = `${what[status]}${moved ? `; it is now ${scope}` : ""}.${renderUndo(call)}`;
    return `${done}${renderRedactions(redactions)}${renderNear(near, handle, zone)}`;
  },
  renderDryRun: ({ status, handle, scope, moved, supersedes, redactions }, changes = []) => {
    const what = {
      revised: `Would correct ${handle} in place`,
      replaced: `Would replace ${handleOf(supersedes ?? "")}; the old version would be its history`,
      restored: `Would restore ${handle}`,
      archived: `Would archive ${handle}`,
      unchanged: `Nothing to change in ${handle}`,
    };
    const kept = changes.flatMap((change) => (change.kind === "insert_item" ? [change.item.content] : []));
    const shown = kept.map((content) => `\n  ${shownLine(content, CONTENT_CHARACTERS)}`).join("");
    return `${what[status]}${moved ? `; it would be ${scope}` : ""}.${shown}${renderRedactions(redactions)}`;
  },
});
