/** Fold the old working and progress memories of a session into a summary. */
import * as z from "zod";
import { summarize } from "../../engine/care/summarize.ts";
import { identity, identityOf } from "../../model/memory/handle.ts";
import { Scope } from "../../model/memory/item.ts";
import { counted } from "../../model/text/count.ts";
import { Call, callOf, renderUndo, session } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { oneLine } from "../recall/render-hits.ts";

export default defineOperation({
  name: "summarize",
  group: "memory",
  summary:
    "Fold the old working and progress memories of a session into one summary of their most telling sentences. They " +
    "stay as its history. Pinned memories, notes and code are left alone; what a person wrote, only a person folds.",
  effect: "write",
  repeatable: true,
  input: z.object({
    session: session.optional().describe("The session to fold; the host's session when omitted."),
    olderThanMinutes: z
      .int()
      .min(0)
      .max(525_600)
      .default(30)
      .describe("Only memories older than this many minutes; newer ones are still in use."),
  }),
  output: z.object({
    status: z.enum(["folded", "nothing"]),
    session: z.string(),
    id: identity.id.optional(),
    handle: identity.handle.optional(),
    content: z.string().optional().describe("The summary."),
    sources: z
      .array(z.object({ ...identity, type: z.string(), scope: Scope, summary: z.string() }))
      .describe("What was folded, oldest first."),
    left: z.int().describe("Memories left for another call."),
    call: Call,
  }),
  cli: { examples: ["stele summarize --session nightly --dry-run", "stele summarize --older-than-minutes 0"] },
  run: async ({ olderThanMinutes }, world) => {
    const { session } = world.origin;
    const { summary, sources, left } = await summarize({ session, olderThanMinutes }, world);
    return {
      status: summary ? ("folded" as const) : ("nothing" as const),
      ...{ session, left },
      ...(summary && { ...identityOf(summary.id), content: summary.content }),
      sources: sources.map(({ id, type, scope, summary: said }) => ({ ...identityOf(id), type, scope, summary: said })),
      call: callOf(summary !== null, world),
    };
  },
  render: ({ status, session, handle, content = "", sources, left, call }) => {
    if (status === "nothing") return `Nothing to fold in session ${oneLine(session)}.`;
    return [
      `Folded ${counted(sources.length, "memory", "memories")} of session ${oneLine(session)} into ${handle}:`,
      ...content.split("\n").map((line) => `  ${oneLine(line)}`),
      "From:",
      ...sources.map((one) => `  ${one.handle}  ${one.type}, ${one.scope}  ${oneLine(one.summary, 100)}`),
      ...(left > 0 ? [`${counted(left, "more memory", "more memories")} can be folded by running this again.`] : []),
      ...(call ? [renderUndo(call).trim()] : []),
    ].join("\n");
  },
});
