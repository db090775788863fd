/** List sessions, and what one of them left and was handed. */
import * as z from "zod";
import { listSessions } from "../../engine/capture/list-sessions.ts";
import { isoTime, isoTimeOrNull } from "../../engine/memory/view.ts";
import { readPeriod } from "../../engine/time/read-time.ts";
import { identity, identityOf } from "../../model/memory/handle.ts";
import { type Item, Status } from "../../model/memory/item.ts";
import { Shelf } from "../../model/memory/shelf.ts";
import { timeIn } from "../../model/time/day-shown.ts";
import { counted } from "../../model/text/count.ts";
import { shownLine } from "../../model/text/cut.ts";
import { shortText } from "../../model/text/text.ts";
import { timeWords } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const SHOWN_CHARACTERS = 100;

const about = {
  ...identity,
  ...{ shelf: Shelf, type: z.string(), status: Status, title: z.string().nullable(), summary: z.string() },
};

export default defineOperation({
  name: "sessions",
  group: "session",
  summary:
    "List sessions, the last first: when, in which host, what each left behind and was given. Name one to see the items.",
  effect: "read",
  repeatable: true,
  input: z.object({
    session: shortText(200).optional().describe("Only this session, with its items."),
    until: timeWords.optional().describe("Only sessions that ended until then; a day or month counts to its end."),
    limit: z.int().min(1).max(200).default(20).describe("Maximum number of sessions."),
  }),
  output: z.object({
    sessions: z.array(
      z.object({
        session: z.string(),
        host: z.string().describe("Empty if unknown."),
        startedAt: z.string().describe("The first that is known of it."),
        lastAt: z.string(),
        endedAt: z.string().nullable().describe("When it was reported to end; null if it was not."),
        ...{ memories: z.int(), proposals: z.int(), evidence: z.int() },
        injected: z.int().describe("How many items it was handed."),
      }),
    ),
    captured: z.array(z.object({ ...about, createdAt: z.string() })).describe("Of the named session: what it left."),
    injected: z
      .array(z.object({ ...about, at: z.string() }))
      .describe("Of the named session: what it was handed, and when."),
  }),
  cli: {
    positional: ["session"],
    examples: ["stele sessions", "stele sessions 1f6c02", "stele sessions --limit 5 --json"],
  },
  run: async ({ session, until, limit }, world) => {
    const { createdBefore: before = Number.MAX_SAFE_INTEGER } = await readPeriod({ until }, world);
    const { sessions, captured, injected } = await listSessions({ session, before, limit }, world);
    return {
      sessions: sessions.map(({ firstAt, lastAt, endedAt, ...counts }) => ({
        ...counts,
        ...{ startedAt: isoTime(firstAt), lastAt: isoTime(lastAt), endedAt: isoTimeOrNull(endedAt) },
      })),
      captured: captured.map(({ item, shelf }) => ({ ...aboutOf(item, shelf), createdAt: isoTime(item.createdAt) })),
      injected: injected.map(({ item, shelf, at }) => ({ ...aboutOf(item, shelf), at: isoTime(at) })),
    };
  },
  render: ({ sessions, captured, injected }, { zone }) => {
    if (sessions.length === 0) return "No sessions are known here.";
    const shown = ({ handle, title, summary }: { handle: string; title: string | null; summary: string }) =>
      `  ${handle}  ${shownLine(title ?? summary, SHOWN_CHARACTERS)}`;
    return [
      ...sessions.map(({ session, host, lastAt, memories, proposals, evidence, injected: handed }) => {
        const left = [counted(memories, "memory", "memories"), counted(proposals, "proposal")].join(", ");
        const who = host === "" ? "" : `  ${shownLine(host, 40)}`;
        const pieces = `${counted(evidence, "piece")} of evidence`;
        return `${timeIn(lastAt, zone)}  ${shownLine(session, 40)}${who}  left ${left}, ${pieces}; was given ${handed}`;
      }),
      ...(captured.length > 0 ? ["Left:", ...captured.map(shown)] : []),
      ...(injected.length > 0 ? ["Given:", ...injected.map(shown)] : []),
    ].join("\n");
  },
});

const aboutOf = ({ id, type, status, title, summary }: Item, shelf: Shelf) => ({
  ...identityOf(id),
  ...{ shelf, type, status, title, summary },
});
