/**
 * What a session is told of earlier ones: their files and notes at its start, and with a prompt what one of them noted
 * about it. Each line says who said it and when; nothing is told twice, and nothing that a person called wrong. And what came
 * of it.
 */
import { plainLine, quoted, shortened } from "../briefing/lines.ts";
import { differInValue } from "../memory/meaning.ts";
import { tokensOfLines } from "../text/tokens.ts";
import { tellingStems } from "../text/words.ts";
import type { Zone } from "../time/calendar.ts";
import { shortDay } from "../time/shown.ts";
import type { World } from "../world.ts";
import type { Handover, Note, NoteVerdict, ReadSession, SessionCard } from "./card.ts";
import { runsOf } from "./notes.ts";
import type { SessionTurn } from "./turns.ts";

export interface Told {
  lines: string[];
  tokens: number;
  /** Sessions that it comes from. */
  sources: string[];
  /** Files that it names. */
  files: string[];
  /** Ids of the notes that it has, and of those that only say the same: neither is told later. */
  notes: string[];
}

interface TellingTerms {
  now: number;
  zone: Zone;
  /** Ids of notes that are not to be told: wrong ones, and those that the session has been told. */
  left: ReadonlySet<string>;
}

const FILES_MOST = 12;
const TITLE_CHARACTERS = 55;
const NOTE_CHARACTERS = [400, 300, 200, 100];
const PATH_CHARACTERS = 120;

const NOTHING_TOLD: Told = { lines: [], tokens: 0, sources: [], files: [], notes: [] };

/** Notes that a person called wrong, or put into a memory of their own. */
const judged = (verdicts: readonly NoteVerdict[]): Set<string> => new Set(verdicts.map(({ note }) => note));

/**
 * The sessions in the order given: first the files that they edited, each session in half of the room that is left, no file
 * twice; then their notes.
 */
function toldAtStart(
  sessions: readonly ReadSession[],
  { roomTokens, branch, ...terms }: TellingTerms & { roomTokens: number; branch: string | null },
): Told {
  let room = roomTokens;
  const named: string[] = [];
  let isFirst = true;
  const said: Said[] = [];
  const begun = sessions.map(({ card }, index): Told => {
    const where = branch !== null && card.branches.includes(branch) ? " on this branch" : "";
    const heading = `### ${isFirst ? "Last session" : "Before that"}${where}, ${headingOf(card, terms)}`;
    const others = card.files
      .map(({ path }) => shortened(plainLine(path), PATH_CHARACTERS))
      .filter((path) => !named.includes(path));
    const own = index === sessions.length - 1 ? room : (room * 2) / 3;
    const told = filesWithin(card, heading, others.slice(0, FILES_MOST), own);
    isFirst &&= told.lines.length === 0;
    named.push(...told.files);
    room -= told.tokens;
    return told;
  });
  return sessions
    .map(({ card, notes }, index) => {
      const told = begun[index]!;
      const noted = told.lines.length === 0 ? NOTHING_TOLD : notesWithin(notes, null, card, room, terms, said);
      room -= noted.tokens;
      return told.files.length + noted.lines.length === 0 ? noted : joined(told, noted);
    })
    .reduce(joined, NOTHING_TOLD);
}

/** As many of the files as fit below the heading; nothing if that does not fit. */
function filesWithin({ session }: SessionCard, heading: string, files: readonly string[], room: number): Told {
  for (let count = files.length; count >= 0; count -= 1) {
    const lines = [heading, ...(count > 0 ? [`Edited: ${files.slice(0, count).join(", ")}`] : [])];
    const tokens = tokensOfLines(lines);
    if (tokens <= room) return { lines, tokens, sources: [session], files: files.slice(0, count), notes: [] };
  }
  return NOTHING_TOLD;
}

/** `notes` in the order in which they answer. */
export function toldWithPrompt(
  { card, notes }: Pick<ReadSession, "card" | "notes">,
  { roomTokens, ...terms }: TellingTerms & { roomTokens: number },
  said: Said[] = [],
): Told {
  return notesWithin(notes, `From the session of ${headingOf(card, terms)}`, card, roomTokens, terms, said);
}

const BY = { you: "user", program: "its agent's title", branch: "branch" } as const;

const headingOf = ({ title, to }: SessionCard, terms: TellingTerms): string =>
  `${shortDay(to, terms)}: ${quoted(shortened(plainLine(title.text), TITLE_CHARACTERS))} (${BY[title.by]})`;

/** A note that was told. */
export interface Said {
  text: string;
  stems: ReadonlySet<string>;
}

/** Of what a note says, so much may be new in one that repeats another. */
const NEW_MOST = 0.1;

/** Whether it only says what was told before, perhaps by another session: hardly a word of it is new. */
const isRepeated = ({ text, stems }: Said, told: Said): boolean =>
  [...stems].filter((one) => !told.stems.has(one)).length <= stems.size * NEW_MOST && !differInValue(text, told.text);

/** With a heading, if there is anything to put under it. */
function notesWithin(
  notes: readonly Note[],
  heading: string | null,
  { session, to }: SessionCard,
  room: number,
  { left, ...clock }: TellingTerms,
  said: Said[],
): Told {
  const told: Told = { lines: heading === null ? [] : [heading], tokens: 0, sources: [session], files: [], notes: [] };
  told.tokens = tokensOfLines(told.lines);
  const repeated: string[] = [];
  for (const { id, text, at, files } of notes) {
    const own = { text, stems: tellingStems(text) };
    if (left.has(id)) continue;
    if (said.some((other) => isRepeated(own, other))) {
      repeated.push(id);
      continue;
    }
    const line = NOTE_CHARACTERS.map(
      (characters) => `- agent, ${shortDay(at ?? to, clock)}: ${shortened(plainLine(text), characters)}`,
    ).find((one) => tokensOfLines([one]) <= room - told.tokens);
    if (line === undefined) break;
    told.lines.push(line);
    told.tokens += tokensOfLines([line]);
    told.files.push(...files.filter((file) => line.includes(file)));
    told.notes.push(id);
    said.push(own);
  }
  return { ...(told.notes.length > 0 ? told : NOTHING_TOLD), notes: [...told.notes, ...repeated] };
}

function joined(one: Told, two: Told): Told {
  const both = (name: "sources" | "files" | "notes") => [...new Set([...one[name], ...two[name]])];
  return {
    lines: [...one.lines, ...two.lines],
    tokens: one.tokens + two.tokens,
    sources: both("sources"),
    files: both("files"),
    notes: both("notes"),
  };
}

const GET = /stele.*[_-]get$/i;
/** Five-word runs of the text in the agent's own words: one may be a common phrase. */
const SHARED_RUNS_LEAST = 2;

/** The strongest sign: a named file was read or edited, an item was opened, a line came back in the agent's words. */
export function useOf(
  { at, files, text }: Pick<Handover, "at" | "files" | "text">,
  turns: readonly SessionTurn[],
): NonNullable<Handover["use"]> {
  const parts = turns.flatMap((turn) => turn.parts).filter((part) => part.at !== null && part.at >= at);
  const touches = (path: string) => files.some((file) => path === file || path.endsWith(`/${file}`));
  if (parts.some(({ call }) => call?.path && touches(call.path))) return "file";
  if (parts.some(({ call }) => call && GET.test(call.name))) return "get";
  const handed = runsOf([text]);
  const said = parts.flatMap((part) => (part.label === "agent" ? [part.text] : []));
  let shared = 0;
  for (const run of runsOf(said)) if (handed.has(run)) shared += 1;
  return shared >= SHARED_RUNS_LEAST ? "words" : "none";
}

/** The sessions that a new one is told of: the last on its branch, if that is one of its own, then the last of all. */
const SESSIONS = 5;
/** Everybody works on these, so being on one says nothing about the matter. */
const TRUNKS: readonly string[] = ["main", "master", "trunk", "develop", "dev"];

const isOwnBranch = (branch: string | null): branch is string =>
  branch !== null && branch !== "" && !TRUNKS.includes(branch);

/** `own`: the session that asks. */
export async function lastOnBranch(
  branch: string | null,
  own: string,
  { project }: Pick<World, "project">,
): Promise<ReadSession | null> {
  if (!isOwnBranch(branch)) return null;
  const found = await project.sessionCards({ branch, limit: SESSIONS });
  const others = found.filter(({ card }) => card.session !== own);
  // One in which nothing was noted tells nothing.
  return others.find(({ notes }) => notes.length > 0) ?? others[0] ?? null;
}

/** What a session is told at its start. After a compaction it is told of itself, too. */
export async function tellLastSessions(
  branch: string,
  { project, settings, clock, zone }: Pick<World, "project" | "settings" | "clock" | "zone">,
): Promise<Told> {
  const sessions = await lastSessions(branch, { project });
  const roomTokens = settings.surface.hardTokens * settings.surface.recentShare;
  return toldAtStart(sessions, {
    roomTokens,
    branch,
    now: clock.now(),
    zone,
    left: await judgedNotes(sessions, { project }),
  });
}

async function lastSessions(branch: string | null, { project }: Pick<World, "project">): Promise<ReadSession[]> {
  const first = await lastOnBranch(branch, "", { project });
  const others = (await project.sessionCards({ limit: SESSIONS + 1 })).filter(
    ({ card }) => card.session !== first?.card.session,
  );
  return [...(first ? [first] : []), ...others].slice(0, SESSIONS);
}

/** Ids of their notes that a person has judged. */
export async function judgedNotes(
  sessions: readonly ReadSession[],
  { project }: Pick<World, "project">,
): Promise<Set<string>> {
  const ids = sessions.flatMap(({ notes }) => notes.map(({ id }) => id));
  return ids.length === 0 ? new Set() : judged(await project.noteVerdicts(ids));
}
