/** The project being worked on, as git's files tell it. */
import { join } from "node:path";
import type { Clock, Place } from "../../world.ts";
import { freshly, headCommit, readBranch, type Repository } from "./git.ts";

export function placeOf(
  { root, checkout, key, gitFolder, isUnconfirmed = false }: Repository,
  { clock, ...named }: Pick<Place, "spaceId" | "notices"> & { clock: Clock },
): Place {
  const folders = gitFolder === null ? null : { gitFolder, common: key };
  return {
    root,
    checkout,
    ...named,
    excludeFile: gitFolder === null ? null : join(key, "info", "exclude"),
    branch: freshly(() => readBranch(gitFolder), clock),
    commit: freshly(() => headCommit(folders), clock),
    commits: async (query) => (await import("./read-commits.ts")).readCommits(folders, query, { isUnconfirmed }),
  };
}
