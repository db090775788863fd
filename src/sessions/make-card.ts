/**
 * Makes the card of a session from its turns: what was asked, what changed, how it ended.
 *
 * Everything is somebody's own words, or counted. What was pasted never speaks for the person.
 */
import { cutLine, shownLine } from "../text/short-text.ts";
import type { SessionCard } from "./card.ts";
import { checkRun } from "./commands.ts";
import { closingQuestion, isQuestion, plainSentences, type Sentence } from "./picks.ts";
import type { Part, SessionTurn, ToolCall } from "./turns.ts";

/** The message of a `git commit`, as far as the command itself has it. */
const COMMIT = /\bgit\s+(?:-[cC]\s+\S+\s+){0,9}commit\b(?!-)/;
const MESSAGE_OPTION = /\s(?:-[a-z]*m|--message)[ =]?\s*/;
const PIPED = /<<-?\s*(['"]?)(\w+)\1\n([\s\S]*?)\n[ \t]*\2\b/;
const TRAILER = /^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: |🤖|Co-authored-by:|Generated with ).*$/gim;
const LONGEST = 8_000;

export const isCommit = (command: string): boolean => COMMIT.test(command) && !/--dry-run\b/.test(command);

/** Without trailers; null when the message is not in the command. */
export function commitMessage(command: string): string | null {
  const start = COMMIT.exec(command)?.index;
  if (start === undefined) return null;
  const rest = command.slice(start, start + LONGEST);
  const quoted = quotedTexts(rest, MESSAGE_OPTION);
  return withoutTrailers(quoted.length > 0 ? quoted.join("\n\n") : (PIPED.exec(rest)?.[3] ?? "")) || null;
}

const withoutTrailers = (text: string): string => text.replace(TRAILER, "").trim();

/** The quoted values of an option, or the here-documents that are put in their place. */
function quotedTexts(command: string, option: RegExp): string[] {
  const value = new RegExp(
    String.raw`${option.source}(?:["']?\$\(\s*cat\s+<<-?\s*(['"]?)(\w+)\1\n([\s\S]*?)\n[ \t]*\2\b|"((?:[^"\\]|\\.)*)"|'([^']*)')`,
    "g",
  );
  return [...command.matchAll(value)].map(
    ([, , , document, double, single]) =>
      document ?? (double === undefined ? single! : double.replace(/\\([`"$\\])/g, "$1")),
  );
}

/** As git prints it: "[main 1a2b3c4] Subject". */
const COMMITTED = /^\[[^\[\]\n]{1,200} [0-9a-f]{7,40}\] (\S[^\n]{0,300})$/gm;
const MAKES_COMMITS = /\bgit\s+(?:-[cC]\s+\S+\s+){0,9}(?:commit|cherry-pick|revert|merge|am)\b(?!-)/;
const AMENDS = /\s--amend\b/;

/** Subjects of the commits that a command made; `amends` when it replaced the last one. */
export function commitsMade(call: { command: string; output: string; failed: boolean }): {
  subjects: string[];
  amends: boolean;
} {
  const { command, output, failed } = call;
  const amends = AMENDS.test(command) && isCommit(command);
  if (!MAKES_COMMITS.test(command)) return { subjects: [], amends: false };
  const printed = [...output.matchAll(COMMITTED)].map(([, subject]) => subject!.trim());
  if (printed.length > 0) return { subjects: printed, amends };
  const message = failed || !isCommit(command) ? null : commitMessage(command);
  const subject = message?.split("\n")[0]!.trim() ?? "";
  return { subjects: subject === "" ? [] : [subject], amends };
}

const TITLE_CHARACTERS = 110;
const ASKED_CHARACTERS = 280;
const SAID_CHARACTERS = 200;
const ENDED_CHARACTERS = 320;
const FILES_MOST = 20;
const COMMITS_MOST = 12;

interface RecordedSession {
  session: string;
  host: string;
  turns: readonly SessionTurn[];
}

/** Null when nothing was said or done in it. */
export function cardOf({ session, host, turns }: RecordedSession): SessionCard | null {
  const parts = turns.flatMap((turn) => turn.parts);
  const times = [...turns, ...parts].map(({ at }) => at).filter((at) => at !== null);
  if (times.length === 0 || !parts.some(isSaidOrDone)) return null;
  const branch = turns.findLast((turn) => turn.branch !== null)?.branch ?? null;
  const prompts = turns.map(promptOf).filter((prompt) => prompt !== null);
  const title = titleOf(prompts, programTitle(parts), branch);
  const closing = closingOf(turns);
  return {
    session,
    host,
    branch,
    branches: [...new Set(turns.flatMap((turn) => turn.branch ?? []))],
    from: times.reduce((least, at) => Math.min(least, at)),
    to: times.reduce((most, at) => Math.max(most, at)),
    title,
    asked: askedOf(prompts),
    said: saidOf(turns),
    files: editedFiles(parts),
    commits: commitSubjects(parts),
    check: lastCheck(parts),
    ...closing,
  };
}

const isSaidOrDone = ({ label, written, text }: Part): boolean =>
  written === undefined && (label === "tool" || (label === "own" ? withoutCommand(text) : text).trim() !== "");

interface Prompt {
  own: string;
  /** Words of the person's own; the name of a command is none. */
  words: number;
  /** Most of it was pasted, and the own words only lead to that. */
  isLead: boolean;
}

const LEAD_SHARE = 0.25;

function promptOf({ parts }: SessionTurn): Prompt | null {
  const written = parts.filter(({ label }) => label === "own" || label === "pasted");
  if (written.length === 0) return null;
  const own = written.filter(({ label }) => label === "own").map(({ text }) => text.trim());
  const text = withoutCommand(own.join(" … ")).replace(/\s+/g, " ").trim();
  const all = written.reduce((sum, part) => sum + part.text.length, 0);
  return {
    own: text,
    words: wordsIn(text),
    isLead: all > text.length && text.length < all * LEAD_SHARE && /:$/.test(own[0] ?? ""),
  };
}

/** "/review the parser" asks for "the parser"; "/clear" asks for nothing. */
const withoutCommand = (text: string): string => text.replace(/^\s*\/[\w:.-]+(?=\s|$)/, "");

/** Scripts without spaces count by their characters. */
const wordsIn = (text: string): number =>
  (
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_.-]*/gu,
    ) ?? []
  ).length;

const TELLING_WORDS = 4;
/** How many prompts are looked through for one that says what the session is about. */
const FIRST_PROMPTS = 5;

const tells = ({ words, isLead }: Prompt): boolean => words >= TELLING_WORDS && !isLead;

function titleOf(prompts: readonly Prompt[], program: string | null, branch: string | null): SessionCard["title"] {
  const first = prompts.slice(0, FIRST_PROMPTS);
  const opening = first.find(({ words, isLead }) => isLead || words >= TELLING_WORDS);
  if (program !== null) return { text: shownLine(program, TITLE_CHARACTERS), by: "program" };
  const own = first.find(tells) ?? opening ?? first.toSorted((one, other) => other.words - one.words)[0];
  if (own !== undefined && own.words > 0) return { text: titled(own.own), by: "you" };
  return { text: shownLine(branch ?? "", TITLE_CHARACTERS), by: "branch" };
}

/** The first sentences that fit, or the beginning of the first. */
function titled(own: string): string {
  let title = "";
  for (const { text } of plainSentences(own)) {
    if (wordsIn(title) >= TELLING_WORDS || title.length + text.length > TITLE_CHARACTERS) break;
    title = `${title} ${text}`.trim();
  }
  return (title === "" ? cutAtWord(own, TITLE_CHARACTERS) : title).replace(/:[\s…]*$/, "");
}

function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const space = text.lastIndexOf(" ", limit - 1);
  return cutLine(text, limit).length === 0 || space < limit / 2 ? cutLine(text, limit) : `${text.slice(0, space)}…`;
}

/** The last title of the program. Those that stand before everything else name the session that this one followed. */
function programTitle(parts: readonly Part[]): string | null {
  const begun = parts.findIndex(isSaidOrDone);
  const last = parts.findLast(({ written, text }, index) => written === "title" && text.trim() !== "" && index > begun);
  return last?.text ?? null;
}

function askedOf(prompts: readonly Prompt[]): string | null {
  const first = prompts.slice(0, FIRST_PROMPTS).find(tells) ?? prompts.find(({ words }) => words > 0);
  return first === undefined ? null : cutAtWord(first.own, ASKED_CHARACTERS);
}

const spoken = ({ parts }: SessionTurn): Part[] =>
  parts.filter(({ label, written, text }) => label === "agent" && written === undefined && text.trim() !== "");

function saidOf(turns: readonly SessionTurn[]): SessionCard["said"] {
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const turn = turns[index]!;
    const next = turns[index + 1];
    const question = next === undefined ? null : closingQuestionOf(turn);
    const answer = next === undefined ? null : promptOf(next);
    if (question !== null && answer !== null && answer.words > 0 && !answer.isLead)
      return { question, answer: cutAtWord(answer.own, SAID_CHARACTERS) };
  }
  return null;
}

function closingQuestionOf(turn: SessionTurn): string | null {
  const last = spoken(turn).at(-1);
  return last === undefined || turn.parts.at(-1)?.call !== undefined ? null : closingQuestion(last.text);
}

function editedFiles(parts: readonly Part[]): SessionCard["files"] {
  const edits = new Map<string, number>();
  for (const { call } of parts)
    if (call?.edits && !call.failed && call.path !== null) edits.set(call.path, (edits.get(call.path) ?? 0) + 1);
  return [...edits]
    .map(([path, count]) => ({ path, edits: count }))
    .sort((one, other) => other.edits - one.edits)
    .slice(0, FILES_MOST);
}

const runs = (parts: readonly Part[]): { command: string; output: string; failed: boolean }[] =>
  parts.flatMap(({ call, text }) =>
    hasCommand(call) ? [{ command: call.command, output: text, failed: call.failed }] : [],
  );

const hasCommand = (call: ToolCall | undefined): call is ToolCall & { command: string } =>
  call !== undefined && call.command !== null;

function commitSubjects(parts: readonly Part[]): string[] {
  const subjects: string[] = [];
  for (const run of runs(parts)) {
    const made = commitsMade(run);
    if (made.amends && made.subjects.length > 0) subjects.pop();
    subjects.push(...made.subjects.filter((subject) => subject !== subjects.at(-1)));
  }
  return subjects.slice(-COMMITS_MOST).map((subject) => shownLine(subject, TITLE_CHARACTERS));
}

function lastCheck(parts: readonly Part[]): SessionCard["check"] {
  for (const run of runs(parts).reverse()) {
    const check = checkRun(run);
    if (check !== null) return check;
  }
  return null;
}

/** How it ended: the agent's last message, or what its program summed up after that. */
function closingOf(turns: readonly SessionTurn[]): Pick<SessionCard, "ended" | "unanswered"> {
  const last = turns.findLast((turn) => turn.parts.some(isSaidOrDone));
  const spokenLast = turns.findLast((turn) => spoken(turn).length > 0);
  const parts = turns.flatMap((turn) => turn.parts);
  const compaction = parts.findLastIndex(({ written }) => written === "compaction");
  if (compaction > parts.findLastIndex(isSaidOrDone)) {
    const left = pendingWork(parts[compaction]!.text);
    if (left !== null) return { ended: { text: left, by: "program" }, unanswered: null };
  }
  const ended = lastWords(turns);
  return {
    ended: ended === null ? null : { text: ended, by: "agent" },
    unanswered: last !== undefined && last === spokenLast ? closingQuestionOf(last) : null,
  };
}

/** The last message that says more than "Done.", and more than that something follows. */
function lastWords(turns: readonly SessionTurn[]): string | null {
  const messages = turns.flatMap(spoken).map(({ text }) => endingOf(text));
  const telling = messages.findLast((text) => wordsIn(text) >= TELLING_WORDS && !text.endsWith(":"));
  return telling ?? messages.findLast((text) => text !== "") ?? null;
}

/** Whole sentences from the beginning, without an exclamation that opens it and a question that closes it. */
function endingOf(message: string): string {
  const all = plainSentences(message);
  const opening = all.length > 1 && wordsIn(all[0]!.text) < TELLING_WORDS && /[.!]$/.test(all[0]!.text) ? 1 : 0;
  const closing = all.length - opening > 1 && isQuestion(all.at(-1)!.text) ? -1 : undefined;
  const told = all.slice(opening, closing);
  const fitting = firstSentences(told, ENDED_CHARACTERS);
  const last = fitting.at(-1)!;
  return fitting.length > 1 && last.text.endsWith(":") ? joined(fitting.slice(0, -1)) : joined(fitting);
}

/** As many whole sentences as fit; of a first one that is too long, its beginning. */
function firstSentences(sentences: readonly Sentence[], limit: number): Sentence[] {
  const [first] = sentences;
  if (first === undefined) return [];
  const count = sentences.findIndex((_, index) => joined(sentences.slice(0, index + 1)).length > limit);
  if (count === 0) return [{ ...first, text: cutAtWord(first.text, limit) }];
  return count < 0 ? [...sentences] : sentences.slice(0, count);
}

const joined = (sentences: readonly Sentence[]): string =>
  sentences.reduce((text, { text: next, paragraph }, index) => {
    const isNewParagraph = index > 0 && sentences[index - 1]!.paragraph !== paragraph;
    return text === "" ? next : `${text}${isNewParagraph && !/[.!?:;…]$/.test(text) ? ";" : ""} ${next}`;
  }, "");

/** Claude Code numbers the parts of its summary. */
const PENDING = /^\s*(?:#+\s*)?(?:\d+\.\s*)?\**(Pending Tasks|Current Work)\**:?\**\s*/i;
const SECTION = /^\s*(?:#+\s*)?\d+\.\s+\**[A-Z][\w ]{2,40}\**:|^\s*#+\s/;

function pendingWork(summary: string): string | null {
  const sections: string[][] = [];
  let isOpen = false;
  for (const line of summary.split("\n")) {
    const head = PENDING.exec(line)?.[0];
    if (head !== undefined) sections.push([line.slice(head.length)]);
    else if (isOpen && !SECTION.test(line)) sections.at(-1)!.push(line);
    isOpen = head !== undefined || (isOpen && !SECTION.test(line));
  }
  const room = ENDED_CHARACTERS / Math.max(1, sections.length) - 1;
  const text = sections
    .map((lines) => joined(firstSentences(plainSentences(lines.join("\n").trim()), room)))
    .filter((section) => section !== "")
    .join(" ");
  return text === "" ? null : text;
}
