/** Take changes back. */
import * as z from "zod";
import { decisionsIn, newestCalls, resolveCall } from "../../engine/journal/choose-calls.ts";
import { needConsent } from "../../engine/decisions/consent.ts";
import { rollback } from "../../engine/journal/rollback.ts";
import { Failure } from "../../errors.ts";
import { handleOf, identity } from "../../model/memory/handle.ts";
import { Shelf } from "../../model/memory/shelf.ts";
import { StoreName } from "../../model/care/backup.ts";
import type { World } from "../../ports/world.ts";
import { typedId } from "../fields.ts";
import { decisionQuestion } from "../decisions/decision-question.ts";
import { defineOperation } from "../operation.ts";

const BECAME = { removed: "Removed", restored: "Brought back", revised: "Changed back" } as const;

export default defineOperation({
  name: "rollback",
  group: "care",
  summary:
    "Take back a call, or the last few: every item they touched becomes exactly what it was. Refuses when " +
    "something later depends on them. Is a call itself, so it can be taken back too.",
  effect: "destroy",
  repeatable: false,
  input: z.object({
    call: typedId.optional().describe("Id or handle of the call to take back, as audit shows it."),
    last: z
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .describe("Take back this many of the newest calls instead; an earlier rollback is one too."),
  }),
  output: z.object({
    status: z.enum(["rolled_back", "unchanged"]),
    calls: z.array(z.string()).describe("The calls that no longer hold, newest first."),
    undone: z.int().describe("How many entries of the journal were taken back."),
    items: z
      .array(
        z.object({
          ...identity,
          shelf: Shelf,
          store: StoreName,
          became: z.enum(["removed", "restored", "revised"]),
        }),
      )
      .describe("What became of the items; a hundred at most are named."),
    edges: z.int().describe("How many of the relations that were made or removed by it went or came back."),
    call: z.string().nullable().describe("The call that this made; rolling it back undoes this."),
  }),
  cli: {
    positional: ["call"],
    examples: ["stele rollback 7fd436b5", "stele rollback --last 1", "stele rollback --last 5 --dry-run"],
  },
  // What a person ratified only a person takes back, or brings back.
  async question(input, world) {
    const touched = await decisionsIn(await callsOf(input, world), world);
    return decisionQuestion("Take this back?", "rollback", "Take it back", touched, world);
  },
  // The newest are found once: what is taken back is what was looked at.
  run: async (input, world, consent) => {
    const calls = await callsOf(input, world);
    needConsent(await decisionsIn(calls, world), consent, world);
    return rollback(input.call === undefined ? { chosen: calls } : { call: calls[0]! }, world);
  },
  render: ({ status, calls, undone, items, edges, call }) => {
    if (status === "unchanged") return "Nothing to take back: everything is as it was before.";
    const sets = calls.length === 1 ? "1 call" : `${calls.length} calls`;
    return [
      `Took back ${sets}, ${undone} ${undone === 1 ? "entry" : "entries"} of the journal.`,
      ...items.map(({ handle, shelf, store, became }) => `${BECAME[became]}: ${handle} (${shelf}, ${store})`),
      ...(edges > 0 ? [`${edges} ${edges === 1 ? "relation" : "relations"} went or came back.`] : []),
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
    "Say what to take back: one call, or the last few.",
    "Give either the id of a call or last, not both.",
  );
}
