/** What was checked out when a session was last heard of: as a hook reported it, else as it wrote it to a memory. */
import { COMMIT_ID } from "../../model/capture/spooled.ts";
import type { World } from "../../ports/world.ts";

export interface NotedHead {
  branch: string | null;
  commit: string;
}

const EVENTS_MOST = 20;
const MEMORIES = { limit: 20, rows: 2_000 };
/** These are written after the session, when something else may be checked out. */
const LATER: readonly string[] = ["extraction", "file-index"];

export async function notedHead(
  session: string,
  { project, clock }: Pick<World, "project" | "clock">,
): Promise<NotedHead | null> {
  for (const { payload } of await project.events({ session, limit: EVENTS_MOST })) {
    const head = headIn(payload["branch"], payload["commit"]);
    if (head) return head;
  }
  const filter = { statuses: ["active"] as const, scopes: ["project"] as const, session, now: clock.now() };
  for (const { source, context } of await project.newest("memory", filter, MEMORIES)) {
    const head = LATER.includes(source) ? null : headIn(context.branch, context.commits.at(-1));
    if (head) return head;
  }
  return null;
}

const headIn = (branch: unknown, commit: unknown): NotedHead | null =>
  typeof commit === "string" && COMMIT_ID.test(commit)
    ? { branch: typeof branch === "string" ? branch : null, commit }
    : null;
