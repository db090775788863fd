/**
 * Finds the space of a folder.
 *
 * Worktrees and subfolders share the key of their repository. A folder keeps its space when it becomes a repository. A
 * moved repository is recognised by its remote and first commit, but only if nothing is left at the old path: a copy is
 * a new project.
 */
import type { Space } from "../../model/memory/space.ts";

export interface Whereabouts {
  key: string;
  root: string;
  remote: string | null;
  firstCommit: string | null;
}

export type Located =
  | { how: "known"; space: Space }
  | { how: "moved"; space: Space; expectedKey: string }
  | { how: "new" };

export function locateSpace(here: Whereabouts, spaces: readonly Space[], isGone: (path: string) => boolean): Located {
  const known = spaces.find((space) => space.key === here.key);
  if (known) return { how: "known", space: known };
  const folder = spaces.find((space) => space.key === here.root);
  if (folder) return moved(folder, here);
  const before = spaces.find(
    (space) =>
      here.firstCommit !== null &&
      space.firstCommit === here.firstCommit &&
      space.remote === here.remote &&
      isGone(space.key),
  );
  return before ? moved(before, here) : { how: "new" };
}

function moved(space: Space, here: Whereabouts): Located {
  return { how: "moved", expectedKey: space.key, space: { ...space, ...here } };
}
