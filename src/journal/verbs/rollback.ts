/** Undo calls. */
import * as z from "zod";
import { typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { needConsent } from "../../decisions/consent.ts";
import { decisionQuestion } from "../../decisions/decision-question.ts";
import { Failure } from "../../errors.ts";
import { StoreName } from "../../maintenance/backup.ts";
import { handleOf } from "../../memory/handles.ts";
import { identity, Shelf } from "../../memory/item.ts";
import { counted } from "../../text/short-text.ts";
import type { World } from "../../world.ts";
import { decisionsIn, newestCalls, resolveCall } from "../choose-calls.ts";
import { rollback } from "../rollback.ts";

const BECAME = { removed: "Removed", restored: "Restored", revised: "Reverted" } as const;
const WOULD = { removed: "remove", restored: "restore", revised: "revert" } as const;
const NOT_ERASED = "What was erased cannot be brought back.";

export default defineOperation({
  name: "rollback",
  group: "care",
  summary:
    "Undo a call, or the last few: every item they touched is restored exactly. Refuses if a later call " +
    "changed one of these items. A rollback is a call too, so it can be undone.",
  effect: "destroy",
  begins: false,
  repeatable: false,
  input: z.object({
    call: typedId.optional().describe("Id or handle of the call to undo, as shown by audit."),
    last: z
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .describe("Undo this many of the latest calls instead; a rollback counts as one."),
  }),
  output: z.object({
    status: z.enum(["rolled_back", "unchanged"]),
    calls: z.array(z.string()).describe("The calls that were undone, newest first."),
    undone: z.int().describe("Number of journal entries undone."),
    items: z
      .array(
        z.object({
          ...identity,
          shelf: Shelf,
          store: StoreName,
          became: z.enum(["removed", "restored", "revised"]),
        }),
      )
      .describe("What happened to the items; at most a hundred are listed."),
    edges: z.int().describe("Number of edges removed or restored."),
    erased: z.literal(true).optional().describe("The calls erased something, which cannot be undone."),
    call: z.string().nullable().describe("This rollback's own call; roll it back to redo."),
  }),
  cli: {
    positional: ["call"],
    examples: ["stele rollback 7fd436b5", "stele rollback --last 1", "stele rollback --last 5 --dry-run"],
  },
  // Only a person may undo or restore what a person ratified.
  async question(input, world) {
    const touched = await decisionsIn(await callsOf(input, world), world);
    return decisionQuestion("Undo this?", "rollback", "Undo it", touched, world);
  },
  // The latest calls are looked up once, so that exactly the calls that were checked are undone.
  run: async (input, world, consent) => {
    const calls = await callsOf(input, world);
    needConsent(await decisionsIn(calls, world), consent, world);
    return rollback(input.call === undefined ? { chosen: calls } : { call: calls[0]! }, world);
  },
  renderDryRun: ({ status, calls, undone, items, edges, erased }) => {
    if (status === "unchanged") return null;
    return [
      `Would undo ${counted(calls.length, "call")} (${counted(undone, "journal entry", "journal entries")}).`,
      ...items.map(({ handle, shelf, store, became }) => `Would ${WOULD[became]}: ${handle} (${shelf}, ${store})`),
      ...(erased ? [NOT_ERASED] : []),
      ...(edges > 0 ? [`${counted(edges, "edge")} would be removed or restored.`] : []),
    ].join("\n");
  },
  render: ({ status, calls, undone, items, edges, erased, call }) => {
    if (status === "unchanged" && erased) return "Nothing was undone: what was erased cannot be brought back.";
    if (status === "unchanged") return "Nothing to undo: everything is already as it was.";
    return [
      `Undid ${counted(calls.length, "call")} (${counted(undone, "journal entry", "journal entries")}).`,
      ...items.map(({ handle, shelf, store, became }) => `${BECAME[became]}: ${handle} (${shelf}, ${store})`),
      ...(erased ? [NOT_ERASED] : []),
      ...(edges > 0 ? [`${counted(edges, "edge")} removed or restored.`] : []),
      `Undo this with \`stele rollback ${handleOf(call ?? "")}\`.`,
    ].join("\n");
  },
});

async function callsOf(
  { call, last }: { call?: string | undefined; last?: number | undefined },
  world: World,
): Promise<string[]> {
  if (call !== undefined && last === undefined) return [await resolveCall(call, world)];
  if (last !== undefined && call === undefined) return newestCalls(last, world);
  throw new Failure(
    "invalid_input",
    "Name what to undo: one call, or the last few.",
    "Give either a call or `--last` with a number, not both; `stele audit` lists the calls.",
  );
}
