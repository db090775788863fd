/**
 * Makes the card, the notes and the errors of a session from its evidence, and keeps them.
 *
 * They are an index, not data: whenever evidence was added or erased, they are made again. The store refuses what was
 * made of other evidence than it has, so two processes never keep an old card over a new one.
 */
import { cardOf } from "../../logic/sessions/card.ts";
import { errorsOf } from "../../logic/sessions/errors.ts";
import { useOf } from "../../logic/sessions/handover.ts";
import { labelled } from "../../logic/sessions/label-parts.ts";
import { notesOf } from "../../logic/sessions/notes.ts";
import { isQuotedFrom, runsOf } from "../../logic/sessions/quoted-runs.ts";
import { turnIn } from "../../logic/sessions/packed-turn.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import type { KeptSession, SessionCard } from "../../model/sessions/card.ts";
import type { Part, SessionTurn } from "../../model/sessions/turn.ts";
import type { World } from "../../ports/world.ts";
import { keepRecurringErrors } from "./recurring-errors.ts";

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
  for (const session of stale) {
    if (isStopped()) return true;
    try {
      await keepSession(session, world);
    } catch (thrown) {
      // One that cannot be read must not keep the others from their cards.
      world.log.warn(`session ${session} has no card: ${(thrown as Error).message}`);
    }
  }
  return stale.length === STALE_AT_ONCE;
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
  ...{
    branch: null,
    branches: [],
    from: 0,
    to: 0,
    title: { text: "", by: "branch" },
    asked: null,
    said: null,
    files: [],
  },
  ...{ commits: [], check: null, ended: null, unanswered: null },
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
