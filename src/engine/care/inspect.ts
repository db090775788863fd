/** Reports what is stored, where, how it is used, and what is pending. Loads no model. */
import { costOf } from "../../logic/care/usage-cost.ts";
import { AGE_GROUPS_DAYS } from "../../model/care/statistics.ts";
import { type TokenSum, type UsageSum, dayOf } from "../../model/care/usage.ts";
import { identityOf } from "../../model/memory/handle.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Store, StoreReport } from "../../ports/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import type { StoreStatistics } from "../../model/care/statistics.ts";
import { restrictingSpaceIn } from "../recall/places.ts";
import { isoTime, isoTimeOrNull } from "../memory/view.ts";

export interface InspectedStore
  extends StoreReport,
    Pick<StoreStatistics, "neverRecalled" | "tags" | "edges" | "cachedVectors"> {
  freeBytes: number;
  /** Active memories by age, youngest first; null is everything older. */
  ages: { upToDays: number | null; count: number }[];
  mostRecalled: (Pick<Item, "id" | "summary"> & { handle: string; count: number; lastAt: string })[];
  maintainedAt: string | null;
}

export interface Inspection {
  root: string;
  branch: string | null;
  spaceId: string;
  readOnly: boolean;
  embedder: { identity: string; state: string };
  waiting: number;
  /** Providers that texts were sent to, and the one that the settings name. */
  remote: { llm: string | null; usage: RemoteUsage[] };
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

type InspectWorld = Stores & Pick<World, "place" | "embedder" | "llm" | "clock" | "settings">;

export async function inspect(world: InspectWorld): Promise<Inspection> {
  const now = world.clock.now();
  const [project, global] = [
    await inspectStore(world.project, now),
    await inspectStore(world.global, now, restrictingSpaceIn(world)),
  ];
  const { identity, dimensions } = world.embedder;
  const stores = dimensions > 0 ? [world.project, world.global] : [];
  const waiting = await Promise.all(stores.map((store) => store.waitingCount(identity)));
  return {
    root: world.place.root,
    branch: world.place.branch(),
    spaceId: world.place.spaceId,
    readOnly: world.project.readOnly,
    embedder: { identity, state: world.embedder.state() },
    waiting: waiting.reduce((sum, count) => sum + count, 0),
    remote: { llm: world.llm.identity, usage: await remoteUsage(world, now) },
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

async function inspectStore(store: Store, now: number, visibleIn?: string): Promise<InspectedStore> {
  const [report, { freeBytes }] = [await store.report(), await store.size()];
  const { ages, mostRecalled, maintainedAt, ...statistics } = await store.statistics(now, visibleIn);
  return {
    ...report,
    ...statistics,
    freeBytes,
    ages: ages.map((count, group) => ({ upToDays: AGE_GROUPS_DAYS[group] ?? null, count })),
    mostRecalled: mostRecalled.map(({ id, summary, accessCount, accessedAt }) => ({
      ...{ ...identityOf(id), summary, count: accessCount, lastAt: isoTime(accessedAt) },
    })),
    maintainedAt: isoTimeOrNull(maintainedAt),
  };
}
