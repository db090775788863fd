/**
 * Adds to a hit its predecessors, with the windows in which they held, and rejected proposals about its subject.
 *
 * Neither is ever a hit itself; both keep people from repeating old discussions.
 */
import { subjectKey } from "../../logic/decisions/subject.ts";
import { reasonOf } from "../../model/decisions/decision.ts";
import { DAY_MS } from "../../model/duration.ts";
import { identityOf } from "../../model/memory/handles.ts";
import type { Hit, Past } from "../../model/recall/hit.ts";
import type { Item } from "../../model/memory/item.ts";
import type { World } from "../../ports/world.ts";
import { isoTimeOrNull } from "../memory/view.ts";
import { shownContent } from "./hit.ts";
import { type PlacedItem, byPlace } from "./places.ts";

/** How many of the latest rejections are considered. */
const REJECTED_LOOKED_AT = 200;

export type HistoryWorld = Pick<World, "project" | "clock" | "settings">;

const startOfHistory = ({ clock, settings }: HistoryWorld): number =>
  clock.now() - settings.recall.validityWindowDays * DAY_MS;

/** Adds the predecessors of each hit, as far back as the settings allow, except forgotten ones. */
export async function withHistory(
  hits: Hit[],
  entries: readonly PlacedItem[],
  { isRouted }: { isRouted: boolean },
  world: HistoryWorld,
): Promise<Hit[]> {
  if (world.settings.recall.history === "off") return hits;
  const now = world.clock.now();
  const since = startOfHistory(world);
  const shown = new Set(hits.map(({ id }) => id));
  const past = new Map<string, Past[]>();
  for (const [{ store, shelf }, here] of byPlace(entries.filter(({ id }) => shown.has(id)))) {
    const ids = here.map(({ id }) => id);
    const older = await store.replacedBy(shelf, ids);
    // A decision may have replaced a memory.
    if (shelf === "decision" && !isRouted)
      older.push(...(await store.replacedBy("memory", [...ids, ...older.map(({ id }) => id)])));
    const successors = new Map(older.map((item) => [item.id, item.supersededBy!]));
    const summaries = new Set([...hits, ...older].filter(({ type }) => type === "summary").map(({ id }) => id));
    for (const item of older) {
      let head = item.supersededBy!;
      const passed = new Set<string>();
      while (!shown.has(head) && successors.has(head) && !passed.has(head)) {
        passed.add(head);
        head = successors.get(head)!;
      }
      const isShown = isPast(item, now) && (item.validUntil ?? since) >= since;
      if (isShown) past.set(head, [...(past.get(head) ?? []), pastOf(item, summaries)]);
    }
  }
  return hits.map((hit) => ({ ...hit, history: past.get(hit.id) ?? [] }));
}

/** Adds rejected proposals about each hit's subject, newest first. */
export async function withRejected(hits: Hit[], world: HistoryWorld): Promise<Hit[]> {
  const isAbout = ({ shelf, title }: Hit) => (shelf === "decision" || shelf === "proposal") && title !== null;
  if (world.settings.recall.history === "off" || !hits.some(isAbout)) return hits;
  const filter = { statuses: ["rejected"] as const, now: world.clock.now(), createdAfter: startOfHistory(world) };
  const { items } = await world.project.list("proposal", filter, { limit: REJECTED_LOOKED_AT, offset: 0 });
  const rejected = Map.groupBy(items, ({ title }) => subjectKey(title ?? ""));
  return hits.map((hit) => {
    const turnedDown = isAbout(hit) ? (rejected.get(subjectKey(hit.title ?? "")) ?? []) : [];
    return turnedDown.length === 0
      ? hit
      : { ...hit, history: [...hit.history, ...turnedDown.map((item) => pastOf(item))] };
  });
}

/** An item closed in advance keeps the status active, even after its window has ended. */
function isPast({ status, validUntil }: Item, now: number): boolean {
  return status === "superseded" || (status === "active" && validUntil !== null && validUntil <= now);
}

/** A summary that was reworded is outdated; what was folded into one is not. */
function pastOf(item: Item, summaries: ReadonlySet<string> = new Set()): Past {
  const isFolded = item.type !== "summary" && summaries.has(item.supersededBy ?? "");
  return {
    ...identityOf(item.id),
    title: item.title,
    content: shownContent(item, item.summary),
    status: item.status,
    validFrom: isoTimeOrNull(item.validFrom),
    validUntil: isoTimeOrNull(item.validUntil),
    ...(isFolded && { folded: true as const }),
    ...(item.status === "rejected" && { reason: reasonOf(item) }),
  };
}
