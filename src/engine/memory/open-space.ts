/**
 * Finds the space of a folder in the registry, or registers a new one.
 *
 * The memory of a project that is gone is taken over only if a person says so. Whoever only reads registers nothing.
 */
import { Failure } from "../../errors.ts";
import { type Whereabouts, locateSpace, lookalikeOf } from "../../logic/memory/locate-space.ts";
import type { Space } from "../../model/memory/space.ts";
import type { SpaceReads } from "../../ports/store/spaces.ts";
import type { Writes } from "../../ports/store/store.ts";
import type { Clock, Ids } from "../../ports/world.ts";

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
