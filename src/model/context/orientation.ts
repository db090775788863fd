/**
 * Orientation: where a session stands when it begins.
 *
 * Lists hold the first few, `totals` counts all. Texts are on one line and cut; a handle leads to the whole.
 */
import * as z from "zod";
import { identity } from "../memory/handle.ts";
import { TimeAnchor } from "../time/time-anchor.ts";

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
export const ORIENTATION_PARTS = [
  "decisions",
  "sessions",
  "open",
  "proposals",
  "memories",
  "commits",
  "files",
] as const;
