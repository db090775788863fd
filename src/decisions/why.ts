/**
 * Finds what was said about a question, in the evidence alone.
 *
 * Where that has no good answer, what is remembered and decided is asked as a second question, whose hits are a list of
 * their own.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { toFailure } from "../errors.ts";
import { archivedHit } from "../recall/build-hit.ts";
import { coverageStems, type Match, presentStems, rankPassages, type Readings } from "../recall/coverage.ts";
import type { Hit } from "../recall/hit.ts";
import type { RecallAnswer, RecallRequest } from "../recall/places.ts";
import { kindOf } from "../recall/question.ts";
import { CLEAR } from "../recall/ranking.ts";
import { joinReasons, noteAccess, recall } from "../recall/recall.ts";
import { falling, mergeHits, relevance } from "../recall/relevance.ts";
import type { Filter } from "../recall/search.ts";
import { redactor } from "../redaction/redact.ts";
import { sessionBeside } from "../sessions/answering-session.ts";
import type { SessionBeside } from "../sessions/card.ts";
import type { DecisionReads, ItemReads, WholeItem } from "../store/store.ts";
import type { World } from "../world.ts";

/**
 * Searches the archive: it is not indexed, so it is read, newest first.
 *
 * A few items at a time are decompressed and matched with the question's words; other work gets
 * its turn in between. Once all are read, the best are shown. Time is limited; the answer says
 * how many items were not read or are damaged.
 */
const TIME_LIMIT_MS = 2_000;
const ITEMS_AT_ONCE = 8;
const COUNTED_IDS = 5_000;
/** Matched without a pause, in a few milliseconds. */
const STRETCH_CHARACTERS = 20_000;

interface Reading extends Readings {
  matches: Match[];
  /** Number of items, like the next two. */
  read: number;
  unread: number;
  damaged: number;
}

/** Hits of recall, merged with those in the archive. */
export async function recallWithArchive(
  asked: RecallRequest,
  world: World,
  timeLimitMs: number = TIME_LIMIT_MS,
): Promise<RecallAnswer> {
  const live = await recall({ ...asked, quiet: true }, world);
  const request = { ...asked, query: redactor().clean(asked.query) };
  const stems = coverageStems(request.query);
  const filter: Filter = { ...asked.filter, statuses: ["archived"], now: world.clock.now() };
  const reading = await readArchive(stems, filter, world.project, timeLimitMs);
  const hits = mergeHits(live.hits, await hitsIn(reading, stems, request, world), asked.limit);
  if (!asked.quiet) noteAccess(hits, request.query, world);
  const reasons = [live.degraded, ...reasonsOf(reading, asked)].filter((reason) => reason !== null);
  return { ...live, hits, degraded: reasons.length > 0 ? reasons.join("; ") : null };
}

function reasonsOf({ read, unread, damaged }: Reading, { mode }: RecallRequest): string[] {
  const isLess = mode !== "keyword" && read > 0;
  return [
    ...(isLess ? ["the archive is searched by words alone"] : []),
    ...(unread > 0 ? [`time ran out: ${unread} of ${read + unread} archived items were not searched`] : []),
    ...(damaged > 0 ? [damaged === 1 ? "1 archived item is damaged" : `${damaged} archived items are damaged`] : []),
  ];
}

async function readArchive(
  stems: readonly string[],
  filter: Filter,
  store: ItemReads & DecisionReads,
  timeLimitMs: number,
): Promise<Reading> {
  const until = performance.now() + timeLimitMs;
  const reading: Reading = { matches: [], passages: 0, characters: 0, read: 0, unread: 0, damaged: 0 };
  for (let after: string | null = null; ; ) {
    if (performance.now() >= until) return { ...reading, unread: await countBehind(store, filter, after) };
    const ids: string[] = await store.archivedEvidence(filter, { after, limit: ITEMS_AT_ONCE });
    for (const whole of await unpacked(store, ids, reading)) await note(whole, stems, reading);
    reading.read += ids.length;
    if (ids.length < ITEMS_AT_ONCE) return reading;
    after = ids.at(-1)!;
    await immediate();
  }
}

async function countBehind(store: DecisionReads, filter: Filter, id: string | null): Promise<number> {
  let count = 0;
  for (let after = id; ; ) {
    const ids = await store.archivedEvidence(filter, { after, limit: COUNTED_IDS });
    count += ids.length;
    if (ids.length < COUNTED_IDS) return count;
    after = ids.at(-1)!;
    await immediate();
  }
}

/** Skips damaged items: after a failure each is read by itself. */
async function unpacked(store: ItemReads, ids: readonly string[], reading: Reading): Promise<WholeItem[]> {
  try {
    return await store.whole("evidence", ids);
  } catch (thrown) {
    if (toFailure(thrown).code !== "unavailable") throw thrown;
    if (ids.length === 1) {
      reading.damaged += 1;
      return [];
    }
    const each: WholeItem[] = [];
    for (const id of ids) each.push(...(await unpacked(store, [id], reading)));
    return each;
  }
}

async function note(
  { item: { id, title, tags }, passages }: WholeItem,
  stems: readonly string[],
  reading: Reading,
): Promise<void> {
  let stretch = STRETCH_CHARACTERS;
  for (const { ordinal, text } of passages) {
    const has = presentStems(stems, `${title ?? ""}\n${text}\n${tags.join(" ")}`);
    if (has.length > 0) reading.matches.push({ id, ordinal, characters: text.length, has });
    reading.passages += 1;
    reading.characters += text.length;
    stretch -= text.length;
    if (stretch > 0) continue;
    stretch = STRETCH_CHARACTERS;
    await immediate();
  }
}

async function hitsIn(
  reading: Reading,
  stems: readonly string[],
  { query, limit, threshold, eachPassage = false }: RecallRequest,
  { project }: Pick<World, "project">,
): Promise<Hit[]> {
  const ranked = rankPassages(stems, reading, await project.wordStatistics("evidence", stems));
  const kind = kindOf("evidence", query, eachPassage);
  const relevances = falling(
    ranked.map(({ covered: words }) => relevance(kind, { cosine: null, words, exactWords: words, match: null })),
  );
  const rated = ranked.map((passage, index) => ({ ...passage, relevance: relevances[index]! }));
  const best = rated.filter((passage) => passage.relevance >= threshold).slice(0, limit);
  const found = await project.whole(
    "evidence",
    best.map(({ id }) => id),
  );
  const wholes = new Map(found.map((whole) => [whole.item.id, whole]));
  return best.flatMap(({ id, ordinal, relevance: own }) => {
    const whole = wholes.get(id);
    const passage = whole?.passages.find((one) => one.ordinal === ordinal);
    // Removed since it was read.
    return whole && passage ? [archivedHit(whole.item, passage, own)] : [];
  });
}

export interface WhyAnswer extends RecallAnswer {
  session: SessionBeside | null;
  /** Hits of the second question, if it was asked. */
  remembered?: Hit[];
}

type WhyRequest = Omit<RecallRequest, "shelves" | "isQuoted" | "isRouted"> & { isArchived: boolean };

/** Only the best: they are not what was asked for. */
const REMEMBERED_MOST = 3;

export async function why({ isArchived, filter, ...request }: WhyRequest, world: World): Promise<WhyAnswer> {
  const find = isArchived ? recallWithArchive : recall;
  const said = await find(
    { ...request, shelves: ["evidence"], isQuoted: true, isRouted: true, filter: { scopes: ["project"], ...filter } },
    world,
  );
  const { query, mode } = request;
  const session = await sessionBeside({ query, mode, evidence: said.hits, hits: said.hits }, world);
  if (said.hits.some(({ relevance }) => relevance >= CLEAR)) return { ...said, session };
  const [limit, threshold] = [Math.min(request.limit, REMEMBERED_MOST), Math.max(request.threshold, CLEAR)];
  const { hits, degraded } = await recall({ ...request, limit, threshold, filter }, world);
  return { ...said, session, degraded: joinReasons([said.degraded, degraded], world), remembered: hits };
}
