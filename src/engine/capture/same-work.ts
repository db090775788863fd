/** The memories that may belong to the same work: captured in the same session, or on the same branch within a day. */
import { SAME_WORK_MS } from "../../logic/capture/overtaken.ts";
import type { Filter } from "../../model/recall/search.ts";
import type { Item } from "../../model/memory/item.ts";
import type { World } from "../../ports/world.ts";

const PAGE = { limit: 100, rows: 1_000 };

export async function memoriesOfSameWork(
  { branch, saidAt }: { branch: string | null; saidAt: number },
  { project, clock, origin }: Pick<World, "project" | "clock" | "origin">,
): Promise<Item[]> {
  const active: Filter = { statuses: ["active"], now: clock.now(), scopes: ["project"] };
  const ofSession = await project.newest("memory", { ...active, session: origin.session }, PAGE);
  if (branch === null) return ofSession;
  const nearby = { branch, createdAfter: saidAt - SAME_WORK_MS, createdBefore: saidAt + SAME_WORK_MS };
  const ofBranch = await project.newest("memory", { ...active, ...nearby }, PAGE);
  return [...new Map([...ofSession, ...ofBranch].map((item) => [item.id, item])).values()];
}
