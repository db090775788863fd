/**
 * Finds the space of a folder.
 *
 * Worktrees and subfolders share the key of their repository. A folder keeps its space when it becomes a repository. A
 * moved repository has the remote and the first commit of one that is gone, but so has any archive that somebody made up
 * to be handed its memory. It begins anew, and a person may say that it is the same.
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

export function locateSpace(here: Whereabouts, spaces: readonly Space[]): Located {
  const known = spaces.find((space) => space.key === here.key);
  if (known) return { how: "known", space: known };
  const folder = spaces.find((space) => space.key === here.root);
  if (folder) return moved(folder, here);
  return { how: "new" };
}

/** An older project that is gone and looks like this one. Nothing proves that it is. */
export function lookalikeOf(
  here: Whereabouts,
  spaces: readonly Space[],
  isGone: (path: string) => boolean,
): Space | null {
  if (here.firstCommit === null) return null;
  const own = spaces.find((space) => space.key === here.key);
  // What was set aside for the older one, when a person took that over, is the younger.
  const isOlder = ({ createdAt }: Space) => own === undefined || createdAt < own.createdAt;
  const looksAlike = ({ firstCommit, remote, key }: Space) =>
    firstCommit === here.firstCommit && remote === here.remote && isGone(key);
  return spaces.find((space) => space !== own && isOlder(space) && looksAlike(space)) ?? null;
}

/** The key of what stays on this machine while the project is shared with a team. No folder has such a key. */
export const ownKey = (key: string): string => `${key}${OWN}`;
export const isOwnKey = (key: string): boolean => key.endsWith(OWN);
const OWN = "#own";

function moved(space: Space, here: Whereabouts): Located {
  return { how: "moved", expectedKey: space.key, space: { ...space, ...here } };
}
