/** Builds a hit: a stored item as shown in an answer. */
import { reasonOf } from "../decisions/decision.ts";
import { subjectKey } from "../decisions/subject.ts";
import { DOCUMENT_TYPES } from "../files/corpus.ts";
import { authorOf, isByAgent } from "../memory/authorship.ts";
import { identityOf } from "../memory/handles.ts";
import type { Item } from "../memory/item.ts";
import { conditionsIn } from "../memory/neighbours.ts";
import type { Passage, Shelf, StoredPassage } from "../memory/shelves.ts";
import { isoTime, isoTimeOrNull } from "../memory/shown-item.ts";
import { DAY_MS } from "../time/calendar.ts";
import type { World } from "../world.ts";
import type { Departures } from "./blend.ts";
import { sharesOf } from "./fuse.ts";
import type { Hit, Past } from "./hit.ts";
import { byPlace, type PlacedItem } from "./places.ts";
import type { Scores } from "./search.ts";

/** Of longer contents only the best passage is shown; `get` shows all. */
const SHOWN_CHARACTERS = 2_000;

/** The whole content, or `instead` if it is too long. */
export const shownContent = ({ content }: Pick<Item, "content">, instead: string): string =>
  content.length <= SHOWN_CHARACTERS ? content : instead;

interface HitParts {
  shelf: Shelf;
  score: number;
  relevance: number;
  why: Scores;
  departures?: Departures;
  content: string;
  excerpt?: string | undefined;
  /** The passage that was found. */
  found?: StoredPassage | undefined;
  /** Whether the hit names its passage. */
  showsPassage?: boolean;
  otherSession?: string;
}

export function hitOf(item: Item, parts: HitParts): Hit {
  const { shelf, score, relevance, why, departures = {}, content, excerpt, found, showsPassage, otherSession } = parts;
  const conditions = conditionsIn(item);
  return {
    ...identityOf(item.id),
    shelf,
    scope: item.scope,
    type: item.type,
    title: item.title,
    summary: item.summary,
    content,
    ...(excerpt !== undefined && { excerpt }),
    tags: item.tags,
    status: item.status,
    source: item.source,
    byAgent: isByAgent(authorOf(item)),
    score: rounded(Math.min(1, score)),
    relevance: rounded(relevance),
    why: { ...sharesOf(why), ...roundedEach(departures) },
    createdAt: isoTime(item.createdAt),
    validFrom: isoTimeOrNull(item.validFrom),
    validUntil: isoTimeOrNull(item.validUntil),
    history: [],
    related: [],
    contradicts: [],
    stale: null,
    unratified: shelf === "proposal",
    ...(conditions.length > 0 && { conditions }),
    ...(otherSession !== undefined && { otherSession }),
    ...(shelf === "evidence" && { session: item.session }),
    ...(showsPassage && found && { passage: passageOf(found) }),
    ...((shelf === "document" || shelf === "code") && fileOf(shelf, item, found)),
  };
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

const roundedEach = (values: Departures): Departures =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Math.round(value * 1_000) / 1_000]));

/** Archived evidence is not indexed, so its passages have no numbers. */
export function archivedHit(item: Item, passage: Passage, relevance: number): Hit {
  return hitOf(item, {
    shelf: "evidence",
    score: 0,
    relevance,
    why: { keyword: 1 },
    content: passage.text,
    found: { ...passage, passage: -1, itemId: item.id },
    showsPassage: true,
  });
}

/** The file and lines in which it was found, and the heading or definition around them. */
function fileOf(
  shelf: "document" | "code",
  { path, label, type }: Item,
  found: StoredPassage | undefined,
): Partial<Hit> {
  const { startLine, endLine, heading } = found ?? {};
  return {
    ...(path !== null && { path }),
    ...(shelf === "document" && label !== null && { label }),
    ...(shelf === "document" && { docType: DOCUMENT_TYPES.find((one) => one === type) }),
    ...(startLine && { startLine }),
    ...(endLine && { endLine }),
    ...(heading && (shelf === "code" ? { symbol: heading } : { heading })),
  };
}

function passageOf({ ordinal, turn }: StoredPassage): NonNullable<Hit["passage"]> {
  return { ordinal, speaker: turn?.speaker ?? null, role: turn?.role ?? null, at: isoTimeOrNull(turn?.at ?? null) };
}

// Adds to a hit its predecessors, with the windows in which they held, and rejected proposals about its subject.
//
// Neither is ever a hit itself; both keep people from repeating old discussions.

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
