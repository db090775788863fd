/**
 * Orients a session: where and when it is, what changed since the last one, what holds, what waits, what is open.
 *
 * What hooks left behind is digested first, for a second at most, so that the last session is known. Decay and the index
 * are brought up to date after the answer. A store that cannot be written is only read.
 */
import { basename } from "node:path";
import { decisionsInForce, pendingProposals } from "../decisions/read-decisions.ts";
import type { FileChange, FileState } from "../files/corpus.ts";
import { handleOf, identityOf } from "../memory/handles.ts";
import type { Item } from "../memory/item.ts";
import { toldBeside } from "../memory/neighbours.ts";
import { isoTime } from "../memory/shown-item.ts";
import { restrictingSpaceIn } from "../recall/places.ts";
import { joinReasons } from "../recall/recall.ts";
import { branchOf } from "../redaction/branch.ts";
import { isPrinted } from "../sessions/errors.ts";
import { tellLastSessions } from "../sessions/handover.ts";
import type { SessionRecord } from "../sessions/session.ts";
import { DAY_MS } from "../time/calendar.ts";
import { timeAnchor } from "../time/time-anchor.ts";
import type { World } from "../world.ts";
import { lastSession, notedHead } from "./last-session.ts";
import { marked, plainLine, titledLine, windowLine } from "./lines.ts";
import { type OpenEnd, type Orientation, type Stated, trimOrientation } from "./orientation.ts";
import { digestFirst, startUpkeep } from "./session-upkeep.ts";

// What is open: progress and errors that somebody stated, and checks that failed last.

/** Exploring fails all the time; only commands that check or make something leave a problem behind. */
const CHECKS =
  /\b(?:test|tests|spec|build|compile|lint|check|typecheck|tsc|pytest|jest|vitest|make|cargo|gradle|mvn|verify|deploy|migrate|release|publish)\b/i;

/** Somebody stated it. */
const isOpenEnd = ({ type, source }: Pick<Item, "type" | "source">): boolean =>
  (type === "error" || type === "progress") && source !== "extraction";

export function openEnds(
  memories: readonly Pick<Item, "id" | "type" | "source" | "title" | "content" | "createdAt">[],
  events: readonly SessionRecord[],
  limit: number,
): OpenEnd[] {
  const fromMemories = memories.filter(isOpenEnd).map(({ id, type, source, title, content, createdAt }): OpenEnd => {
    const text = marked(titledLine({ title, content }, TEXT_CHARACTERS), source);
    const kind = type === "error" ? "error" : "progress";
    return { kind, id, handle: handleOf(id), text, at: new Date(createdAt).toISOString() };
  });
  return [...fromMemories, ...failuresIn(events)]
    .sort((one, two) => (one.at === two.at ? 0 : one.at < two.at ? 1 : -1))
    .slice(0, limit);
}

/** Commands whose last run failed. `events` in any order. */
function failuresIn(events: readonly SessionRecord[]): OpenEnd[] {
  const last = new Map<string, SessionRecord>();
  for (const event of events) {
    const command = commandIn(event);
    if (command === null) continue;
    const known = last.get(command);
    if (!known || event.at > known.at) last.set(command, event);
  }
  return [...last].flatMap(([command, { kind, at }]) => {
    if (kind !== "failure" || !CHECKS.test(command)) return [];
    const text = `${windowLine(command, TEXT_CHARACTERS)} failed`;
    return [{ kind: "failure", id: null, handle: null, text, at: new Date(at).toISOString() } satisfies OpenEnd];
  });
}

function commandIn({ payload }: SessionRecord): string | null {
  const command = payload["command"];
  return typeof command === "string" && command.trim() !== "" ? command.trim() : null;
}

const WITHOUT_SESSION_MS = 7 * DAY_MS;
/** Memories are sought among so many of the newest. */
const ROWS = 2_000;
const MOST = { commits: 5, files: 9, memories: 5, decisions: 5, proposals: 3, open: 4 };
/** In a moment; a longer way back is rare. */
const COMMITS_READ = 20_000;
const CUT = `only the last ${COMMITS_READ.toLocaleString("en")} commits were read, so there may be more`;
const NO_EARLIER_LOOK = "the files of this checkout were not looked at before, so what changed in them is not known";
const COUNTED_MEMORIES = 100;
const OPEN_ROWS = 20;
const EVENT_DAYS = 14;
const EVENTS_MOST = 500;
const TEXT_CHARACTERS = 120;
const NAME_CHARACTERS = 80;
const PATH_CHARACTERS = 200;

export async function orient(world: World): Promise<Orientation> {
  const { project, place, clock, origin, zone } = world;
  const { lookAtFiles } = await import("../files/freshen.ts");
  const [digested, onDisk] = await Promise.all([digestFirst(world), lookAtFiles(world)]);
  const now = clock.now();
  const past = lastSession(await project.sessionTraces(), origin.session, now);
  const since = past?.at ?? now - WITHOUT_SESSION_MS;
  const before = past && (await notedHead(past.session, world));
  const history = await place.commits({
    after: before?.commit ?? null,
    since,
    limit: MOST.commits,
    most: COMMITS_READ,
  });
  const files = await filesSince(since, onDisk.changes, world);
  // Outside git, only what somebody had indexed is looked at.
  const isFirstLook = files.total === null && past !== null && place.excludeFile !== null;
  const held = await decisionsInForce(MOST.decisions, world);
  const waiting = await pendingProposals(MOST.proposals, world);
  const open = await leftOpen(now, world);
  const isOpen = new Set(open.map(({ id }) => id));
  const { lines } = await tellLastSessions((await branchOf(world)) ?? "", world);
  const memories = (await memoriesSince(since, past?.session ?? null, world)).filter(({ id }) => !isOpen.has(id));
  const known: Told[] = [
    ...held.items.map((item) => ({ ...item, type: "decision" })),
    ...memories.slice(0, MOST.memories),
    ...waiting.items.map(({ subject, decision, createdAt, ...one }) => ({
      ...one,
      type: "proposal",
      title: subject,
      content: decision,
      createdAt: Date.parse(createdAt),
    })),
  ];
  const near = await toldBeside(
    known,
    ({ item, shelf }): Told => (shelf === "memory" ? item : { ...item, type: shelf }),
    world,
  );
  const told = near.list.map((one) => statedOf(one, near.wordsOf(one.id)));
  const background = await startUpkeep(world);
  return trimOrientation(
    {
      project: await placeOf(world),
      time: timeAnchor(now, zone),
      lastSession: past && {
        session: past.session,
        host: past.host,
        at: isoTime(past.at),
        agoMs: now - past.at,
        branch: before?.branch ? windowLine(before.branch, NAME_CHARACTERS) : null,
      },
      sessions: lines,
      since: isoTime(since),
      commits: history.commits.map(({ id, subject, at }) => ({
        id,
        subject: windowLine(subject, NAME_CHARACTERS),
        at: isoTime(at),
      })),
      files: files.files.map(({ path, change, at }) => ({
        path: windowLine(path, PATH_CHARACTERS),
        change,
        at: isoTime(at),
      })),
      memories: told.filter(({ type }) => type !== "decision" && type !== "proposal"),
      decisions: told.filter(({ type }) => type === "decision"),
      proposals: told.filter(({ type }) => type === "proposal"),
      open,
      totals: {
        commits: history.total,
        files: files.total,
        memories: memories.length,
        decisions: held.total,
        proposals: waiting.total,
      },
      digested,
      background,
      degraded: joinReasons(
        [onDisk.behind, isFirstLook ? NO_EARLIER_LOOK : null, history.degraded, history.isCut ? CUT : null],
        world,
      ),
    },
    zone,
  );
}

const placeOf = async ({ place }: Pick<World, "place">): Promise<Orientation["project"]> => {
  const branch = await branchOf({ place });
  return {
    name: windowLine(basename(place.root) || place.root, NAME_CHARACTERS),
    root: windowLine(place.root, PATH_CHARACTERS),
    checkout: windowLine(place.checkout, PATH_CHARACTERS),
    branch: branch === null ? null : windowLine(branch, NAME_CHARACTERS),
  };
};

type Told = Pick<Item, "id" | "type" | "title" | "content" | "createdAt" | "source">;

/** `beside`: what it is beside something that stands above it, or null. */
function statedOf({ id, type, title, content, createdAt, source }: Told, beside: string | null): Stated {
  const text = marked(titledLine({ title, content }, TEXT_CHARACTERS), source);
  return {
    ...identityOf(id),
    type,
    text: beside === null ? text : `(${plainLine(beside)}) ${text}`,
    createdAt: isoTime(createdAt),
  };
}

/** The index has the files of one checkout only. What it already took in, it tells itself; the rest is `onDisk`. */
async function filesSince(
  since: number,
  onDisk: readonly FileChange[],
  { project, place }: World,
): Promise<{ files: FileChange[]; total: number | null }> {
  const look = await project.lastLook();
  if (look === null || look.checkout !== place.checkout || look.at === 0) return { files: [], total: null };
  const written = await project.filesWrittenAfter(since, MOST.files);
  const changed = written.files.map(({ path, modifiedAt: at }) => ({ path, change: "changed" as const, at }));
  const differing = [...(look.changes ?? []), ...onDisk].filter(({ at }) => at > since);
  const files = new Map<string, FileChange>();
  for (const one of [...changed, ...differing]) {
    const was = files.get(one.path);
    const isStillNew = was?.change === "added" && one.change === "changed";
    files.set(one.path, { ...one, ...(isStillNew && { change: "added" }), at: Math.max(one.at, was?.at ?? 0) });
  }
  const states = await project.fileStates({ paths: [...new Set(differing.map(({ path }) => path))] });
  const isCounted = new Set(states.filter((state) => isWrittenAfter(since, state)).map(({ path }) => path));
  const others = new Set(differing.map(({ path }) => path).filter((path) => !isCounted.has(path)));
  return { files: someOfEach([...files.values()], MOST.files), total: written.total + others.size };
}

const isWrittenAfter = (since: number, { itemId, shelf, modifiedAt }: FileState): boolean =>
  itemId !== null && shelf !== "memory" && modifiedAt > since;

/** The latest first; when not all fit, none of added, changed and deleted pushes out another. */
function someOfEach(files: readonly FileChange[], most: number): FileChange[] {
  const latestFirst = (one: FileChange, two: FileChange) => two.at - one.at || (one.path < two.path ? -1 : 1);
  const turns = { added: 0, changed: 0, deleted: 0 };
  const inTurn = files.toSorted(latestFirst).map((file) => ({ file, turn: (turns[file.change] += 1) }));
  const chosen = inTurn.sort((one, two) => one.turn - two.turn).slice(0, most);
  return chosen.map(({ file }) => file).sort(latestFirst);
}

/** What was captured of a session is as old as the session, so it is sought by its name. */
async function memoriesSince(since: number, session: string | null, world: World): Promise<Item[]> {
  const { project, global, clock } = world;
  const now = clock.now();
  const visibleIn = restrictingSpaceIn(world);
  const all = { statuses: ["active"] as const, scopes: ["project", "global"] as const, validAt: now, now };
  const page = { limit: COUNTED_MEMORIES, rows: ROWS };
  const parts = [
    await project.newest("memory", { ...all, createdAfter: since }, page),
    await global.newest("memory", { ...all, createdAfter: since, ...(visibleIn !== undefined && { visibleIn }) }, page),
    session === null ? [] : await project.newest("memory", { ...all, session }, page),
  ];
  const found = new Map(parts.flat().map((item) => [item.id, item]));
  return [...found.values()]
    .filter((item) => item.source !== "file-index" && !isPrinted(item))
    .sort((one, two) => two.createdAt - one.createdAt || (one.id < two.id ? 1 : -1))
    .slice(0, COUNTED_MEMORIES);
}

async function leftOpen(now: number, { project }: World): Promise<Orientation["open"]> {
  const filter = { statuses: ["active"] as const, scopes: ["project"] as const, types: ["progress", "error"], now };
  const memories = await project.newest("memory", { ...filter, validAt: now }, { limit: OPEN_ROWS, rows: ROWS });
  const events = await project.events({
    kinds: ["tool", "failure"],
    since: now - EVENT_DAYS * DAY_MS,
    limit: EVENTS_MOST,
  });
  return openEnds(memories, events, MOST.open);
}
