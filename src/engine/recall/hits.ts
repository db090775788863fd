/** Chosen items become hits: relevance, explanation, history, neighbours. */
import { type Fused, explain } from "../../logic/recall/fusion.ts";
import { type WordStatistics, coverage, coverageStems, relevance } from "../../logic/recall/relevance.ts";
import { identityOf } from "../../model/memory/handle.ts";
import type { Hit } from "../../model/recall/hit.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Passage, StoredPassage } from "../../model/memory/shelf.ts";
import type { World } from "../../ports/world.ts";
import type { Place } from "./gather.ts";
import { type Chosen, SHOWN_CHARACTERS, byPlace } from "./chosen.ts";
import { withHistory, withRejected } from "./history.ts";
import { withRelated } from "../memory/related.ts";
import { withStaleness } from "../memory/stale.ts";
import { isoTime, isoTimeOrNull } from "../memory/view.ts";

export interface HitRequest {
  query: string;
  /** Everywhere that was asked: how telling a word is must not depend on what was found. */
  places: readonly Place[];
  limit: number;
  threshold: number;
  eachPassage?: boolean | undefined;
  isQuoted?: boolean | undefined;
  isRouted?: boolean | undefined;
}

export async function toHits(chosen: readonly Chosen[], request: HitRequest, world: World): Promise<Hit[]> {
  const best = chosen[0]?.score ?? 0;
  // Without a threshold every candidate passes, so only the ones to be shown are looked at closely.
  const looked = request.threshold > 0 ? chosen : chosen.slice(0, request.limit);
  const [items, texts] = [await itemsOf(looked), await passageTexts(looked)];
  const stems = coverageStems(request.query);
  const statistics = await statisticsFor(request.places, stems);
  const isCut = request.eachPassage || request.isQuoted;
  const isRouted = request.isRouted ?? false;
  const hits = looked.flatMap((entry) => {
    const [item, found] = [items.get(entry), texts.get(entry)];
    // Removed by somebody while it was being judged.
    if (!item) return [];
    const text = found?.text ?? item.content;
    const words = `${item.title ?? ""}\n${text}\n${item.tags.join(" ")}`;
    const excerpt = found?.itemId === entry.id ? text : item.summary;
    return hitOf(item, entry, {
      score: best > 0 ? entry.score / best : 0,
      relevance: relevance(entry.cosine, coverage(stems, words, statistics)),
      content: item.content.length <= SHOWN_CHARACTERS && !isCut ? item.content : excerpt,
      passage: request.eachPassage || entry.place.shelf === "evidence" ? found : undefined,
      found,
    });
  });
  const shown = hits.filter((hit) => hit.relevance >= request.threshold).slice(0, request.limit);
  const explained = await withRelated(await withHistory(shown, chosen, { isRouted }, world), chosen);
  if (isRouted) return explained;
  const byId = new Map([...items.values()].map((item) => [item.id, item]));
  return withStaleness(await withRejected(explained, world), byId, world);
}

/** Items that were asked for by name: each answers fully. */
export async function namedHits(
  items: readonly Item[],
  place: Place,
  world: World,
  why: Fused["why"] = {},
): Promise<Hit[]> {
  const entryOf = ({ id, scope }: Item): Chosen => ({ id, scope, place, score: 1, why, passage: -1, cosine: null });
  const hits = items.map((item) => {
    const content = item.content.length <= SHOWN_CHARACTERS ? item.content : item.summary;
    return hitOf(item, entryOf(item), { score: 1, relevance: 1, content, passage: undefined });
  });
  const chosen = items.map(entryOf);
  return withRelated(await withHistory(hits, chosen, { isRouted: true }, world), chosen);
}

const round = (value: number) => Math.round(value * 10_000) / 10_000;

/** What is in no index has no passage number; the passage itself was read. */
export function archivedHit(item: Item, passage: Passage, covered: number): Hit {
  const found = { ...passage, passage: -1, itemId: item.id };
  return hitOf(
    item,
    { place: { shelf: "evidence" }, why: { keyword: 1 } },
    { score: 0, relevance: covered, content: passage.text, passage: found },
  );
}

function hitOf(
  item: Item,
  { place: { shelf }, why }: Pick<Chosen, "why"> & { place: Pick<Place, "shelf"> },
  parts: {
    score: number;
    relevance: number;
    content: string;
    passage: StoredPassage | undefined;
    found?: StoredPassage | undefined;
  },
): Hit {
  return {
    ...identityOf(item.id),
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
    ...((shelf === "document" || shelf === "code") && fileOf(shelf, item, parts.found)),
  };
}

/** Where in which file it was found, and under which heading or in which definition. */
function fileOf(shelf: "document" | "code", { path }: Item, found: StoredPassage | undefined): Partial<Hit> {
  const { startLine, endLine, heading } = found ?? {};
  return {
    ...(path !== null && { path }),
    ...(startLine && { startLine }),
    ...(endLine && { endLine }),
    ...(heading && (shelf === "code" ? { symbol: heading } : { heading })),
  };
}

function passageOf({ ordinal, turn }: StoredPassage): NonNullable<Hit["passage"]> {
  return { ordinal, speaker: turn?.speaker ?? null, role: turn?.role ?? null, at: isoTimeOrNull(turn?.at ?? null) };
}

/** What stores answer to each, asked place by place. */
async function lookUp<Key, Found>(
  chosen: readonly Chosen[],
  keyOf: (entry: Chosen) => Key,
  read: (place: Place, keys: Key[]) => Promise<Map<Key, Found>>,
): Promise<Map<Chosen, Found>> {
  const answers = new Map<Chosen, Found>();
  for (const [place, entries] of byPlace(chosen)) {
    const found = await read(place, entries.map(keyOf));
    for (const entry of entries) {
      const answer = found.get(keyOf(entry));
      if (answer !== undefined) answers.set(entry, answer);
    }
  }
  return answers;
}

const itemsOf = (chosen: readonly Chosen[]): Promise<Map<Chosen, Item>> =>
  lookUp(
    chosen,
    ({ id }) => id,
    async ({ store, shelf }, ids) => new Map((await store.items(shelf, ids)).map((item) => [item.id, item])),
  );

const passageTexts = (chosen: readonly Chosen[]): Promise<Map<Chosen, StoredPassage>> =>
  lookUp(
    chosen,
    ({ passage }) => passage,
    async ({ store, shelf }, numbers) =>
      new Map((await store.passages(shelf, numbers)).map((passage) => [passage.passage, passage])),
  );

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
