/**
 * Asking the archive: no index knows what it says, so it is read, the last first.
 *
 * One piece at a time is unpacked and each of its passages judged by the words it has of the
 * question, as relevance judges any hit. Others get a turn in between. Time is limited; what
 * was not read, or could not be, the answer says.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { toFailure } from "../errors.ts";
import { mergeHits } from "../logic/merge-hits.ts";
import { type WordStatistics, coverage, coverageStems } from "../logic/relevance.ts";
import type { Hit } from "../model/hit.ts";
import type { Passage } from "../model/shelf.ts";
import type { Filter, Store, WholeItem, World } from "../ports.ts";
import { archivedHit } from "./hits.ts";
import { type RecallAnswer, type RecallRequest, recall } from "./recall.ts";
import { redactor } from "./redact.ts";

const TIME_LIMIT_MS = 2_000;
const PAGE_IDS = 200;
const COUNTED_IDS = 5_000;
/** Read without a pause: a few milliseconds. */
const STRETCH_CHARACTERS = 20_000;

interface Judged {
  whole: WholeItem;
  passage: Passage;
  covered: number;
}

interface Reading {
  best: Judged[];
  read: number;
  unread: number;
  damaged: number;
}

/** Everything that recall finds, and what the archive says beside it. */
export async function recallWithArchive(
  asked: RecallRequest,
  world: World,
  timeLimitMs: number = TIME_LIMIT_MS,
): Promise<RecallAnswer> {
  const live = await recall(asked, world);
  const query = redactor().clean(asked.query);
  const { best, ...told } = await readArchive({ ...asked, query }, world, timeLimitMs);
  const archived = best.map(({ whole, passage, covered }) => archivedHit(whole.item, passage, covered));
  const hits = mergeHits(live.hits, archived, asked.limit);
  noteAccess(hits, query, world);
  const reasons = [live.degraded, ...reasonsOf(told, asked)].filter((reason) => reason !== null);
  return { ...live, hits, degraded: reasons.length > 0 ? reasons.join("; ") : null };
}

function reasonsOf({ read, unread, damaged }: Omit<Reading, "best">, { mode }: RecallRequest): string[] {
  const isLess = mode !== "keyword" && read > 0;
  return [
    ...(isLess ? ["the archive is searched by words alone"] : []),
    ...(unread > 0 ? [`time was up: ${unread} of ${read + unread} archived pieces were not read`] : []),
    ...(damaged > 0 ? [`${damaged} archived pieces are damaged`] : []),
  ];
}

async function readArchive(
  { query, limit, threshold, filter: asked }: RecallRequest,
  { project, clock }: World,
  timeLimitMs: number,
): Promise<Reading> {
  const until = performance.now() + timeLimitMs;
  const filter: Filter = { ...asked, statuses: ["archived"], now: clock.now() };
  const stems = coverageStems(query);
  const statistics = await project.wordStatistics("evidence", stems);
  const reading: Reading = { best: [], read: 0, unread: 0, damaged: 0 };
  for await (const id of idsIn(project, filter)) {
    if (performance.now() >= until) {
      reading.unread = 1 + (await countBehind(project, filter, id));
      break;
    }
    reading.read += 1;
    const whole = await unpacked(project, id, reading);
    const judged = whole && (await bestPassage(whole, stems, statistics));
    if (judged && judged.covered >= threshold) keep(judged, reading.best, limit);
  }
  return reading;
}

async function* idsIn(store: Store, filter: Filter): AsyncGenerator<string> {
  for (let after: string | null = null; ; ) {
    const ids: string[] = await store.archivedEvidence(filter, { after, limit: PAGE_IDS });
    yield* ids;
    if (ids.length < PAGE_IDS) return;
    after = ids.at(-1)!;
  }
}

async function countBehind(store: Store, filter: Filter, id: string): Promise<number> {
  let count = 0;
  for (let after = id; ; ) {
    const ids = await store.archivedEvidence(filter, { after, limit: COUNTED_IDS });
    count += ids.length;
    if (ids.length < COUNTED_IDS) return count;
    after = ids.at(-1)!;
    await immediate();
  }
}

/** One that is damaged, or has gone since, keeps nobody from the others. */
async function unpacked(store: Store, id: string, reading: Reading): Promise<WholeItem | null> {
  try {
    const [whole] = await store.whole("evidence", [id]);
    return whole ?? null;
  } catch (thrown) {
    if (toFailure(thrown).code !== "unavailable") throw thrown;
    reading.damaged += 1;
    return null;
  }
}

async function bestPassage(
  whole: WholeItem,
  stems: readonly string[],
  statistics: WordStatistics,
): Promise<Judged | null> {
  const { title, tags } = whole.item;
  let best: Judged | null = null;
  let stretch = STRETCH_CHARACTERS;
  for (const passage of whole.passages) {
    const covered = coverage(stems, `${title ?? ""}\n${passage.text}\n${tags.join(" ")}`, statistics);
    if (covered > (best?.covered ?? 0)) best = { whole, passage, covered };
    stretch -= passage.text.length;
    if (stretch > 0) continue;
    stretch = STRETCH_CHARACTERS;
    await immediate();
  }
  await immediate();
  return best;
}

/** Best first, no more than are shown: an archive does not fit into memory. */
function keep(judged: Judged, best: Judged[], limit: number): void {
  const place = best.findIndex(({ covered }) => covered < judged.covered);
  best.splice(place === -1 ? best.length : place, 0, judged);
  if (best.length > limit) best.pop();
}

/** The rest has been noted by recall. */
function noteAccess(hits: readonly Hit[], query: string, { project, clock, origin, afterwards }: World): void {
  const touches = hits
    .filter(({ status }) => status === "archived")
    .map(({ id, relevance }) => ({ id, how: "read" as const, relevance }));
  if (touches.length === 0 || project.readOnly) return;
  const at = clock.now();
  afterwards.add("note what was read", () =>
    project.apply([{ kind: "touch_items", shelf: "evidence", touches, query, at }], origin, { impatient: true }),
  );
}
