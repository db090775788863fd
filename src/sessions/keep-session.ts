/**
 * Makes the card, the notes and the errors of a session from its evidence, and keeps them.
 *
 * They are an index, not data: whenever evidence was added or erased, they are made again. The store refuses what was
 * made of other evidence than it has, so two processes never keep an old card over a new one.
 */
import { quoted } from "../briefing/lines.ts";
import type { Change } from "../journal/change.ts";
import { revising } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import { passagesOf } from "../memory/passages.ts";
import { planRemember } from "../memory/remember-rules.ts";
import type { Passage } from "../memory/shelves.ts";
import { contentHash, derivedId } from "../text/content-hash.ts";
import { summaryOf } from "../text/short-text.ts";
import type { Zone } from "../time/calendar.ts";
import { dayIn } from "../time/shown.ts";
import type { World } from "../world.ts";
import type { KeptSession, RecurringError, SessionCard } from "./card.ts";
import { errorsOf, isPrinted } from "./errors.ts";
import { useOf } from "./handover.ts";
import { cardOf } from "./make-card.ts";
import { isQuotedFrom, notesOf, runsOf } from "./notes.ts";
import { labelled } from "./origins.ts";
import { type Part, type SessionTurn, turnIn } from "./turns.ts";

/**
 * An error that comes back in three sessions on three days becomes a gotcha by itself: the line alone, quoted as what a
 * tool printed, with counts, and how it was last got over.
 *
 * A repository can print anything, so it is found by who asks and never handed to a session unasked. Whatever somebody did
 * to the memory since stands: changed, archived or erased, it is not made again.
 */
const LEAST = { sessions: 3, days: 3 };
const ERRORS_MOST = 50;
const ROUTE = { scope: "project", reason: "seen in several sessions", confidence: 1, by: "caller" } as const;

/** Returns the ids of new memories. */
export async function keepRecurringErrors(world: World): Promise<string[]> {
  const { project } = world;
  if (project.readOnly) return [];
  const made: string[] = [];
  for (const error of await project.recurringErrors(LEAST, ERRORS_MOST)) {
    const id = await keepError(error, world);
    if (id !== null) made.push(id);
  }
  return made;
}

async function keepError(error: RecurringError, world: World): Promise<string | null> {
  const { project, clock, origin, place } = world;
  const id = derivedId([place.spaceId, "error", error.key], 0);
  const content = contentOf(error, world.zone);
  const now = clock.now();
  const [known] = await project.items("memory", [id]);
  if (known) {
    // An edited one no longer says what was made here.
    if (known.status !== "active" || !isPrinted(known) || known.content === content) return null;
    const hash = contentHash(content);
    const set = {
      content,
      summary: summaryOf(content),
      hash,
      details: { ...known.details, made: hash },
      updatedAt: now,
    };
    const passages = await passagesOf({ content }, world);
    await project.apply([{ ...revising("memory", known, set), passages, embed: true }], origin);
    return null;
  }
  // It was erased.
  if ((await project.journaledIds(id, 1)).length > 0) return null;
  const draft = {
    ...({ type: "gotcha", content, hash: contentHash(content), source: "extraction", confidence: 0.6 } as const),
    context: { branch: null, commits: [], files: [], symbols: [], language: null },
  };
  const { changes } = planRemember(draft, {
    id,
    now,
    origin: { ...origin, session: error.session },
    spaceId: place.spaceId,
    route: ROUTE,
    workingTtlSeconds: 0,
    duplicate: null,
    predecessor: null,
    leaving: [],
    passages: await passagesOf(draft, world),
  });
  const marked = changes.map((change) =>
    change.kind === "insert_item"
      ? {
          ...change,
          item: { ...change.item, createdAt: error.at, details: { ...change.item.details, made: draft.hash } },
        }
      : change,
  );
  const { status } = await project.apply(marked, origin);
  return status === "applied" ? id : null;
}

function contentOf({ line, sessions, days, at, changed }: RecurringError, zone: Zone): string {
  const seen = `A tool printed in ${sessions} sessions on ${days} days, last on ${dayIn(at, zone)}: ${quoted(line)}`;
  return changed === null ? `${seen}. It was not got over in any of them.` : `${seen}. Last got over by: ${changed}.`;
}

/** A new number has all cards made again. */
export const RULES = 1;
const ATTEMPTS = 3;
const READ_AT_ONCE = 50;
const STALE_AT_ONCE = 20;
const HANDOVERS_SETTLED = 50;

/** Also says what came of what the session was handed, and keeps an error that came back. */
export async function keepSession(session: string, world: World): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { kept, turns, evidence } = await madeOf(session, world);
    const handed = await world.project.handovers({ session, limit: HANDOVERS_SETTLED });
    const settled = handed.flatMap((handover): Change[] => {
      const use = useOf(handover, turns);
      return use === handover.use ? [] : [{ kind: "settle_handover", id: handover.id, use }];
    });
    const { status } = await world.project.apply([{ kind: "keep_session", kept, evidence }, ...settled], world.origin);
    if (status !== "applied") continue;
    if (kept.errors.length > 0) await keepRecurringErrors(world);
    return;
  }
}

/** Brings up to date what an interrupted run, an erasure or another version left. Returns whether some are left. */
export async function keepStaleSessions(
  world: World,
  { isStopped = () => false }: { isStopped?: () => boolean } = {},
): Promise<boolean> {
  if (world.project.readOnly || (await world.project.refusal?.())) return false;
  const stale = await world.project.staleSessions(RULES, STALE_AT_ONCE);
  return !(await keepEach(stale, isStopped, world)) || stale.length === STALE_AT_ONCE;
}

const ASKED_MS = 1_000;

/** Of sessions that somebody asks for, as many as a second allows; a store that cannot be written is only read. */
export async function keepAsked(sessions: readonly string[], world: World): Promise<void> {
  if (sessions.length === 0 || world.project.readOnly || (await world.project.refusal?.())) return;
  const endsAt = performance.now() + ASKED_MS;
  // A call of its own, so that it can be distinguished and undone separately.
  const origin = { ...world.origin, verb: "extract", call: world.ids.next() };
  await keepEach(sessions, () => performance.now() >= endsAt, { ...world, origin });
}

/** Returns whether it came to the end. */
async function keepEach(sessions: readonly string[], isStopped: () => boolean, world: World): Promise<boolean> {
  for (const session of sessions) {
    if (isStopped()) return false;
    try {
      await keepSession(session, world);
    } catch (thrown) {
      // One that cannot be read must not keep the others from their cards.
      world.log.warn(`session ${session} has no card: ${(thrown as Error).message}`);
    }
  }
  return true;
}

interface Made {
  kept: KeptSession;
  turns: SessionTurn[];
  /** What it was made of, by id and version. */
  evidence: string[];
}

async function madeOf(session: string, { project }: World): Promise<Made> {
  const ids = await project.evidenceOf(session);
  const turns: SessionTurn[] = [];
  const evidence: string[] = [];
  let host = "";
  for (let from = 0; from < ids.length; from += READ_AT_ONCE)
    for (const { item, passages } of await inOrder(ids.slice(from, from + READ_AT_ONCE), project)) {
      const turn = turnIn(item) ?? turnOfPassages(item, passages);
      turns.push({ ...turn, at: turn.at ?? item.createdAt });
      evidence.push(`${item.id} ${item.version}`);
      host ||= item.host;
    }
  const card = cardOf({ session, host, turns }) ?? { ...EMPTY_CARD, session, host };
  const elsewhere = turns.flatMap(({ parts }) => parts.filter(({ label }) => label === "tool" || label === "pasted"));
  const runs = runsOf(elsewhere.map(({ text }) => text));
  const notes = notesOf(session, turns, { isQuoted: (sentence) => isQuotedFrom(runs, sentence) });
  return { kept: { card, notes, turns: ids.length, rules: RULES, errors: errorsOf(turns) }, turns, evidence };
}

/** Of a session in which nothing was said or done. */
const EMPTY_CARD: Omit<SessionCard, "session" | "host"> = {
  branch: null,
  branches: [],
  from: 0,
  to: 0,
  title: { text: "", by: "branch" },
  asked: null,
  said: null,
  files: [],
  commits: [],
  check: null,
  ended: null,
  unanswered: null,
};

async function inOrder(ids: readonly string[], project: World["project"]) {
  const found = new Map((await project.whole("evidence", ids)).map((whole) => [whole.item.id, whole]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Evidence of an earlier version has no parts, but its passages say who spoke. */
function turnOfPassages({ createdAt }: Item, passages: readonly Passage[]): SessionTurn {
  const parts = passages.flatMap(({ text, turn }): Part[] => {
    const at = turn?.at ?? createdAt;
    if (turn?.role === "assistant") return [{ label: "agent", text, at }];
    if (turn?.role !== "tool") return labelled(text).map((part) => ({ ...part, at }));
    const [first = "", ...rest] = text.split("\n");
    const command = first.startsWith("$ ") ? first.slice(2) : null;
    const call = {
      name: command === null ? (first.split(" ")[0] ?? "") : "shell",
      command,
      path: null,
      edits: false,
      failed: true,
    };
    return [{ label: "tool", text: rest.join("\n"), at, call }];
  });
  // Its branch is the one on which it was taken in.
  return { at: createdAt, branch: null, parts };
}
