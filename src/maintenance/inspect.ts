/** Reports what is stored, where, how it is used, and what is pending. Loads no model. */
import type { SurfaceRun } from "../briefing/surface-lines.ts";
import { identityOf } from "../memory/handles.ts";
import type { Item } from "../memory/item.ts";
import { isoTime, isoTimeOrNull } from "../memory/shown-item.ts";
import type { SpoolState } from "../ports.ts";
import { restrictingSpaceIn } from "../recall/places.ts";
import { branchOf } from "../redaction/branch.ts";
import { costOf, dayOf, type TokenSum, type UsageSum } from "../remote/provider.ts";
import type { EvidenceSize, Store, StoreReport } from "../store/store.ts";
import { DAY_MS } from "../time/calendar.ts";
import type { Stores, World } from "../world.ts";
import { AGE_GROUPS_DAYS, type StoreStatistics } from "./figures.ts";

export interface InspectedStore
  extends StoreReport,
    Pick<StoreStatistics, "neverRecalled" | "tags" | "edges" | "cachedVectors"> {
  freeBytes: number;
  /** Active memories by age, youngest first; null is everything older. */
  ages: { upToDays: number | null; count: number }[];
  /** Memories by the day (UTC) they were made, only the last months and only days with any. */
  days: { day: string; count: number }[];
  mostRecalled: (Pick<Item, "id" | "summary"> & { handle: string; count: number; lastAt: string })[];
  maintainedAt: string | null;
}

/** What sessions left behind, in both stores. */
export interface InspectedCapture {
  isEnabled: boolean;
  /** What hooks reported and nobody has digested yet. */
  spool: SpoolState;
  events: number;
  lastEventAt: string | null;
  /** Number of transcripts that have been read. */
  transcripts: number;
  evidence: EvidenceSize & { recent: EvidenceSize; limitMegabytes: number };
  /** What sessions were told unasked within a week, and how much of it was of use to them. */
  told: { week: number; ofUse: number; notKnown: number };
}

export interface Inspection {
  root: string;
  branch: string | null;
  spaceId: string;
  readOnly: boolean;
  embedder: { identity: string; state: string };
  waiting: number;
  /** Providers that texts were sent to, and the one that the settings name. */
  remote: { llm: string | null; embedder: string | null; usage: RemoteUsage[] };
  capture: InspectedCapture;
  /** The last times that the surface was asked for, newest first. */
  surface: (Omit<SurfaceRun, "at"> & { at: string })[];
  stores: { project: InspectedStore; global: InspectedStore };
}

interface RemoteUsage extends Pick<UsageSum, "provider" | "model" | "purpose"> {
  today: SpentTokens;
  total: SpentTokens;
}

interface SpentTokens extends TokenSum {
  /** Null if no prices are set for it. */
  cost: number | null;
}

const RUNS_SHOWN = 10;
const TOLD_DAYS = 7;
const HANDOVERS_READ = 10_000;

type InspectWorld = Stores &
  Pick<World, "place" | "embedder" | "remoteEmbedder" | "llm" | "clock" | "settings" | "spool">;

export async function inspect(world: InspectWorld): Promise<Inspection> {
  const now = world.clock.now();
  const [project, global] = [
    await inspectStore(world.project, now),
    await inspectStore(world.global, now, restrictingSpaceIn(world)),
  ];
  const { identity, dimensions } = world.embedder;
  const identities = [
    ...(dimensions > 0 ? [identity] : []),
    ...(world.remoteEmbedder ? [world.remoteEmbedder.identity] : []),
  ];
  const waiting = await Promise.all(
    identities.flatMap((one) => [world.project.waitingCount(one), world.global.waitingCount(one)]),
  );
  const capture = await inspectCapture(world, now);
  return {
    root: world.place.root,
    branch: await branchOf(world),
    spaceId: world.place.spaceId,
    readOnly: world.project.readOnly || capture.spool.isReader,
    embedder: { identity, state: world.embedder.state() },
    waiting: waiting.reduce((sum, count) => sum + count, 0),
    remote: {
      llm: world.llm.identity,
      embedder: world.remoteEmbedder?.identity ?? null,
      usage: await remoteUsage(world, now),
    },
    capture,
    surface: (await world.project.surfaceRuns(RUNS_SHOWN)).map((run) => ({ ...run, at: isoTime(run.at) })),
    stores: { project, global },
  };
}

async function remoteUsage({ global, settings }: InspectWorld, now: number): Promise<RemoteUsage[]> {
  return (await global.usage(dayOf(now))).map(({ recent, total, ...of }) => ({
    ...of,
    today: { ...recent, cost: costOf(recent, of, settings.llm) },
    total: { ...total, cost: costOf(total, of, settings.llm) },
  }));
}

/** Evidence added within so many days shows how fast it grows. */
export const RECENT_DAYS = 30;

async function inspectCapture(
  { project, global, spool, settings }: InspectWorld,
  now: number,
): Promise<InspectedCapture> {
  const both = <T>(read: (store: Store) => Promise<T>) => Promise.all([project, global].map(read));
  const counts = await both((store) => store.captureCounts());
  const evidence = sizeOf(await both((store) => store.evidenceSize(0)));
  const recent = sizeOf(await both((store) => store.evidenceSize(now - RECENT_DAYS * DAY_MS)));
  const lastEventAt = Math.max(...counts.map((count) => count.lastEventAt ?? -Infinity));
  return {
    isEnabled: settings.capture.enabled === "on",
    spool: await spool.state(),
    events: counts.reduce((sum, { events }) => sum + events, 0),
    lastEventAt: lastEventAt === -Infinity ? null : isoTime(lastEventAt),
    transcripts: counts.reduce((sum, { checkpoints }) => sum + checkpoints, 0),
    evidence: { ...evidence, recent, limitMegabytes: settings.capture.evidenceMegabytes },
    told: await toldWithin(project, now - TOLD_DAYS * DAY_MS),
  };
}

async function toldWithin({ handovers }: Pick<Store, "handovers">, since: number): Promise<InspectedCapture["told"]> {
  const uses = (await handovers({ since, limit: HANDOVERS_READ })).map(({ use }) => use);
  const notKnown = uses.filter((use) => use === null).length;
  return { week: uses.length, notKnown, ofUse: uses.filter((use) => use !== "none").length - notKnown };
}

const sizeOf = (sizes: readonly EvidenceSize[]): EvidenceSize => ({
  items: sizes.reduce((sum, { items }) => sum + items, 0),
  bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
});

async function inspectStore(store: Store, now: number, visibleIn?: string): Promise<InspectedStore> {
  const [report, { freeBytes }] = [await store.report(), await store.size()];
  const { ages, days, mostRecalled, maintainedAt, ...statistics } = await store.statistics(now, visibleIn);
  return {
    ...report,
    ...statistics,
    freeBytes,
    ages: ages.map((count, group) => ({ upToDays: AGE_GROUPS_DAYS[group] ?? null, count })),
    days: days.map(({ day, count }) => ({ day: isoTime(day * DAY_MS).slice(0, 10), count })),
    mostRecalled: mostRecalled.map(({ id, summary, accessCount, accessedAt }) => ({
      ...identityOf(id),
      summary,
      count: accessCount,
      lastAt: isoTime(accessedAt),
    })),
    maintainedAt: isoTimeOrNull(maintainedAt),
  };
}
