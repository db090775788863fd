/** How searches show their hits, so that plain text, a terminal and an agent are told the same of them. */
import type * as z from "zod";
import type { Reader } from "../catalog/operation.ts";
import { FIRST_INDEX } from "../files/corpus.ts";
import { conditionWords } from "../memory/neighbours.ts";
import type { Shelf } from "../memory/shelves.ts";
import { SPEAKER_OF } from "../memory/speakers.ts";
import { line, type Paragraph, verbatim } from "../text/paragraph.ts";
import { counted, shownLine, titleApart, titled } from "../text/short-text.ts";
import type { Zone } from "../time/calendar.ts";
import { dayIn, dayShown } from "../time/shown.ts";
import { matchedPassage } from "./excerpt.ts";
import type { Hit, HitsAnswer, Past, WithSession } from "./hit.ts";
import { CLEAR, DEPARTURES } from "./ranking.ts";

// Which hits are told, whoever reads them and wherever, and which of them are only guesses.

/** Beside a hit that likely answers, nothing below the line is told. */
const LIKELY = 0.5;
/** Where nothing likely answers, hits are left out that are so many times less relevant than the best. */
const TIMES_LESS = 20;
const GUESSES_MOST = 3;

/** What answers by itself. Of sessions and files several passages answer together, some of them hardly relevant alone. */
const WHOLE: readonly Shelf[] = ["memory", "decision", "proposal"];

interface Told {
  readonly clear: readonly Hit[];
  readonly guesses: readonly Hit[];
  /** What stands above the guesses. */
  readonly lead: string;
  /** How many hits are not told. */
  readonly leftOut: number;
  /** What a session noted about the same: lines, of which the first is a heading. */
  readonly beside: readonly string[];
}

type ToldHits = Omit<Told, "beside">;

export const tellAll = (hits: readonly Hit[]): ToldHits => ({ clear: hits, guesses: [], lead: "", leftOut: 0 });

/**
 * Tells only hits that are relevant beside the others. On questions about memories this saves a third of an agent's tokens,
 * and lost no answer on those it was chosen by. Who names a threshold is told everything above it.
 */
export function tellRelevant(hits: readonly Hit[], threshold: number | undefined): ToldHits {
  const best = Math.max(0, ...hits.map(({ relevance }) => relevance));
  const isClear = ({ relevance, shelf }: Hit) => relevance >= CLEAR || (best >= CLEAR && !WHOLE.includes(shelf));
  const clear = hits.filter(isClear);
  const below = hits.filter((hit) => !isClear(hit));
  const least = best >= LIKELY ? CLEAR : best / TIMES_LESS;
  const guesses =
    threshold === undefined ? below.filter(({ relevance }) => relevance >= least).slice(0, GUESSES_MOST) : below;
  return {
    clear,
    guesses,
    leftOut: below.length - guesses.length,
    lead: clear.length === 0 ? "Nothing clearly answers that; guesses:" : "Guesses:",
  };
}

// Hits as text for a person: content, relevance, rankers, history.

/** Less relevant hits are guesses, of which most are read in vain. */
const GUESS_BELOW = 0.35;

const LINE_CHARACTERS = 300;
const HISTORY_LINES = 5;

/** No hits before the first indexing has finished are reported as such. */
const nothingYet = (degraded: string | null): string | null =>
  degraded?.includes(FIRST_INDEX) ? "Nothing found yet. Ask again, or run `stele index`." : null;

/** What the answer says in one word, a person is told in full. */
const [READ_ONLY, UNWRITABLE] = [/^read-only/, "read-only: the data folder cannot be written"];

/** Below the hits, in parentheses: what is missing of them. */
const remarksOn = ({ leftOut }: Told, degraded: string | null): string[] => [
  ...(leftOut > 0 ? [`(${leftOut} less relevant left out; \`--threshold 0\` shows all)`] : []),
  ...(degraded ? [`(${degraded.replace(READ_ONLY, UNWRITABLE)})`] : []),
];

const isNothing = ({ clear, guesses, beside }: Told): boolean => clear.length + guesses.length + beside.length === 0;

/** Half of what an agent reads of an answer. */
const BEFORE_SESSION_CHARACTERS = 1_100;

/** Any answer of a search as lines. */
const toldLines = (told: Told, lineOf: (hit: Hit) => string, nothing: string, remarks: readonly string[]) =>
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
  // What only made room for a hit that was moved is beside nothing.
  const departed = departures.filter(([name, change]) => name !== "near" || change > 0);
  // Beside the relevance, all of the score from one ranker would read as a second opinion.
  const found = shares.map(([ranker, share]) => (shares.length === 1 ? ranker : `${ranker} ${percent(share)}`));
  const facts = factsOf(hit, zone);
  const title = hit.title === hit.path ? null : hit.title;
  return [
    ...besideLines(hit, zone).map((text) => `${text}:`),
    `${hit.handle}  ${oneLine(titled(title, hit.excerpt ?? hit.content))}`,
    `  ${facts.join(", ")}; relevance ${percent(hit.relevance)}${found.length > 0 ? `; found by ${found.join(", ")}` : ""}`,
    ...(departed.length > 0 ? [`  ${departed.map(departureText).join(", ")}`] : []),
    ...hit.contradicts.map(({ handle, why }) => `  contradicts decision ${handle}: ${oneLine(why)}`),
    ...codeLines(hit.code),
    ...pastLines(hit, zone),
  ].join("\n");
}

/** Above a hit that something stands above: that it is not settled, and what the other says if that does not stand there. */
function besideLines({ beside }: Hit, zone: Zone): string[] {
  if (!beside) return [];
  const { is, contradicts, handle, createdAt, summary } = beside;
  const text = summary === undefined ? "" : ` (${dayIn(createdAt, zone)}: ${oneLine(summary)})`;
  return [`${is}, ${contradicts ? "contradicts" : "about the same as"} ${handle}${text}; not settled`];
}

/** What a hit is, in a few words. `dayOf` says when it was made. */
function factsOf(hit: Hit, zone: Zone, dayOf = (iso: string) => dayIn(iso, zone)): string[] {
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
    ...(hit.conditions ?? []).map((one) => oneLine(conditionWords(one))),
  ];
}

const SESSION_CHARACTERS = 40;

/** Whose working memory it is, if it is not this session's. */
export const otherSessionFact = ({ otherSession }: { otherSession?: string | undefined }): string[] =>
  otherSession === undefined ? [] : [`another session (${oneLine(otherSession, SESSION_CHARACTERS)})`];

/** The label and type of a document. */
const documentFacts = ({ label, docType }: Pick<Hit, "label" | "docType">): string[] =>
  [label, docType].filter((fact) => fact !== undefined);

/** What it replaced, and what was rejected on its subject. */
const pastLines = ({ history }: Hit, zone: Zone): string[] => [
  ...history.slice(0, HISTORY_LINES).map((past) => `  ${became(past, zone)}: ${oneLine(past.content)}`),
  ...(history.length > HISTORY_LINES ? [`  and ${history.length - HISTORY_LINES} more`] : []),
];

const DECIDED = "raised because it was decided";

const CODE_LINES = 20;

/** Indented, so that it cannot pass for a hit of its own. */
function codeLines(code: Hit["code"]): string[] {
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

const percent = (share: number) => `${Math.round(share * 100)} %`;

export const oneLine = (text: string, limit = LINE_CHARACTERS): string => shownLine(text, limit);

function placeOf({ path, startLine, endLine, heading, symbol }: Hit): string {
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

/**
 * Hits as text for an agent, which pays for every token: one line a hit, with handle, date and source.
 *
 * Of a long text the part that answers the question is quoted, and of a guess only the beginning; `get` reads the rest.
 */
const AGENT_LINE_CHARACTERS = 400;
const AGENT_GUESS_CHARACTERS = 160;
const TITLE_CHARACTERS = 80;
const REMARK_CHARACTERS = 120;
const AGENT_HISTORY_LINES = 2;

export const hitsForAgent = (told: Told, degraded: string | null, nothing: string, zone: Zone): string =>
  toldLines(told, (hit) => hitLines(hit, zone), nothing, [
    ...(told.leftOut > 0 ? [`(${told.leftOut} less relevant left out)`] : []),
    ...(degraded ? [`(${degraded})`] : []),
  ]);

function hitLines(hit: Hit, zone: Zone): string {
  const { handle, shelf, content, excerpt, history } = hit;
  const isFile = hit.path !== undefined;
  const isGuess = hit.relevance < GUESS_BELOW;
  const isSaid = shelf === "evidence";
  const { title, text: apart } = titleApart(isFile ? null : hit.title, excerpt ?? content);
  const text = shownLine(
    title === null || isSaid ? apart : `${title}: ${apart}`,
    isGuess ? AGENT_GUESS_CHARACTERS : AGENT_LINE_CHARACTERS,
  );
  // What an answer was said to, somebody else may have said.
  const to = isSaid && title !== null ? `, on "${shownLine(title, TITLE_CHARACTERS).replaceAll('"', "'")}"` : "";
  // An ellipsis says by itself that there is more; an excerpt does not.
  const rest = excerpt !== undefined && !isGuess && !isFile ? ` (get ${handle} for all)` : "";
  return [
    `${besideOf(hit)}${isFile ? placeOf(hit) : handle} ${percent(hit.relevance)} ${factsForAgent(hit, zone)}${to}: ${text}${rest}`,
    ...remarks(hit, zone).map((remark) => `  ${shownLine(remark, REMARK_CHARACTERS)}`),
    ...history.slice(0, AGENT_HISTORY_LINES).map((past) => `  ${shownLine(pastLine(past, zone), REMARK_CHARACTERS)}`),
  ].join("\n");
}

/** Before a hit that something stands above. */
const besideOf = ({ beside }: Hit): string =>
  beside ? `  ${beside.is}${beside.contradicts ? ", contradicts" : ""} (settle ${beside.handle}): ` : "";

/** What stands above it, unless that is the hit before. */
const besideText = ({ beside }: Hit, zone: Zone): string[] =>
  beside?.summary === undefined
    ? []
    : [
        `${beside.is === "earlier" ? "later" : "earlier"}, ${dayIn(beside.createdAt, zone)}: ${beside.handle} ${beside.summary}`,
      ];

function factsForAgent(hit: Hit, zone: Zone): string {
  const { type, createdAt, source, byAgent, path, passage, validFrom } = hit;
  if (path !== undefined) return documentFacts(hit).join(", ") || type;
  const day = dayIn(passage?.at ?? validFrom ?? createdAt, zone);
  const who = passage?.speaker ?? passage?.role ?? (byAgent ? "agent" : SPEAKER_OF[source]);
  const what =
    hit.shelf === "decision"
      ? "decided"
      : `${type}, ${who}${otherSessionFact(hit)
          .map((whose) => ` of ${whose}`)
          .join("")}`;
  return `${hit.unratified ? "not ratified, " : ""}${hit.status === "archived" ? "archived " : ""}${what} ${day}`;
}

function remarks(hit: Hit, zone: Zone): string[] {
  const { contradicts, stale, validUntil, code, conditions = [] } = hit;
  return [
    ...besideText(hit, zone),
    ...conditions.map(conditionWords),
    ...contradicts.map(({ handle, why }) => `contradicts decision ${handle}: ${why}`),
    ...(stale ? [`stale: ${stale}`] : []),
    ...(validUntil ? [`holds until ${dayIn(validUntil, zone)}`] : []),
    ...(code ? [`describes ${code.path ?? "code"}, get ${code.handle}`] : []),
  ];
}

function pastLine({ status, reason, validUntil, content, folded }: Past, zone: Zone): string {
  if (folded) return `folded in: ${content}`;
  if (status === "rejected") return `rejected: ${content}${reason ? ` (${reason})` : ""}`;
  return `until ${validUntil ? dayIn(validUntil, zone) : "then"}: ${content}`;
}

// Hits on a terminal: the passage that matched, with the words of the question marked, and below it what it is.
//
// What only a program needs, such as the shares of the rankers, is left to `--json`.

/** Shown whole up to this length; of a longer text, a part that takes about two rows. */
const WHOLE_CHARACTERS = 320;
const PASSAGE_CHARACTERS = 160;
const GUESS_CHARACTERS = 60;
const INDENT = 10;
/** What stands below a hit in plain text is indented already. */
const RENDERED_INDENT = 2;
const PAGE_CODE_LINES = 8;
const UNBROKEN_SPACE = "\u00a0";

interface HitsPage {
  told: Told;
  degraded: string | null;
  question: string | undefined;
  /** When there are no hits: what to say, and a command worth trying. */
  nothing: string;
  next: string;
}

function hitsPage({ told, degraded, question, nothing, next }: HitsPage, reader: Reader<unknown>): Paragraph[] {
  const notes = remarksOn(told, degraded).map((text) => line(text, "fact"));
  const early = nothingYet(degraded);
  if (isNothing(told)) return [line(early ?? nothing), ...(early === null ? [line(next, "fact")] : []), ...notes];
  const { clear, guesses, lead, beside } = told;
  const shown = (hits: readonly Hit[]) => hits.flatMap((hit) => hitParagraphs(hit, question, reader));
  const session = beside.map((text, index) => line(text, index === 0 ? "name" : undefined, index === 0 ? 0 : 2));
  return [...shown(clear), ...session, ...(guesses.length > 0 ? [line(lead), ...shown(guesses)] : []), ...notes];
}

/** Code keeps its lines. */
function codeParagraphs(code: string): Paragraph[] {
  const lines = code.split("\n");
  const rest = lines.length - PAGE_CODE_LINES;
  return [
    ...lines.slice(0, PAGE_CODE_LINES).map((text) => verbatim(text, INDENT)),
    ...(rest > 0 ? [line(`… ${counted(rest, "more line")}`, "fact", INDENT)] : []),
  ];
}

function limitFor({ relevance, content }: Hit): number {
  if (relevance < GUESS_BELOW) return GUESS_CHARACTERS;
  return content.length <= WHOLE_CHARACTERS ? WHOLE_CHARACTERS : PASSAGE_CHARACTERS;
}

function hitParagraphs(hit: Hit, question: string | undefined, reader: Reader<unknown>): Paragraph[] {
  const content = hit.excerpt ?? hit.content;
  const { title, text: rest } = hit.path ? { title: placeOf(hit), text: content } : titleApart(hit.title, content);
  const text = matchedPassage(rest, question, limitFor(hit));
  // The place of a file is its name already.
  const own = hit.path ? [] : factsOf(hit, reader.zone, (iso) => dayShown(iso, reader));
  const facts = [
    ...own,
    percent(hit.relevance).replace(" ", UNBROKEN_SPACE),
    ...(hit.why["decision"] ? [DECIDED] : []),
  ];
  const isCode = hit.shelf === "code";
  return [
    ...besideLines(hit, reader.zone).map((one) => line(`${one}:`, "fact")),
    {
      spans: [
        { text: hit.handle, style: "handle" },
        { text: "  " },
        ...(title ? [{ text: title, style: "name" } as const, { text: isCode ? "" : ": " }] : []),
        ...(isCode ? [] : text),
      ],
      hang: INDENT,
    },
    ...(isCode ? codeParagraphs(hit.excerpt ?? hit.content) : []),
    line(facts.join(", "), "fact", INDENT),
    ...hit.contradicts.map(({ handle, why }) =>
      line(`contradicts decision ${handle}: ${oneLine(why)}`, "warning", INDENT),
    ),
    ...[...codeLines(hit.code), ...pastLines(hit, reader.zone)].map((text) =>
      verbatim(text, INDENT - RENDERED_INDENT, "fact"),
    ),
  ];
}

type Answer = Pick<z.output<typeof HitsAnswer>, "hits" | "degraded"> & {
  session?: z.output<typeof WithSession>["session"];
};
type Asking = Reader<{ query?: string; question?: string; subject?: string; threshold?: number | null | undefined }>;

interface HitsShown {
  /** The field with the words that are marked in what was found. */
  asks: "query" | "question" | "subject";
  /** When there are no hits: what to say, and a command worth trying. */
  nothing: string;
  next: string;
  /** Whether it is judged which hits answer; all are told as they are when omitted. */
  isJudged?: boolean;
}

export function showHits({ asks, nothing, next, isJudged = false }: HitsShown) {
  const toldOf = ({ hits, session }: Answer, { input }: Asking): Told => ({
    // Models write null for nothing.
    ...(isJudged ? tellRelevant(hits, input.threshold ?? undefined) : tellAll(hits)),
    beside: session?.lines ?? [],
  });
  const asText = (show: typeof renderHits) => (answer: Answer, reader: Asking) =>
    show(toldOf(answer, reader), answer.degraded, nothingYet(answer.degraded) ?? nothing, reader.zone);
  return {
    render: asText(renderHits),
    renderForAgent: asText(hitsForAgent),
    page: (answer: Answer, reader: Asking) =>
      hitsPage(
        { told: toldOf(answer, reader), degraded: answer.degraded, question: reader.input[asks], nothing, next },
        reader,
      ),
  };
}
