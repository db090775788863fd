/**
 * Orientation: where a session stands when it begins.
 *
 * Lists hold the first few, `totals` counts all. Texts are on one line and cut; a handle leads to the whole.
 */
import * as z from "zod";
import { identity } from "../memory/item.ts";
import { counted } from "../text/short-text.ts";
import { estimatedTokens } from "../text/tokens.ts";
import type { Zone } from "../time/calendar.ts";
import { dayIn } from "../time/shown.ts";
import { TimeAnchor } from "../time/time-anchor.ts";
import { trimParts } from "./lines.ts";

const Stated = z.object({
  ...identity,
  type: z.string(),
  text: z.string(),
  createdAt: z.string(),
});
export type Stated = z.infer<typeof Stated>;

export const OpenEnd = z.object({
  kind: z
    .enum(["progress", "error", "failure"])
    .describe("failure: a command that failed and has not succeeded since."),
  id: z.string().nullable().describe("Of the memory; null for a failure."),
  handle: z.string().nullable(),
  text: z.string(),
  at: z.string(),
});
export type OpenEnd = z.infer<typeof OpenEnd>;

export const Orientation = z.object({
  project: z.object({
    name: z.string(),
    root: z.string(),
    checkout: z.string().describe("The folder of the files; another one than the root in a worktree."),
    branch: z.string().nullable(),
  }),
  time: TimeAnchor,
  lastSession: z
    .object({ session: z.string(), host: z.string(), at: z.string(), agoMs: z.int(), branch: z.string().nullable() })
    .nullable()
    .describe("The session before this one, and the last that is known of it."),
  sessions: z
    .array(z.string())
    .describe("What the last sessions edited and noted, in lines that say who said it and when."),
  since: z.string().describe("From when changes are listed: the end of the last session, else a week ago."),
  commits: z
    .array(z.object({ id: z.string(), subject: z.string(), at: z.string() }))
    .describe("What HEAD has that it did not have in the last session, newest first."),
  files: z
    .array(
      z.object({
        path: z.string(),
        change: z.enum(["added", "changed", "deleted"]),
        at: z.string().describe("When it was written; when this was noticed if its own time does not tell."),
      }),
    )
    .describe("Files added, changed or deleted since, latest first, by size and time."),
  memories: z.array(Stated).describe("Learnt in the last session or since, newest first; without those left open."),
  decisions: z.array(Stated).describe("In force, latest first."),
  proposals: z.array(Stated).describe("Waiting for a person to ratify or reject them."),
  open: z.array(OpenEnd).describe("What was left open, latest first."),
  totals: z.object({
    commits: z.int(),
    files: z.int().nullable().describe("Null if these files are not indexed."),
    memories: z.int().describe("Counted up to 100."),
    decisions: z.int(),
    proposals: z.int(),
  }),
  digested: z
    .int()
    .nullable()
    .describe("Reports of hooks taken in; null if that continues or another process does it."),
  background: z
    .array(z.enum(["maintenance", "index"]))
    .describe("Work that was started and does not delay the answer."),
  degraded: z.string().nullable(),
});
export type Orientation = z.infer<typeof Orientation>;

/** The order in which lists matter: what does not fit is left out from the end. */
const ORIENTATION_PARTS = ["decisions", "sessions", "open", "proposals", "memories", "commits", "files"] as const;

/** An orientation as text, short enough to read at the start of every session. */
const SHORT_ID = 7;

export function orientationText(orientation: Orientation, zone: Zone): string {
  const { project, time, commits, files, memories, decisions, proposals, open, totals, degraded } = orientation;
  const statedLine = statedLineIn(zone);
  const isWorktree = project.checkout !== project.root;
  const before = orientation.lastSession?.branch ?? null;
  const branch = [before, project.branch ?? (before && "no branch")].filter(Boolean);
  const changes = [
    list(counted(totals.commits, "commit"), commits.map(commitLine), totals.commits),
    totals.files ? [`${counted(totals.files, "file")} changed: ${pathsOf(files, totals.files)}`] : [],
    list(counted(totals.memories, "memory", "memories"), memories.map(statedLine), totals.memories),
  ].flat();
  const lines = [
    `${project.name}${branch.length > 0 ? `, branch ${[...new Set(branch)].join(" → ")}` : ""}${isWorktree ? `, in ${project.checkout}` : ""}`,
    `${time.date}, ${time.timeOfDay} (${time.timezone}, week ${time.weekNumber})`,
    ...(orientation.lastSession || orientation.sessions.length === 0 ? [lastLine(orientation)] : []),
    ...(changes.length > 0 ? [orientation.lastSession ? "Since then:" : "In the last week:", ...changes] : []),
    ...list(`${counted(totals.decisions, "decision")} in force`, decisions.map(statedLine), totals.decisions),
    ...list(`${counted(totals.proposals, "proposal")} to ratify`, proposals.map(statedLine), totals.proposals),
    ...list(
      "Left open",
      open.map((one) => openLine(one, zone)),
      open.length,
    ),
    ...orientation.sessions,
    ...(degraded ? [`(${degraded})`] : []),
  ];
  return lines.join("\n");
}

function lastLine({ lastSession }: Orientation): string {
  if (!lastSession) return "No earlier session is known.";
  const { host, agoMs } = lastSession;
  return `Last session ${agoText(agoMs)}${host ? `, by ${host}` : ""}.`;
}

function list(title: string, lines: readonly string[], total: number): string[] {
  if (total === 0) return [];
  const more = total - lines.length;
  return [
    `${title}${lines.length > 0 ? ":" : ""}`,
    ...lines,
    ...(more > 0 && lines.length > 0 ? [`- and ${more} more`] : []),
  ];
}

const commitLine = ({ id, subject }: Orientation["commits"][number]): string =>
  `- ${id.slice(0, SHORT_ID)}${subject ? ` ${subject}` : ""}`;

const statedLineIn =
  (zone: Zone) =>
  ({ handle, type, text, createdAt }: Stated): string =>
    `- ${handle} (${type}, ${dayIn(createdAt, zone)}) ${text}`;

const openLine = ({ handle, kind, text, at }: OpenEnd, zone: Zone): string =>
  `- ${handle ? `${handle} ` : ""}(${kind}, ${dayIn(at, zone)}) ${text}`;

function pathsOf(files: Orientation["files"], total: number): string {
  const more = total - files.length;
  const pathOf = ({ path, change }: Orientation["files"][number]) =>
    change === "changed" ? path : `${path} (${change})`;
  return [...files.map(pathOf), ...(more > 0 && files.length > 0 ? [`${more} more`] : [])].join(", ");
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** How long ago, in the largest unit that fits: "3 days ago". */
export function agoText(ms: number): string {
  for (const [unit, length] of UNITS) if (ms >= length) return `${counted(Math.floor(ms / length), unit)} ago`;
  return "just now";
}

/** An orientation of a few hundred tokens. */
export const ORIENTATION_TOKENS = 600;

export const trimOrientation = (orientation: Orientation, zone: Zone): Orientation =>
  trimParts(orientation, ORIENTATION_PARTS, {
    tokensOf: (whole) => estimatedTokens(orientationText(whole, zone)),
    budgetTokens: ORIENTATION_TOKENS,
  });
