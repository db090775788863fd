/**
 * Turns of a written conversation: lines that begin with a name and a colon.
 *
 * A text is a conversation if at least two speakers take two or more turns each on average. Consecutive lines of one
 * speaker are one turn. Any other text is one turn without a speaker.
 */
import { type Role, ROLES, type Turn } from "../memory/shelves.ts";

interface WrittenTurn {
  text: string;
  speaker: string | null;
  role: Role | null;
}

const ROLE_OF: ReadonlyMap<string, Role> = new Map([
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["system", "system"],
  ["tool", "tool"],
]);
const LEAST_TURNS = 3;
const SPEAKER_LIMIT_CHARACTERS = 100;
/** The last moment that a Date can represent. */
const LATEST_MS = 8.64e15;

export function turnsIn(text: string): WrittenTurn[] {
  const lines = text.split("\n");
  const named = lines.map(voiceIn);
  // If roles are given, a line such as "Error: no such file" is part of a turn.
  const isRoled = new Set(named.map((voice) => voice?.role ?? null).filter((role) => role !== null)).size >= 2;
  const voices = isRoled ? named.map((voice) => (voice?.role ? voice : null)) : named;
  if (!isConversation(voices)) return [{ text, speaker: null, role: null }];
  const turns: { voice: Voice; lines: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const voice = voices[index] ?? null;
    const last = turns.at(-1);
    // A turn ends when another speaker begins, not when the same one continues.
    if (last && (voice === null || isSame(voice, last.voice))) last.lines.push(line);
    else turns.push({ voice: voice ?? NOBODY, lines: [line] });
  }
  return turns.map(({ voice, lines }) => ({ ...voice, text: textOf(lines, voice) })).filter((turn) => turn.text !== "");
}

interface Voice {
  speaker: string | null;
  role: Role | null;
}

const NOBODY: Voice = { speaker: null, role: null };

/** A pattern with Unicode's classes takes long to build, so it is not built before it is used. */
const opening = () => /^(\p{L}[\p{L}\p{N}\p{M} ._'’-]{0,29}): /u;

function voiceIn(line: string): Voice | null {
  const name = opening().exec(line)?.[1]?.trim();
  if (name === undefined) return null;
  const role = ROLE_OF.get(name.toLowerCase()) ?? null;
  return { speaker: role ? null : name, role };
}

const isSame = (one: Voice, other: Voice) => one.role === other.role && one.speaker === other.speaker;

function isConversation(voices: readonly (Voice | null)[]): boolean {
  const openings = voices.filter((voice) => voice !== null);
  const turns = openings.length + (voices[0] ? 0 : 1);
  const distinct = new Set(openings.map(({ speaker, role }) => role ?? speaker)).size;
  return turns >= LEAST_TURNS && distinct >= 2 && turns >= distinct * 2;
}

/** The text of a turn, without the speaker's empty openings. */
function textOf(lines: readonly string[], speaker: Voice): string {
  const isOpening = (voice: Voice | null) => voice !== null && isSame(voice, speaker);
  const isBare = (line: string) => isOpening(voiceIn(line)) && line.replace(opening(), "").trim() === "";
  const isAlone = (line: string, index: number) => isBare(line) && (lines[index + 1] ?? "").trim() === "";
  return lines
    .filter((line, index) => !isAlone(line, index))
    .join("\n")
    .trim();
}

/** Speaker, role and time of a statement; null if none is known. Names become one line, impossible times null. */
export function turnOf({ speaker, role, at }: Partial<Turn>): Turn | null {
  const turn = {
    speaker: nameOf(speaker ?? ""),
    role: ROLES.find((known) => known === role) ?? null,
    at: momentOf(at),
  };
  return Object.values(turn).some((part) => part !== null) ? turn : null;
}

/** A time that a Date can represent, or null. */
export function momentOf(at: number | null | undefined): number | null {
  return typeof at === "number" && Math.abs(at) <= LATEST_MS ? Math.trunc(at) : null;
}

function nameOf(name: string): string | null {
  const line = name.toWellFormed().replace(/[\s\p{Cc}]+/gu, " ");
  return [...line.trim()].slice(0, SPEAKER_LIMIT_CHARACTERS).join("").trim() || null;
}
