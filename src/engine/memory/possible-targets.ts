/**
 * What a person may mean by words, or by a prefix that several ids have.
 *
 * A mistyped id is an error, whatever a search for it would find.
 */
import { Failure } from "../../errors.ts";
import { readingOf } from "../../logic/memory/typed-id.ts";
import type { PossibleTarget } from "../../model/memory/possible-target.ts";
import type { World } from "../../ports/world.ts";
import { recall } from "../recall/recall.ts";
import { type IdKind, findId, isNearStoredHandle, itemsWithPrefix, shelvesOf, unknownIdFailure } from "./resolve-id.ts";

const RELEVANCE_LEAST = 0.1;
/** As many as a person takes in at a glance. */
const OFFERED = 9;

export async function possibleTargets(
  query: string,
  what: IdKind,
  limit: number,
  world: World,
): Promise<PossibleTarget[]> {
  if (await isMistypedId(query, what, world)) throw await unknownIdFailure(query, what, world);
  const { hits } = await recall({ query, limit, mode: "hybrid", threshold: RELEVANCE_LEAST, quiet: true }, world);
  const named = (await itemsWithPrefix(query, what, world)).map((item) => ({ ...item, relevance: 1 }));
  return [...named, ...hits.filter(({ id }) => !named.some((item) => item.id === id))].slice(0, limit).map(targetOf);
}

/** What to choose from; nothing if the text names one item, or is a mistyped id, which the verb itself reports. */
export async function targetsToChoose(
  typed: string,
  what: IdKind,
  world: World,
  { isWhole = false }: { isWhole?: boolean } = {},
): Promise<PossibleTarget[]> {
  try {
    if ((await findId(typed, what, world, { isWhole })) !== null) return [];
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "conflict") throw thrown;
    return (await itemsWithPrefix(typed, what, world)).map((item) => targetOf({ ...item, relevance: 1 }));
  }
  if (await isMistypedId(typed, what, world)) return [];
  const { hits } = await recall(
    { query: typed, limit: OFFERED, mode: "hybrid", threshold: RELEVANCE_LEAST, quiet: true },
    world,
  );
  return hits.filter(({ shelf }) => shelvesOf(what).includes(shelf)).map(targetOf);
}

const isMistypedId = async (typed: string, what: IdKind, world: World): Promise<boolean> =>
  readingOf(typed) === "id" || isNearStoredHandle(typed, what, world);

const targetOf = ({ id, scope, type, summary, relevance }: PossibleTarget): PossibleTarget => ({
  ...{ id, scope, type, summary, relevance },
});
