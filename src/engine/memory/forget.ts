/**
 * Forgets a memory: given an id, archives or erases it; given words, only lists candidates.
 *
 * Nothing is removed on a guess. Repeating the call is harmless.
 */
import { Failure } from "../../errors.ts";
import { revising } from "../../logic/memory/item-changes.ts";
import { LEAST_SURE, readingOf } from "../../logic/memory/typed-id.ts";
import type { Change } from "../../model/journal/change.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import type { PossibleTarget } from "../../model/memory/possible-target.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { LookupWorld, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { type Found, findAll, findItem } from "./find-item.ts";
import { type Purged, purge } from "./purge.ts";
import { possibleTargets, targetsToChoose } from "./possible-targets.ts";
import { type IdKind, findId, findRecorded } from "./resolve-id.ts";

export type Forgotten =
  | ({
      /** unchanged: it was archived, or rejected, before. */
      status: "forgotten" | "unchanged";
      id: string;
      shelf: Shelf;
      /** Whether a rollback can take it back: the working scope has no journal. */
      isOnRecord: boolean;
    } & Pick<Item, "summary" | "supersededBy">)
  | ({ status: "erased"; id: string } & Purged)
  | { status: "candidates" | "nothing"; candidates: PossibleTarget[] };

export async function forget(target: string, limit: number, world: World): Promise<Forgotten> {
  const isWhole = readingOf(target) === "words";
  const id = await findId(target, "forgettable", world, { isWhole });
  const found = id === null ? [] : await findAll(id, world, ["memory", "proposal"]);
  if (id === null || found.length === 0) return candidates(target, "forgettable", limit, world);
  const archived: Found[] = [];
  for (const place of found) {
    if (await commit(place.store, () => planArchive(place, world), world)) archived.push(place);
  }
  const [{ item, shelf }] = found as [Found];
  const { summary, supersededBy } = item;
  const status = archived.length > 0 ? "forgotten" : "unchanged";
  const isOnRecord = archived.some(({ item: { scope } }) => scope !== "working");
  return { status, id, shelf, summary, supersededBy, isOnRecord };
}

export async function erase(target: string, limit: number, world: World): Promise<Forgotten> {
  const id = await idToErase(target, world);
  const purged = await purge(id, world);
  return purged ? { status: "erased", id, ...purged } : candidates(target, "erasable", limit, world);
}

/** The target itself if no store knows it, since a backup may. Erasing is final, so a short prefix is not enough. */
export async function idToErase(target: string, world: LookupWorld): Promise<string> {
  const isWhole = readingOf(target) === "words" || target.length < LEAST_SURE;
  return (await findRecorded(target, "erasable", world, { isWhole })) ?? target;
}

/** Null if it cannot be read: a damaged item can still be erased. */
export async function summaryToErase(id: string, world: LookupWorld): Promise<string | null> {
  const found = await findItem(id, world).catch((thrown: unknown) => {
    if (thrown instanceof Failure) return null;
    throw thrown;
  });
  return found ? (found.item.title ?? found.item.summary) : null;
}

async function planArchive(
  { store, shelf, item: { id } }: Found,
  world: Pick<World, "clock">,
): Promise<{ changes: Change[]; answer: boolean }> {
  const [item] = await store.items(shelf, [id]);
  if (!item || isForgotten(item)) return { changes: [], answer: false };
  if (item.status === "ratified") {
    throw new Failure(
      "refused",
      `${handleOf(id)} is a decision that a person ratified.`,
      "To end it, propose a decision that supersedes it.",
    );
  }
  const status = shelf === "proposal" ? "rejected" : "archived";
  return { changes: [revising(shelf, item, { status, updatedAt: world.clock.now() })], answer: true };
}

const isForgotten = (item: Item) =>
  item.status === "archived" || item.status === "pruned" || item.status === "rejected";

async function candidates(query: string, what: IdKind, limit: number, world: World): Promise<Forgotten> {
  const found = await possibleTargets(query, what, limit, world);
  return { status: found.length === 0 ? "nothing" : "candidates", candidates: found };
}

/** What a person may choose from instead of being told that several match. */
export const targetsToForget = (target: string, purge: boolean, world: World): Promise<PossibleTarget[]> => {
  const isWhole = readingOf(target) === "words" || (purge && target.length < LEAST_SURE);
  return targetsToChoose(target, purge ? "erasable" : "forgettable", world, { isWhole });
};
