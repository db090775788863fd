/** An orientation as text, short enough to read at the start of every session. */
import { counted } from "../text/count.ts";
import type { OpenEnd, Orientation, Stated } from "./orientation.ts";
import { dayIn } from "../time/day-shown.ts";
import type { Zone } from "../time/zone.ts";

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
