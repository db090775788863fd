/** The project being worked on, as git's files tell it. */
import { join } from "node:path";
import type { Clock, Place } from "../ports/world.ts";
import { type Repository, branchReader, readCommits } from "./git.ts";

export function placeOf(
  { root, checkout, key, gitFolder }: Repository,
  { clock, ...named }: Pick<Place, "spaceId" | "notices"> & { clock: Clock },
): Place {
  return {
    ...{ root, checkout, ...named },
    excludeFile: gitFolder === null ? null : join(key, "info", "exclude"),
    branch: branchReader(gitFolder, clock),
    commits: (from, to) => readCommits(gitFolder, from, to),
  };
}
