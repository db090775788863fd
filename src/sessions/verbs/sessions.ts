/** List sessions, and what one of them left and was handed. */
import * as z from "zod";
import { timeWords } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { Failure } from "../../errors.ts";
import { identityOf } from "../../memory/handles.ts";
import { identity, type Item, Shelf, Status } from "../../memory/item.ts";
import { isoTime, isoTimeOrNull } from "../../memory/shown-item.ts";
import { counted, shownLine } from "../../text/short-text.ts";
import { shortText } from "../../text/text.ts";
import { readPeriod } from "../../time/read-time.ts";
import { dayIn, timeIn } from "../../time/shown.ts";
import { HANDOVER_EVENTS } from "../card.ts";
import { listSessions } from "../list-sessions.ts";

const SHOWN_CHARACTERS = 100;

const about = {
  ...identity,
  shelf: Shelf,
  type: z.string(),
  status: Status,
  title: z.string().nullable(),
  summary: z.string(),
};

export default defineOperation({
  name: "sessions",
  group: "session",
  summary:
    "List sessions, the last first: when, in which host, what it was about, what it left and was handed. Name one to see its card, its notes and its items.",
  effect: "read",
  repeatable: true,
  input: z.object({
    session: shortText(200).optional().describe("Only this session, by its id or the beginning of it."),
    until: timeWords.optional().describe("Only sessions that ended until then; a day or month counts to its end."),
    limit: z.int().min(1).max(200).default(20).describe("Maximum number of sessions."),
  }),
  output: z.object({
    sessions: z.array(
      z.object({
        session: z.string(),
        host: z.string().describe("Empty if unknown."),
        title: z
          .string()
          .nullable()
          .describe("The first prompt in the person's own words, or a title by the agent's program."),
        branch: z.string().nullable(),
        startedAt: z.string().describe("The first that is known of it."),
        lastAt: z.string(),
        endedAt: z.string().nullable().describe("When it was reported to end; null if it was not."),
        memories: z.int(),
        proposals: z.int(),
        evidence: z.int(),
        injected: z.int().describe("How many items it was handed."),
      }),
    ),
    card: z
      .array(z.string())
      .describe("Of the named session: what was asked, changed and said, in lines that say by whom."),
    notes: z
      .array(
        z.object({
          id: z.string(),
          text: z.string(),
          at: z.string().nullable(),
          files: z.array(z.string()),
          verdict: z.enum(["right", "wrong", "fixed"]).nullable().describe("What a person said of it."),
        }),
      )
      .describe("Of the named session: what its agent noted, in its own words."),
    handovers: z
      .array(
        z.object({
          event: z.enum(HANDOVER_EVENTS),
          at: z.string(),
          text: z.string(),
          tokens: z.int(),
          use: z
            .enum(["file", "get", "words", "none"])
            .nullable()
            .describe("What came of it: a file that it named was touched, an item was read, its words came back."),
        }),
      )
      .describe("Of the named session: what it was handed unasked."),
    captured: z.array(z.object({ ...about, createdAt: z.string() })).describe("Of the named session: what it left."),
    injected: z
      .array(z.object({ ...about, at: z.string() }))
      .describe("Of the named session: items that it was handed, and when."),
  }),
  cli: {
    positional: ["session"],
    examples: ["stele sessions", "stele sessions 1f6c", "stele sessions --limit 5 --json"],
  },
  run: async ({ session, until, limit }, world) => {
    const { createdBefore: before = Number.MAX_SAFE_INTEGER } = await readPeriod({ until }, world);
    const asked = { session, before, limit };
    const { sessions, card, notes, handovers, captured, injected } = await listSessions(asked, world);
    if (session !== undefined && sessions.length === 0)
      throw new Failure(
        "not_found",
        `No session ${shownLine(session, 40)} is known here.`,
        "`stele sessions` lists them.",
      );
    return {
      sessions: sessions.map(({ firstAt, lastAt, endedAt, card: own, reported: _, ...counts }) => ({
        ...counts,
        title: own?.title.text || null,
        branch: own?.branch ?? null,
        startedAt: isoTime(firstAt),
        lastAt: isoTime(lastAt),
        endedAt: isoTimeOrNull(endedAt),
      })),
      card,
      notes: notes.map(({ at, ...note }) => ({ ...note, at: isoTimeOrNull(at) })),
      handovers: handovers.map(({ event, at, text, tokens, use }) => ({ event, at: isoTime(at), text, tokens, use })),
      captured: captured.map(({ item, shelf }) => ({ ...aboutOf(item, shelf), createdAt: isoTime(item.createdAt) })),
      injected: injected.map(({ item, shelf, at }) => ({ ...aboutOf(item, shelf), at: isoTime(at) })),
    };
  },
  render: ({ sessions, card, notes, handovers, captured, injected }, { zone }) => {
    if (sessions.length === 0) return "No sessions are known here.";
    const shown = ({ handle, title, summary }: { handle: string; title: string | null; summary: string }) =>
      `  ${handle}  ${shownLine(title ?? summary, SHOWN_CHARACTERS)}`;
    const left = captured.filter(({ shelf }) => shelf !== "evidence");
    return [
      ...sessions.map(({ session, host, title, branch, lastAt, memories, proposals, evidence, injected: handed }) =>
        [
          `${timeIn(lastAt, zone)}  ${shownLine(session, 40)}`,
          ...(title === null ? [] : [`"${shownLine(title, SHOWN_CHARACTERS)}"`]),
          [
            ...[host, branch ?? ""].filter((word) => word !== "").map((word) => shownLine(word, 40)),
            ...(evidence > 0 ? [counted(evidence, "turn")] : []),
            ...(memories > 0 ? [counted(memories, "memory", "memories")] : []),
            ...(proposals > 0 ? [counted(proposals, "proposal")] : []),
            ...(handed > 0 ? [`was given ${handed}`] : []),
          ].join(", "),
        ].join("  "),
      ),
      ...card.map((text) => `  ${text}`),
      ...(notes.length > 0 ? ["Noted by its agent (`stele judge ID right|wrong`):"] : []),
      ...notes.map(({ id, text, at, verdict }) => {
        const facts = [...(at === null ? [] : [dayIn(at, zone)]), ...(verdict === null ? [] : [verdict])].join(", ");
        return `  ${id.slice(0, 8)}  ${facts}${facts === "" ? "" : ": "}${shownLine(text, 400)}`;
      }),
      ...(handovers.length > 0 ? ["Was told:"] : []),
      ...handovers.map(
        ({ event, at, tokens, use }) =>
          `  ${timeIn(at, zone)}  ${EVENT_WORDS[event]}, ${tokens} tokens, ${USE_WORDS[use ?? "unknown"]}`,
      ),
      ...(left.length > 0 ? ["Left:", ...left.map(shown)] : []),
      ...(injected.length > 0 ? ["Given:", ...injected.map(shown)] : []),
    ].join("\n");
  },
});

const EVENT_WORDS = { start: "at its start", prompt: "with a prompt", failure: "after a failed tool" } as const;
const USE_WORDS = {
  file: "then touched a file that it names",
  get: "then read an item in full",
  words: "then used its words",
  none: "no use seen",
  unknown: "not known yet whether it was of use",
} as const;

const aboutOf = ({ id, type, status, title, summary }: Item, shelf: Shelf) => ({
  ...identityOf(id),
  shelf,
  type,
  status,
  title,
  summary,
});
