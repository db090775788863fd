/** Lists sessions with what each left and was handed. Reading them is no access. */
import { isMadeHere } from "../briefing/last-session.ts";
import type { Item, Status } from "../memory/item.ts";
import type { Shelf } from "../memory/shelves.ts";
import type { Store } from "../store/store.ts";
import { shownLine } from "../text/short-text.ts";
import type { Zone } from "../time/calendar.ts";
import { isoTimeIn } from "../time/time-anchor.ts";
import type { Stores, World } from "../world.ts";
import type { Handover, Note, NoteVerdict, ReadSession, SessionCard } from "./card.ts";
import type { SessionOutline } from "./session.ts";

// A card as lines: each says who said it, and no text of a session can begin a line of its own.

/** Of all lines together; the longest give way. */
const CARD_CHARACTERS = 1_000;
const FILES_SHOWN = 6;
const COMMITS_SHOWN = 5;
const LEAST_LINE = 60;

/** Agents read it too, and "you" would be themselves. */
export function cardLines(card: SessionCard, zone: Zone): string[] {
  const lines = [
    [spanOf(card, zone), card.branch === null ? "" : `branch ${card.branch}`, card.host].filter(Boolean).join(", "),
    ...titleLines(card),
    card.said && `Agent asked: ${card.said.question} User answered: ${card.said.answer}`,
    card.files.length > 0 && `Edited: ${some(card.files.map(fileShown), FILES_SHOWN, ", ")}`,
    card.commits.length > 0 && `Committed: ${some(card.commits.toReversed(), COMMITS_SHOWN, "; ")}`,
    card.check && checkLine(card.check),
    card.ended &&
      `${card.ended.by === "agent" ? "Agent's last words" : `Left over (summed up by ${card.host})`}: ${card.ended.text}`,
    card.unanswered !== null && `Agent asked, unanswered: ${card.unanswered}`,
  ];
  return fitting(lines.filter((line) => typeof line === "string").map((line) => shownLine(line, CARD_CHARACTERS)));
}

function titleLines({ title, asked, host }: SessionCard): string[] {
  const own = asked === null ? [] : [`User asked: ${asked}`];
  if (title.by === "program") return [`Title by ${host}: ${title.text}`, ...own];
  if (own.length > 0) return own;
  return title.text === "" || title.by === "branch" ? [] : [`User asked: ${title.text}`];
}

const checkLine = ({ command, passed, outcome }: NonNullable<SessionCard["check"]>): string =>
  `Last check: ${command} ${passed ? "passed" : "failed"}${outcome === "" ? "" : `: ${outcome}`}`;

const fileShown = ({ path, edits }: SessionCard["files"][number]): string => (edits > 1 ? `${path} (${edits})` : path);

const some = (all: readonly string[], most: number, joint: string): string =>
  all.slice(0, most).join(joint) + (all.length > most ? `${joint}${all.length - most} more` : "");

/** "2026-03-02 09:15–10:40", with the second day only where it is another. */
function spanOf({ from, to }: SessionCard, zone: Zone): string {
  const [start, end] = [from, to].map((at) => isoTimeIn(at, zone).slice(0, 16).replace("T", " ")) as [string, string];
  if (start === end) return start;
  return start.slice(0, 10) === end.slice(0, 10) ? `${start}–${end.slice(11)}` : `${start} – ${end}`;
}

function fitting(lines: readonly string[]): string[] {
  const left = [...lines];
  for (;;) {
    const excess = left.reduce((sum, line) => sum + line.length + 1, -1) - CARD_CHARACTERS;
    const length = left.slice(1).reduce((most, line) => Math.max(most, line.length), 0);
    if (excess <= 0 || length <= LEAST_LINE) return left;
    const longest = left.findLastIndex((line, index) => index > 0 && line.length === length);
    left[longest] = shownLine(
      left[longest]!,
      Math.max(LEAST_LINE, Math.min(length - 1, length - Math.ceil(excess / 4))),
    );
  }
}

interface SessionsRequest {
  /** Only this one, with its items. */
  session?: string | undefined;
  before: number;
  limit: number;
}

interface ListedSession extends SessionOutline {
  /** Null where nothing was said that is kept. */
  card: SessionCard | null;
}

interface ListedSessions {
  sessions: ListedSession[];
  /** Only of one session, as whoever asks sees it. */
  card: string[];
  /** Only of one session. */
  notes: (Note & { verdict: NoteVerdict["verdict"] | null })[];
  handovers: Handover[];
  /** Only of one session. */
  captured: { item: Item; shelf: Shelf }[];
  injected: { item: Item; shelf: Shelf; at: number }[];
}

const CAPTURED: readonly Shelf[] = ["memory", "proposal", "evidence"];
const INJECTED: readonly Shelf[] = ["memory", "decision"];
const ANY_STATUS: readonly Status[] = ["active", "archived", "superseded", "pending", "ratified", "rejected"];
const ITEMS_MOST = 200;
const FOUND_AMONG = 10_000;

type SessionsWorld = Stores & Pick<World, "clock">;

export async function listSessions(request: SessionsRequest, world: World): Promise<ListedSessions> {
  const { session, before, limit } = request;
  const outlines = (
    await Promise.all(
      [world.project, world.global].map((store) => store.sessionOutlines({ before, limit: FOUND_AMONG })),
    )
  ).flat();
  const joined = [...Map.groupBy(outlines, (outline) => outline.session).values()].map((own) => own.reduce(together));
  const sessions = joined.sort((one, two) => two.lastAt - one.lastAt || (one.session < two.session ? -1 : 1));
  const own = sessions.filter((one) => !isCommand(one));
  if (session === undefined) {
    const shown = own.slice(0, limit);
    const cards = await cardsOf(shown, world);
    const listed = shown.map((one) => ({ ...one, card: cards.get(one.session)?.card ?? null }));
    return { sessions: listed, card: [], notes: [], handovers: [], captured: [], injected: [] };
  }
  const [named] = sessions
    .filter((one) => one.session === session)
    .concat(own.filter((one) => one.session.startsWith(session)));
  if (!named) return { sessions: [], card: [], notes: [], handovers: [], captured: [], injected: [] };
  const read = (await cardsOf([named], world)).get(named.session);
  const verdicts = new Map(
    (await world.project.noteVerdicts((read?.notes ?? []).map(({ id }) => id))).map((one) => [one.note, one.verdict]),
  );
  return {
    sessions: [{ ...named, card: read?.card ?? null }],
    card: read ? cardLines(read.card, world.zone) : [],
    notes: (read?.notes ?? []).map((note) => ({ ...note, verdict: verdicts.get(note.id) ?? null })),
    handovers: await world.project.handovers({ session: named.session, limit: ITEMS_MOST }),
    captured: await capturedIn(named.session, world),
    injected: await injectedIn(named.session, world),
  };
}

/** A command typed in a terminal is no session, nor is a single call of a server that was told of none. */
const isCommand = ({ session, host, evidence, reported, firstAt, lastAt }: SessionOutline): boolean =>
  evidence + reported === 0 && isMadeHere(session) && (host === "cli" || firstAt === lastAt);

/** Cards that an upgrade, an import or an interrupted run left to be made are made first. */
async function cardsOf(sessions: readonly SessionOutline[], world: World): Promise<Map<string, ReadSession>> {
  const read = async (): Promise<Map<string, ReadSession>> => {
    const asked = { sessions: sessions.map(({ session }) => session), limit: Math.max(1, sessions.length) };
    return new Map((await world.project.sessionCards(asked)).map((one) => [one.card.session, one]));
  };
  const found = await read();
  const missing = sessions.filter(({ session, evidence }) => evidence > 0 && !found.has(session));
  if (missing.length === 0) return found;
  const { keepAsked } = await import("./keep-session.ts");
  await keepAsked(
    missing.map(({ session }) => session),
    world,
  );
  return read();
}

/** What two stores know of the same session. */
function together(one: SessionOutline, two: SessionOutline): SessionOutline {
  const ends = [one.endedAt, two.endedAt].filter((at) => at !== null);
  return {
    session: one.session,
    host: one.host || two.host,
    firstAt: Math.min(one.firstAt, two.firstAt),
    lastAt: Math.max(one.lastAt, two.lastAt),
    endedAt: ends.length > 0 ? Math.max(...ends) : null,
    memories: one.memories + two.memories,
    proposals: one.proposals + two.proposals,
    evidence: one.evidence + two.evidence,
    injected: one.injected + two.injected,
    reported: one.reported + two.reported,
  };
}

async function capturedIn(
  session: string,
  { project, global, clock }: SessionsWorld,
): Promise<ListedSessions["captured"]> {
  const filter = { session, statuses: ANY_STATUS, now: clock.now() };
  const parts = [project, global].flatMap((store) =>
    CAPTURED.map(async (shelf) => {
      const { items } = await store.list(shelf, filter, { limit: ITEMS_MOST, offset: 0, countMost: 0 });
      return items.map((item) => ({ item, shelf }));
    }),
  );
  const found = (await Promise.all(parts)).flat();
  return found.sort((one, two) => one.item.createdAt - two.item.createdAt || (one.item.id < two.item.id ? -1 : 1));
}

/** Keys that are no items stand for reports and texts. */
async function injectedIn(session: string, { project, global }: SessionsWorld): Promise<ListedSessions["injected"]> {
  const times = new Map((await project.injections(session)).map(({ key, at }) => [key, at]));
  const ids = [...times.keys()];
  const read = (store: Store) =>
    INJECTED.map(async (shelf) =>
      (await store.items(shelf, ids)).map((item) => ({ item, shelf, at: times.get(item.id)! })),
    );
  const found = (await Promise.all([project, global].flatMap(read))).flat();
  return found.sort((one, two) => one.at - two.at || (one.item.id < two.item.id ? -1 : 1)).slice(0, ITEMS_MOST);
}
