/**
 * Finds the space of a folder in the registry, or registers a new one.
 *
 * The memory of a project that is gone is taken over only if a person says so. Whoever only reads registers nothing.
 */
import { Failure } from "../errors.ts";
import type { SpaceReads, Writes } from "../store/store.ts";
import type { Clock, Ids } from "../world.ts";
import type { Space } from "./space.ts";

/**
 * Finds the space of a folder.
 *
 * Worktrees and subfolders share the key of their repository. A folder keeps its space when it becomes a repository. A
 * moved repository has the remote and the first commit of one that is gone, but so has any archive that somebody made up
 * to be handed its memory. It begins anew, and a person may say that it is the same.
 */
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

interface Registry {
  global: Writes & SpaceReads;
  clock: Clock;
  ids: Ids;
  isGone: (path: string) => boolean;
  /** Called with a project that is gone and looks like this one. */
  onLookalike?: (space: Space) => void;
  /** Whether a project that is not known may be registered; it may, unless told otherwise. */
  mayRegister?: () => Promise<boolean>;
}

const ATTEMPTS = 5;
const ORIGIN = { verb: "open", host: "stele", session: "", call: "", space: "" };

export async function openSpace(
  here: Whereabouts,
  { global, clock, ids, isGone, onLookalike, mayRegister = async () => true }: Registry,
): Promise<Space> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const spaces = await global.spaces();
    const located = locateSpace(here, spaces);
    const lookalike = lookalikeOf(here, spaces, isGone);
    if (lookalike && attempt === 1) onLookalike?.(lookalike);
    if (located.how === "known") return located.space;
    const space = located.how === "moved" ? located.space : { ...here, id: ids.next(), createdAt: clock.now() };
    // A read-only home cannot register anything; an unregistered space is simply empty.
    if (global.readOnly || (located.how === "new" && !(await mayRegister()))) return space;
    const change =
      located.how === "moved"
        ? { kind: "move_space" as const, id: space.id, expectedKey: located.expectedKey, space }
        : { kind: "insert_space" as const, space };
    if ((await global.apply([change], ORIGIN)).status === "applied") return space;
  }
  throw new Failure("conflict", `The registration of project ${here.root} keeps changing.`, "Try again.");
}

type Settling = Pick<Registry, "global" | "isGone">;

/** A person says that the project which is gone is this one. What was remembered here since is set aside in its place. */
export async function takeOver(id: string, here: Whereabouts, { global, isGone }: Settling): Promise<void> {
  const spaces = await global.spaces();
  const gone = lookalikeOf(here, spaces, isGone);
  if (gone?.id !== id) throw settled();
  const own = spaces.find((space) => space.key === here.key);
  const aside = own && `${own.key}#${own.id}`;
  const changes = [
    ...(own ? [moving(own, { ...own, key: aside! })] : []),
    moving(gone, { ...gone, ...placeOf(here) }),
    ...(own ? [moving({ ...own, key: aside! }, { ...own, key: gone.key, root: gone.root })] : []),
  ];
  if ((await global.apply(changes, ORIGIN)).status !== "applied") throw settled();
}

/** A person says that it is another one: it is not offered again. */
export async function tellApart(id: string, here: Whereabouts, { global, isGone }: Settling): Promise<void> {
  const gone = lookalikeOf(here, await global.spaces(), isGone);
  if (gone?.id !== id) throw settled();
  const changes = [moving(gone, { ...gone, firstCommit: null })];
  if ((await global.apply(changes, ORIGIN)).status !== "applied") throw settled();
}

const placeOf = ({ key, root, remote, firstCommit }: Whereabouts): Whereabouts => ({ key, root, remote, firstCommit });

const moving = ({ id, key }: Space, space: Space) => ({ kind: "move_space" as const, id, expectedKey: key, space });

const settled = (): Failure =>
  new Failure(
    "conflict",
    "The projects have changed in the meantime; nothing was changed.",
    "Run `stele doctor` again.",
  );
