/**
 * Forgets a memory: given an id, archives or erases it; given words, only lists candidates.
 *
 * Nothing is removed on a guess. Repeating the call is harmless.
 */
import { eraseWrittenSurface } from "../briefing/write-surface.ts";
import { fingerprint, type Touched, touchedIn } from "../decisions/consent.ts";
import { Failure } from "../errors.ts";
import type { Change } from "../journal/change.ts";
import { commit, recordsOf } from "../journal/commit.ts";
import type { ChangeRecord } from "../journal/journal.ts";
import { tracesAfter } from "../maintenance/compact.ts";
import { type CapturedEvidence, evidenceOf } from "../sessions/absorb.ts";
import type { ItemReads, JournalQuery, Store, Writes } from "../store/store.ts";
import type { LookupWorld, Stores, World } from "../world.ts";
import {
  chainOf,
  findAll,
  findItem,
  type Found,
  type PossibleTarget,
  possibleTargets,
  targetsToChoose,
} from "./find-item.ts";
import { handleOf } from "./handles.ts";
import { revising } from "./item-changes.ts";
import type { Item } from "./item.ts";
import { findId, findRecorded, type IdKind, LEAST_SURE, readingOf } from "./resolve-id.ts";
import { type Shelf, SHELVES } from "./shelves.ts";

/**
 * Erases an item and its predecessors everywhere, with the evidence that they were captured from.
 *
 * That includes both stores, those of other projects, the backups, and the surface that was written to a file, because a promotion,
 * rollback or restore may leave data only in a journal or a copy. Files are compacted afterwards.
 * Files that could not be cleaned are reported; repeating the call tries again.
 */
interface Purged extends CapturedEvidence {
  /** Ids of the predecessors that were erased too. */
  replaced: string[];
  /** Files that may still hold erased data. */
  traces: string[];
}

type PurgeWorld = Stores &
  Pick<World, "afterwards" | "backups" | "otherSpaces" | "spool" | "files" | "place" | "origin">;

/** Null if the id is unknown everywhere. */
export async function purge(id: string, world: PurgeWorld): Promise<Purged | null> {
  // Access is recorded after an answer; recorded after the erasure, it would mention the erased item.
  await world.afterwards.settle();
  // Always in this order, or two purges would wait for each other.
  const erased = await world.project.goFirst(() => world.global.goFirst(() => eraseHere(id, world)));
  if (erased === null) return null;
  const { ids, chain, captured, queries } = erased;
  const traces = [
    ...erased.traces,
    ...(await eraseWrittenSurface(ids, world)),
    ...(await world.otherSpaces.erase(ids, queries, world.origin)),
    ...(await world.backups.erase(ids, queries).catch(() => [world.backups.pathOf("")])),
  ];
  return { replaced: chain.filter((one) => one !== id), ...captured, traces };
}

interface Erased {
  /** All that was erased. */
  ids: string[];
  /** The item and its predecessors. */
  chain: string[];
  captured: CapturedEvidence;
  queries: string[];
  traces: string[];
}

/** From both stores. */
async function eraseHere(id: string, world: PurgeWorld): Promise<Erased | null> {
  const chain = await erasedWith(id, world);
  if (!(await isKnown(chain, world))) return null;
  const captured = await evidenceOf(chain, world);
  const ids = [...new Set([...chain, ...captured.evidence, ...(await erasedBefore(chain, world))])];
  // The store that has it comes first: a surface that shows it is not kept any more from then on.
  const isGlobal = await isKnownIn(world.global, chain);
  const stores = isGlobal ? [world.global, world.project] : [world.project, world.global];
  const queries = [...new Set((await Promise.all(stores.map((store) => store.queriesFor(ids)))).flat())];
  // A global memory may come from a session that this project captured.
  const sessions = [...new Set((await Promise.all(stores.map((store) => store.sessionsOf(ids)))).flat())];
  const [first, second] = stores as [Store, Store];
  const erasing = (store: Writes) => store.apply([{ kind: "purge_items", ids, queries, sessions }], world.origin);
  // After the first erasure, a full disk or a busy file is reported as a trace, not as a failure.
  await erasing(first);
  await dropReports(sessions, world);
  const traces = [...(await tracesAfter([first])), ...(await tracesAfter([second], erasing))];
  return { ids, chain, captured, queries, traces };
}

/** What earlier calls erased together with these items: files that could not be cleaned then may still hold it. */
async function erasedBefore(ids: readonly string[], { project, global }: Stores): Promise<string[]> {
  const stores = [project, global];
  const erasures = async (query: JournalQuery) => {
    const found: ChangeRecord[] = [];
    for (const store of stores)
      for await (const record of recordsOf(store, query)) if (record.kind === "purge_items") found.push(record);
    return found;
  };
  const calls = new Set((await erasures({ itemIds: ids })).map(({ call }) => call).filter((call) => call !== ""));
  return calls.size === 0 ? [] : (await erasures({ calls: [...calls] })).map(({ itemId }) => itemId);
}

const REPORTS_MOST = 100_000;

/** What hooks reported of these sessions, and nobody has digested, would bring the item back. */
async function dropReports(sessions: readonly string[], { spool }: Pick<World, "spool">): Promise<void> {
  for (const name of await spool.list(REPORTS_MOST)) {
    const report = await spool.read(name);
    if (report && sessions.includes(report.session)) await spool.remove(name);
  }
}

async function erasedWith(id: string, { project, global }: Stores): Promise<string[]> {
  return [...new Set([...(await chainIn(project, id)), ...(await chainIn(global, id)), id])];
}

/** The effect of a purge on the evidence that the item was captured from. Only reads. */
export const evidenceErased = async (
  id: string,
  world: Stores & Pick<World, "otherSpaces">,
): Promise<CapturedEvidence> => evidenceOf(await erasedWith(id, world), world);

/** The effect of a purge on decisions. Only reads. */
export async function decisionsErased(id: string, world: Stores & Pick<World, "otherSpaces">): Promise<Touched> {
  const ids = await erasedWith(id, world);
  const stores = [world.project, world.global];
  async function* records() {
    for (const store of stores) yield* recordsOf(store, { itemIds: ids, shelf: "decision" });
  }
  const touched = await touchedIn(records(), ids);
  // A recovered store has rows that are in no journal.
  const rows = (await Promise.all(stores.map((store) => store.outlines("decision", ids)))).flat();
  if (touched.about !== null || rows.length > 0) {
    return { ...touched, count: Math.max(touched.count, rows.length), about: fingerprint([ids, touched.about]) };
  }
  const isElsewhere = !(await isKnownHere(ids, world)) && (await world.otherSpaces.mention(ids));
  if (!isElsewhere) return touched;
  return { ...touched, otherwise: "what another project keeps, which may be a decision", about: fingerprint(ids) };
}

async function chainIn(store: ItemReads, id: string): Promise<string[]> {
  for (const shelf of SHELVES) {
    // Only the outline, because a damaged item must be erasable too.
    const [item] = await store.outlines(shelf, [id]);
    if (item) return (await chainOf(item, shelf, store)).map((one) => one.id);
  }
  return [];
}

async function isKnown(
  ids: readonly string[],
  world: Stores & Pick<World, "backups" | "otherSpaces">,
): Promise<boolean> {
  if (await isKnownHere(ids, world)) return true;
  return (await world.otherSpaces.mention(ids)) || (await world.backups.mentions(ids));
}

async function isKnownHere(ids: readonly string[], { project, global }: Stores): Promise<boolean> {
  return (await isKnownIn(project, ids)) || isKnownIn(global, ids);
}

async function isKnownIn(store: Store, ids: readonly string[]): Promise<boolean> {
  for (const shelf of SHELVES) if ((await store.outlines(shelf, ids)).length > 0) return true;
  return (await store.journal({ itemIds: ids }, { limit: 1, offset: 0 })).total > 0;
}

type Forgotten =
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
