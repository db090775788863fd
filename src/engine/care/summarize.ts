/** Folds old working and progress memories of a session into one summary, which takes their place. */
import { FOLDED_LEAST, inOrder, isFolded, planSummary, sourceEdges, summaryOf } from "../../logic/care/plan-summary.ts";
import { isByHand } from "../../logic/memory/authorship.ts";
import { isExpired } from "../../logic/memory/expiry.ts";
import { removing } from "../../logic/memory/item-changes.ts";
import type { Change } from "../../model/journal/change.ts";
import { type Item, Status } from "../../model/memory/item.ts";
import { counted } from "../../model/text/count.ts";
import type { Filter } from "../../model/recall/search.ts";
import type { DraftWorld } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { contextOf, provenanceIn } from "../memory/provenance.ts";
import { passagesOf } from "../text/passages.ts";

export interface Summarized {
  /** Null if there was too little to fold. */
  summary: Item | null;
  /** Oldest first. */
  sources: Item[];
  /** How many sentences of the sources the summary leaves out. */
  omitted: number;
  /** How many more could be folded by another call. */
  left: number;
  /** Why nothing was folded; null if something was. */
  reason: string | null;
  /** If nothing was folded: the sessions with something to fold, now or later, the latest first. */
  sessions: FoldableSession[];
}

export interface FoldableSession {
  session: string;
  /** How many memories are old enough. */
  old: number;
  /** How many are still in use. */
  newer: number;
}

const MINUTE_MS = 60_000;
/** One transaction should not keep others waiting. */
const FOLDED_MOST = 200;
/** Some of them may be exempt. */
const READ_MOST = 1_000;
const SESSIONS_MOST = 10;

export async function summarize(
  { session, olderThanMinutes }: { session: string; olderThanMinutes: number },
  world: DraftWorld,
): Promise<Summarized> {
  return commit<Summarized>(
    world.project,
    async () => {
      const now = world.clock.now();
      const { items, unread } = await foldable(session, now - olderThanMinutes * MINUTE_MS, world);
      const sources = items.slice(0, FOLDED_MOST);
      if (sources.length < FOLDED_LEAST) {
        const sessions = await foldableSessions(now - olderThanMinutes * MINUTE_MS, world);
        const reason = await reasonFor(session, items.length, world);
        return { changes: [], answer: { summary: null, sources: [], omitted: 0, left: 0, sessions, reason } };
      }
      const { changes, summary, omitted } = await planFor(sources, session, world);
      const left = items.length - sources.length + unread;
      return { changes, answer: { summary, sources, omitted, left, sessions: [], reason: null } };
    },
    world,
  );
}

/** Another memory may already say what the summary would; it then takes its place. */
async function planFor(
  sources: readonly Item[],
  session: string,
  world: DraftWorld,
): Promise<{ changes: Change[]; summary: Item; omitted: number }> {
  const now = world.clock.now();
  const given = { session, source: "system_auto", ...contextOf(world) } as const;
  const { item, omitted } = summaryOf(sources, given, provenanceIn(world));
  const same = await world.project.sameContent("memory", "project", item.hash);
  const other = same && !sources.some(({ id }) => id === same.id) ? same : null;
  const twin = other && !isExpired(other, now) ? other : null;
  const summary = twin ?? item;
  const edges = sourceEdges(summary.id, sources, now).map(({ id }) => id);
  const changes = planSummary(sources, item, {
    ...{ now, twin, clearing: other && !twin ? [removing("memory", other)] : [] },
    passages: await passagesOf(item, world),
    known: new Set((await world.project.edges("memory", edges)).map(({ id }) => id)),
  });
  return { changes, summary, omitted };
}

/** Why a session has nothing to fold; `old` is how many of its memories could be. */
async function reasonFor(session: string, old: number, { project, clock, origin }: DraftWorld): Promise<string> {
  const ofSession: Filter = { statuses: ["active"], now: clock.now(), session };
  const items: Item[] = [];
  for (const part of PASSING)
    items.push(...(await project.list("memory", { ...ofSession, ...part }, { limit: READ_MOST, offset: 0 })).items);
  if (items.length === 0) {
    const { total } = await project.list("memory", { ...ofSession, statuses: Status.options }, { limit: 0, offset: 0 });
    return total === 0 ? "it has no memories" : "it has no working or progress memories";
  }
  const isFree = (byPerson: boolean) => items.filter((item) => isFolded(item, { before: Infinity, byPerson })).length;
  const [free, all] = [isFree(isPerson(origin)), isFree(true)];
  if (all > free && free < FOLDED_LEAST)
    return `${counted(all - free, "of its memories was", "of its memories were")} written by a person, and only a person folds those`;
  if (free === 0) return "its memories are pinned, notes or code";
  if (free < FOLDED_LEAST) return "it has only one such memory, which a summary would repeat";
  return old === 0 ? "all its memories are too new" : "all but one of its memories are too new";
}

async function foldable(
  session: string,
  before: number,
  { project, clock, origin }: DraftWorld,
): Promise<{ items: Item[]; unread: number }> {
  const filter: Filter = { statuses: ["active"], now: clock.now(), session, createdBefore: before };
  const items: Item[] = [];
  let unread = 0;
  for (const part of PASSING) {
    const asked = { ...filter, ...part };
    const { total } = await project.list("memory", asked, { limit: 0, offset: 0 });
    // A list begins with the newest, and the oldest are folded first.
    const offset = Math.max(0, total - READ_MOST);
    unread += offset;
    if (total > 0) items.push(...(await project.list("memory", asked, { limit: READ_MOST, offset })).items);
  }
  const byPerson = isPerson(origin);
  return { items: inOrder(items.filter((item) => isFolded(item, { before, byPerson }))), unread };
}

const PASSING: readonly Partial<Filter>[] = [{ scopes: ["working"] }, { scopes: ["project"], types: ["progress"] }];

const isPerson = ({ host, byAgent = false }: DraftWorld["origin"]): boolean =>
  isByHand({ source: "user_explicit", host, byAgent });

/** Among the latest memories of each kind. */
async function foldableSessions(before: number, { project, clock, origin }: DraftWorld): Promise<FoldableSession[]> {
  const filter: Filter = { statuses: ["active"], now: clock.now() };
  const byPerson = isPerson(origin);
  const items: Item[] = [];
  for (const part of PASSING)
    items.push(...(await project.list("memory", { ...filter, ...part }, { limit: READ_MOST, offset: 0 })).items);
  const latestFirst = inOrder(items.filter((item) => isFolded(item, { before: Infinity, byPerson }))).reverse();
  return [...Map.groupBy(latestFirst, (item) => item.session)]
    .map(([session, own]) => {
      const old = own.filter(({ createdAt }) => createdAt < before).length;
      return { session, old, newer: own.length - old };
    })
    .filter(({ old, newer }) => old + newer >= FOLDED_LEAST)
    .slice(0, SESSIONS_MOST);
}
