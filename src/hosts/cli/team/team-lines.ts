/** What `stele team` tells a person. */
import { type TeamCondition, howToInherit, roleOf } from "../../../model/care/team.ts";
import { counted } from "../../../model/text/count.ts";

export interface Plan {
  shelves: { shelf: string; items: number; known: number }[];
  items: number;
  known: number;
}

export interface Copied {
  inserted: number;
  updated: number;
  unchanged: number;
  older: number;
  edges: { inserted: number; unchanged: number };
  conflicts: { handle: string; shelf: string; reason: string }[];
  conflictCount: number;
  journal: { adopted: number; skipped: number; reason: string | null };
}

/** Both copies as one. What differs, differs for the later one too, which also finds what was changed in between. */
export const withLater = (copied: Copied, { conflicts, conflictCount, ...later }: Copied): Copied => ({
  ...{ ...copied, conflicts, conflictCount },
  inserted: copied.inserted + later.inserted,
  updated: copied.updated + later.updated,
  edges: { ...copied.edges, inserted: copied.edges.inserted + later.edges.inserted },
});

export const howToAdd = (schema: string): string[] => [
  "To add a person, run this on the server, with their name and a password:",
  "  create role NAME login password '…';",
  `  grant ${roleOf(schema, "writer")} to NAME;`,
  "They name the server in their own settings (team.url), and run `stele team join` in the project.",
  "Whoever has the project's memory so far runs `stele team push` instead.",
];

export const countLines = ({ shelves, items }: Plan): string[] =>
  items === 0
    ? ["  nothing yet."]
    : shelves
        .filter((one) => one.items > 0)
        .map(
          ({ shelf, items: all, known }) =>
            `  ${shelf}: ${all}${known > 0 ? `, of which ${known} ${known === 1 ? "is" : "are"} there` : ""}`,
        );

type Held = Pick<TeamCondition, "user" | "role" | "granted" | "mayWrite">;

/** What a person should know about their role: that it gives no rights, or only those of a reader. */
export const roleLines = (held: Held, schema: string, reports: number): string[] => [
  ...(held.granted === null || held.granted === held.role
    ? []
    : [
        `You were granted the role of a ${held.granted}, but do not inherit its rights.`,
        howToInherit(roleOf(schema, held.granted), held.user),
      ]),
  ...(held.role === null || held.mayWrite ? [] : readerLines(reports)),
];

function readerLines(reports: number): string[] {
  const waiting = `${counted(reports, "report waits", "reports wait")} here until you are a writer.`;
  return [
    "A reader's sessions are not captured: hooks record nothing in this project.",
    ...(reports === 0 ? [] : [`From before, ${waiting}`]),
  ];
}

const CONFLICTS_TOLD = 5;

export function copiedLines(copied: Copied, whose: string): string[] {
  const { inserted, updated, unchanged, older, edges, conflicts, conflictCount, journal } = copied;
  return [
    `Items: ${inserted} new, ${updated} newer than before, ${unchanged + older} there already. Relations: ${edges.inserted} new.`,
    ...(journal.adopted > 0 ? [`Journal: ${counted(journal.adopted, "entry", "entries")}.`] : []),
    ...(journal.reason === null ? [] : [`Journal: not copied, because ${journal.reason}.`]),
    ...(conflictCount > 0
      ? [`${counted(conflictCount, "item differs", "items differ")}; ${whose} version stays:`]
      : []),
    ...conflicts.slice(0, CONFLICTS_TOLD).map(({ handle, shelf, reason }) => `  ${shelf} ${handle}: ${reason}`),
  ];
}
