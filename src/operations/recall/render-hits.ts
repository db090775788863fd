/** Hits as text for a person: content, relevance, rankers, history. */
import { FIRST_INDEX } from "../../model/corpus/corpus.ts";
import { shownLine } from "../../model/text/cut.ts";
import { titled } from "../../model/text/titled.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { DEPARTURES } from "../../model/recall/ranking.ts";
import { dayIn } from "../../model/time/day-shown.ts";
import type { Zone } from "../../model/time/zone.ts";
import type { Told } from "./told-hits.ts";

/** Less relevant hits are guesses, of which most are read in vain. */
export const GUESS_BELOW = 0.35;

const LINE_CHARACTERS = 300;
const HISTORY_LINES = 5;

/** No hits before the first indexing has finished are reported as such. */
export const nothingYet = (degraded: string | null): string | null =>
  degraded?.includes(FIRST_INDEX) ? "Nothing found yet. Ask again, or run `stele index`." : null;

/** What the answer says in one word, a person is told in full. */
const [READ_ONLY, UNWRITABLE] = [/^read-only/, "read-only: the data folder cannot be written"];

/** Below the hits, in parentheses: what is missing of them. */
export const remarksOn = ({ leftOut }: Told, degraded: string | null): string[] => [
  ...(leftOut > 0 ? [`(${leftOut} less relevant left out; \`--threshold 0\` shows all)`] : []),
  ...(degraded ? [`(${degraded.replace(READ_ONLY, UNWRITABLE)})`] : []),
];

export const isNothing = ({ clear, guesses, beside }: Told): boolean =>
  clear.length + guesses.length + beside.length === 0;

/** Half of what an agent reads of an answer. */
const BEFORE_SESSION_CHARACTERS = 1_100;

/** Any answer of a search as lines. */
export const toldLines = (told: Told, lineOf: (hit: Hit) => string, nothing: string, remarks: readonly string[]) =>
  [
    ...(isNothing(told) ? [nothing] : withSession(told.clear.map(lineOf), told.beside)),
    ...(told.guesses.length > 0 ? [told.lead, ...told.guesses.map(lineOf)] : []),
    ...remarks,
  ].join("\n");

/** The session stands behind the best hits, where a long answer would bury it at the end. */
function withSession(hits: readonly string[], beside: readonly string[]): string[] {
  let characters = 0;
  const before = hits.findIndex((hit) => (characters += hit.length) > BEFORE_SESSION_CHARACTERS);
  return before < 0 ? [...hits, ...beside] : hits.toSpliced(Math.max(1, before), 0, ...beside);
}

export const renderHits = (told: Told, degraded: string | null, nothing: string, zone: Zone): string =>
  toldLines(told, (hit) => renderHit(hit, zone), nothing, remarksOn(told, degraded));

function renderHit(hit: Hit, zone: Zone): string {
  const [departures, shares] = splitReasons(hit.why);
  // Beside the relevance, all of the score from one ranker would read as a second opinion.
  const found = shares.map(([ranker, share]) => (shares.length === 1 ? ranker : `${ranker} ${percent(share)}`));
  const facts = factsOf(hit, zone);
  const title = hit.title === hit.path ? null : hit.title;
  return [
    ...besideLines(hit, zone).map((text) => `${text}:`),
    `${hit.handle}  ${oneLine(titled(title, hit.excerpt ?? hit.content))}`,
    `  ${facts.join(", ")}; relevance ${percent(hit.relevance)}${found.length > 0 ? `; found by ${found.join(", ")}` : ""}`,
    ...(departures.length > 0 ? [`  ${departures.map(departureText).join(", ")}`] : []),
    ...hit.contradicts.map(({ handle, why }) => `  contradicts decision ${handle}: ${oneLine(why)}`),
    ...codeLines(hit.code),
    ...pastLines(hit, zone),
  ].join("\n");
}

/** Above a hit that something stands above: that it is not settled, and what the other says if that does not stand there. */
export function besideLines({ beside }: Hit, zone: Zone): string[] {
  if (!beside) return [];
  const { is, contradicts, handle, createdAt, summary } = beside;
  const text = summary === undefined ? "" : ` (${dayIn(createdAt, zone)}: ${oneLine(summary)})`;
  return [`${is}, ${contradicts ? "contradicts" : "about the same as"} ${handle}${text}; not settled`];
}

/** What a hit is, in a few words. `dayOf` says when it was made. */
export function factsOf(hit: Hit, zone: Zone, dayOf = (iso: string) => dayIn(iso, zone)): string[] {
  return [
    ...(hit.path
      ? [placeOf(hit), ...documentFacts(hit)]
      : [hit.type, hit.scope, ...(hit.passage?.at ? [] : [dayOf(hit.createdAt)])]),
    ...saidBy(hit.passage, zone),
    ...otherSessionFact(hit),
    ...(hit.session ? [`session ${hit.session}`] : []),
    ...(hit.status === "archived" ? ["archived"] : []),
    ...windowOf(hit, zone),
    ...(hit.unratified ? ["not ratified"] : []),
    ...(hit.stale ? [`stale: ${hit.stale}`] : []),
    ...(hit.conditions ?? []).map((when) => `holds when: ${oneLine(when)}`),
  ];
}

const SESSION_CHARACTERS = 40;

/** Whose working memory it is, if it is not this session's. */
export const otherSessionFact = ({ otherSession }: { otherSession?: string | undefined }): string[] =>
  otherSession === undefined ? [] : [`another session (${oneLine(otherSession, SESSION_CHARACTERS)})`];

/** The label and type of a document. */
export const documentFacts = ({ label, docType }: Pick<Hit, "label" | "docType">): string[] =>
  [label, docType].filter((fact) => fact !== undefined);

/** What it replaced, and what was rejected on its subject. */
export const pastLines = ({ history }: Hit, zone: Zone): string[] => [
  ...history.slice(0, HISTORY_LINES).map((past) => `  ${became(past, zone)}: ${oneLine(past.content)}`),
  ...(history.length > HISTORY_LINES ? [`  and ${history.length - HISTORY_LINES} more`] : []),
];

export const DECIDED = "raised because it was decided";

const CODE_LINES = 20;

/** Indented, so that it cannot pass for a hit of its own. */
export function codeLines(code: Hit["code"]): string[] {
  if (!code) return [];
  const lines = code.content.split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/);
  const rest = lines.length - CODE_LINES;
  return [
    `  code ${code.handle}:`,
    ...lines.slice(0, CODE_LINES).map((line) => `    ${line}`),
    ...(rest > 0 ? [`    … ${rest} more; \`stele get ${code.handle}\` shows them`] : []),
  ];
}

type Reason = [name: string, amount: number];

/** Reasons for a departure from the order of relevance, and the shares of rankers. */
function splitReasons(why: Hit["why"]): [Reason[], Reason[]] {
  const { departures = [], shares = [] } = Object.groupBy(Object.entries(why), ([name]) =>
    (DEPARTURES as readonly string[]).includes(name) ? "departures" : "shares",
  );
  return [departures, shares];
}

function departureText([name, change]: Reason): string {
  if (name === "decision") return DECIDED;
  if (name === "near") return "placed beside what it is near";
  const moved = change > 0 ? "raised" : "lowered";
  return name === "ownSession" ? `${moved} to put this session first` : `${moved} by ${name}`;
}

function became({ status, reason, validUntil, folded }: Hit["history"][number], zone: Zone): string {
  if (folded) return "folded";
  if (status !== "rejected") return `held until ${validUntil ? dayIn(validUntil, zone) : "?"}`;
  return `rejected${reason ? ` (${oneLine(reason, 120)})` : ""}`;
}

/** The speaker and the date of the matching passage, if known. */
function saidBy(passage: Hit["passage"], zone: Zone): string[] {
  const who = passage?.speaker ?? passage?.role;
  return [...(who ? [`said by ${who}`] : []), ...(passage?.at ? [`on ${dayIn(passage.at, zone)}`] : [])];
}

export const percent = (share: number) => `${Math.round(share * 100)} %`;

export const oneLine = (text: string, limit = LINE_CHARACTERS): string => shownLine(text, limit);

export function placeOf({ path, startLine, endLine, heading, symbol }: Hit): string {
  const lines = startLine === undefined ? "" : `:${startLine}${endLine && endLine > startLine ? `-${endLine}` : ""}`;
  const within = symbol ?? heading;
  return `${path}${lines}${within ? ` (${within})` : ""}`;
}

/** The validity window of a decision, if stated. */
function windowOf({ shelf, validFrom, validUntil }: Hit, zone: Zone): string[] {
  if (shelf !== "decision" && shelf !== "proposal") return [];
  const days = [validFrom && `from ${dayIn(validFrom, zone)}`, validUntil && `until ${dayIn(validUntil, zone)}`];
  return days.filter((day) => day !== null);
}
