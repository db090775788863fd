/** Chosen items become hits: relevance, explanation, history. */
import { type Fused, explain } from "../logic/fusion.ts";
import { type WordStatistics, coverage, coverageStems, relevance } from "../logic/relevance.ts";
import type { Hit, Past } from "../model/hit.ts";
import type { Item } from "../model/item.ts";
import type { StoredPassage } from "../model/shelf.ts";
import type { World } from "../ports.ts";
import type { Place } from "./gather.ts";
import { isoTime, isoTimeOrNull } from "./view.ts";

/** Longer contents are shown by their best passage; `get` has the whole. */
const SHOWN_CHARACTERS = 2_000;
const DAY_MS = 86_400_000;

export interface Chosen {
  id: string;
  item: Item;
  place: Place;
  score: number;
  why: Fused["why"];
  /** The passage that matched, of this item or of one that it replaced. */
  passage: number;
  cosine: number | null;
}

export interface HitRequest {
  query: string;
  /** Everywhere that was asked: how telling a word is must not depend on what was found. */
  places: readonly Place[];
  limit: number;
  threshold: number;
  eachPassage?: boolean | undefined;
  isQuoted?: boolean | undefined;
}

export async function toHits(chosen: readonly Chosen[], request: HitRequest, world: World): Promise<Hit[]> {
  const best = chosen[0]?.score ?? 0;
  // Without a threshold every candidate passes, so only the ones to be shown are looked at closely.
  const looked = request.threshold > 0 ? chosen : chosen.slice(0, request.limit);
  const texts = await passageTexts(looked);
  const stems = coverageStems(request.query);
  const statistics = await statisticsFor(request.places, stems);
  const isCut = request.eachPassage || request.isQuoted;
  const hits = looked.map((entry) => {
    const found = texts.get(entry);
    const text = found?.text ?? entry.item.content;
    const words = `${entry.item.title ?? ""}\n${text}\n${entry.item.tags.join(" ")}`;
    const excerpt = found?.itemId === entry.id ? text : entry.item.summary;
    const isShort = entry.item.content.length <= SHOWN_CHARACTERS;
    return hitOf(entry, {
      score: best > 0 ? entry.score / best : 0,
      relevance: relevance(entry.cosine, coverage(stems, words, statistics)),
      content: isShort && !isCut ? entry.item.content : excerpt,
      passage: entry.place.shelf === "evidence" ? found : undefined,
    });
  });
  const shown = hits.filter((hit) => hit.relevance >= request.threshold).slice(0, request.limit);
  return withHistory(shown, chosen, world);
}

/** Items that were asked for by name: each answers fully. */
export function namedHits(items: readonly Item[], place: Place, world: World, why: Fused["why"] = {}): Promise<Hit[]> {
  const chosen = items.map((item): Chosen => ({ id: item.id, item, place, score: 1, why, passage: -1, cosine: null }));
  const hits = chosen.map((entry) => {
    const { content, summary } = entry.item;
    const shown = content.length <= SHOWN_CHARACTERS ? content : summary;
    return hitOf(entry, { score: 1, relevance: 1, content: shown, passage: undefined });
  });
  return withHistory(hits, chosen, world);
}

const round = (value: number) => Math.round(value * 10_000) / 10_000;

function hitOf(
  { item, place: { shelf }, why }: Chosen,
  parts: { score: number; relevance: number; content: string; passage: StoredPassage | undefined },
): Hit {
  return {
    id: item.id,
    shelf,
    scope: item.scope,
    type: item.type,
    title: item.title,
    summary: item.summary,
    content: parts.content,
    tags: item.tags,
    status: item.status,
    score: round(Math.min(1, parts.score)),
    relevance: round(parts.relevance),
    why: explain(why),
    createdAt: isoTime(item.createdAt),
    validFrom: isoTimeOrNull(item.validFrom),
    validUntil: isoTimeOrNull(item.validUntil),
    history: [],
    related: [],
    stale: null,
    unratified: shelf === "proposal",
    ...(shelf === "evidence" && { session: item.session }),
    ...(parts.passage && { passage: passageOf(parts.passage) }),
  };
}

function passageOf({ ordinal, turn }: StoredPassage): NonNullable<Hit["passage"]> {
  return { ordinal, speaker: turn?.speaker ?? null, role: turn?.role ?? null, at: isoTimeOrNull(turn?.at ?? null) };
}

const byPlace = (chosen: readonly Chosen[]) => Map.groupBy(chosen, ({ place }) => place);

async function passageTexts(chosen: readonly Chosen[]): Promise<Map<Chosen, StoredPassage>> {
  const texts = new Map<Chosen, StoredPassage>();
  for (const [{ store, shelf }, entries] of byPlace(chosen)) {
    const found = await store.passages(
      shelf,
      entries.map(({ passage }) => passage),
    );
    const byNumber = new Map(found.map((passage) => [passage.passage, passage]));
    for (const entry of entries) if (byNumber.has(entry.passage)) texts.set(entry, byNumber.get(entry.passage)!);
  }
  return texts;
}

async function statisticsFor(places: readonly Place[], stems: readonly string[]): Promise<WordStatistics> {
  const frequency = new Map<string, number>();
  let total = 0;
  for (const { store, shelf } of places) {
    const part = await store.wordStatistics(shelf, stems);
    total += part.total;
    for (const [stem, count] of part.frequency) frequency.set(stem, (frequency.get(stem) ?? 0) + count);
  }
  return { total, frequency };
}

/** What each hit replaced, as far back as the settings reach; what was forgotten since stays forgotten. */
async function withHistory(hits: Hit[], chosen: readonly Chosen[], world: World): Promise<Hit[]> {
  const now = world.clock.now();
  const since = now - world.settings.recall.validityWindowDays * DAY_MS;
  const shown = new Set(hits.map(({ id }) => id));
  const past = new Map<string, Past[]>();
  for (const [{ store, shelf }, entries] of byPlace(chosen.filter(({ id }) => shown.has(id)))) {
    const older = await store.replacedBy(
      shelf,
      entries.map(({ id }) => id),
    );
    const successors = new Map(older.map((item) => [item.id, item.supersededBy!]));
    for (const item of older) {
      let head = item.supersededBy!;
      const passed = new Set<string>();
      while (!shown.has(head) && successors.has(head) && !passed.has(head)) {
        passed.add(head);
        head = successors.get(head)!;
      }
      const isTold = isPast(item, now) && (item.validUntil ?? since) >= since;
      if (isTold) past.set(head, [...(past.get(head) ?? []), pastOf(item)]);
    }
  }
  return hits.map((hit) => ({ ...hit, history: past.get(hit.id) ?? [] }));
}

/** One that was closed beforehand stays active until its window has ended, and after. */
function isPast({ status, validUntil }: Item, now: number): boolean {
  return status === "superseded" || (status === "active" && validUntil !== null && validUntil <= now);
}

function pastOf(item: Item): Past {
  return {
    id: item.id,
    title: item.title,
    content: item.content.length <= SHOWN_CHARACTERS ? item.content : item.summary,
    status: item.status,
    validFrom: isoTimeOrNull(item.validFrom),
    validUntil: isoTimeOrNull(item.validUntil),
  };
}
