/** Finds the space of a folder in the registry, adopts a moved one, or registers a new one. */
import { Failure } from "../../errors.ts";
import { type Whereabouts, locateSpace } from "../../logic/memory/locate-space.ts";
import type { Space } from "../../model/memory/space.ts";
import type { SpaceReads } from "../../ports/store/spaces.ts";
import type { Writes } from "../../ports/store/store.ts";
import type { Clock, Ids } from "../../ports/world.ts";

interface Registry {
  global: Writes & SpaceReads;
  clock: Clock;
  ids: Ids;
  isGone: (path: string) => boolean;
}

const ATTEMPTS = 5;
const ORIGIN = { verb: "open", host: "stele", session: "", call: "", space: "" };

export async function openSpace(here: Whereabouts, { global, clock, ids, isGone }: Registry): Promise<Space> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const located = locateSpace(here, await global.spaces(), isGone);
    if (located.how === "known") return located.space;
    const space = located.how === "moved" ? located.space : { ...here, id: ids.next(), createdAt: clock.now() };
    // A read-only home cannot register anything; an unregistered space is simply empty.
    if (global.readOnly) return space;
    const change =
      located.how === "moved"
        ? { kind: "move_space" as const, id: space.id, expectedKey: located.expectedKey, space }
        : { kind: "insert_space" as const, space };
    if ((await global.apply([change], ORIGIN)).status === "applied") return space;
  }
  throw new Failure("conflict", `The registration of project ${here.root} keeps changing.`, "Try again.");
}
