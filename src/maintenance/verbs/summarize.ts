/** Fold the old working and progress memories of a session into a summary. */
import * as z from "zod";
import { Call, callOf, renderUndo, session } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { identityOf } from "../../memory/handles.ts";
import { identity, Scope } from "../../memory/item.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { counted } from "../../text/short-text.ts";
import { summarize } from "../summarize.ts";

export default defineOperation({
  name: "summarize",
  group: "memory",
  summary:
    "Fold the old working and progress memories of a session into one summary of their most telling sentences. They " +
    "stay as its history. Pinned memories, notes and code are left alone; what a person wrote is folded only by a person.",
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
    omitted: z.int().describe("How many of their sentences the summary leaves out."),
    left: z.int().describe("Memories left for another call."),
    reason: z.string().nullable().describe("Why nothing was folded; null if something was."),
    sessions: z
      .array(
        z.object({
          session: z.string(),
          old: z.int().describe("Memories that can be folded now."),
          newer: z.int().describe("Memories that are too new."),
        }),
      )
      .describe("If nothing was folded: sessions with at least two such memories, the latest first."),
    call: Call,
  }),
  cli: { examples: ["stele summarize --session nightly --dry-run", "stele summarize --older-than-minutes 0"] },
  run: async ({ olderThanMinutes }, world) => {
    const { session } = world.origin;
    const { summary, sources, omitted, left, sessions, reason } = await summarize({ session, olderThanMinutes }, world);
    return {
      status: summary ? ("folded" as const) : ("nothing" as const),
      session,
      omitted,
      left,
      sessions,
      reason,
      ...(summary && { ...identityOf(summary.id), content: summary.content }),
      sources: sources.map(({ id, type, scope, summary: said }) => ({ ...identityOf(id), type, scope, summary: said })),
      call: callOf(summary !== null, world),
    };
  },
  render: (answer) => {
    const { status, handle, left, call } = answer;
    if (status === "nothing") return nothing(answer);
    return [
      `Folded ${folded(answer)} into ${handle}:`,
      ...told(answer),
      "Recall shows the summary instead of them.",
      ...(left > 0 ? [`${counted(left, "more memory", "more memories")} can be folded by running this again.`] : []),
      ...(call ? [renderUndo(call).trim()] : []),
    ].join("\n");
  },
  renderDryRun: (answer) =>
    answer.status === "nothing" ? "" : [`Would fold ${folded(answer)} into:`, ...told(answer)].join("\n"),
});

interface Answer {
  session: string;
  content?: string | undefined;
  sources: readonly { handle: string; type: string; scope: string; summary: string }[];
  omitted: number;
}

const folded = ({ sources, session }: Answer): string =>
  `${counted(sources.length, "memory", "memories")} of session ${oneLine(session)}`;

/** The summary and its sources. */
const told = ({ content = "", sources, omitted }: Answer): string[] => [
  ...content.split("\n").map((line) => `  ${oneLine(line)}`),
  ...(omitted > 0 ? [`${counted(omitted, "sentence")} left out; the memories below still have them.`] : []),
  "From:",
  ...sources.map((one) => `  ${one.handle}  ${one.type}, ${one.scope}  ${oneLine(one.summary, 100)}`),
];

interface Foldable {
  session: string;
  old: number;
  newer: number;
}

/** What there is instead, because the session of a terminal is rarely the one that is meant. */
function nothing({
  session,
  sessions,
  reason,
}: {
  session: string;
  sessions: readonly Foldable[];
  reason: string | null;
}): string {
  const own = sessions.find((one) => one.session === session);
  const others = sessions.filter((one) => one !== own);
  const memories = (count: number) => counted(count, "memory", "memories");
  const shown = ({ old, newer }: Foldable) =>
    [...(old > 0 ? [memories(old)] : []), ...(newer > 0 ? [`${memories(newer)} too new`] : [])].join(", ");
  return [
    `Nothing to fold in session ${oneLine(session)}${own ? `: ${shown(own)}` : reason ? `: ${reason}` : ""}.`,
    ...(others.length > 0 ? ["Other sessions, to be named with `--session`:"] : []),
    ...others.map((one) => `  ${oneLine(one.session)}  ${shown(one)}`),
    ...(sessions.some(({ newer }) => newer > 0) ? ["`--older-than-minutes 0` folds new ones too."] : []),
  ].join("\n");
}
