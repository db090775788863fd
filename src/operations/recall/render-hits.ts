/** Hits as text for a person: content, relevance, rankers, history. */
import { FIRST_INDEX } from "../../model/corpus/corpus.ts";
import { shownLine } from "../../model/text/cut.ts";
import { titled } from "../../model/text/titled.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { DEPARTURES } from "../../model/recall/ranking.ts";
import { tellRelevant } from "./told-hits.ts";

/** Less relevant hits are guesses, of which most are read in vain. */
export const GUESS_BELOW = 0.35;

const LINE_CHARACTERS = 300;
const HISTORY_LINES = 5;

/** No hits before the first indexing has finished are reported as such. */
export function renderFileHits(hits: readonly Hit[], degraded: string | null, nothing: string): string {
  return renderHits(hits, degraded, nothingYet(degraded) ?? nothing);
}

export const nothingYet = (degraded: string | null): string | null =>
  degraded?.includes(FIRST_INDEX) ? "Nothing found yet. Ask again, or run `stele index`." : null;

export function renderHits(hits: readonly Hit[], degraded: string | null, nothing: string): string {
  const note = degraded ? [`(${degraded})`] : [];
  if (hits.length === 0) return [nothing, ...note].join("\n");
  return [...hits.map(renderHit), ...note].join("\n");
}

export const renderRelevant = (hits: readonly Hit[], degraded: string | null, nothing: string): string =>
  tellRelevant(hits, (told) => renderHits(told, degraded, nothing), "; `--json` has all");

function renderHit(hit: Hit): string {
  const [departures, shares] = splitReasons(hit.why);
  // Beside the relevance, all of the score from one ranker would read as a second opinion.
  const found = shares.map(([ranker, share]) => (shares.length === 1 ? ranker : `${ranker} ${percent(share)}`));
  const facts = factsOf(hit, (iso) => iso.slice(0, 10));
  const title = hit.title === hit.path ? null : hit.title;
  return [
    `${hit.handle}  ${oneLine(titled(title, hit.excerpt ?? hit.content))}`,
    `  ${facts.join(", ")}; relevance ${percent(hit.relevance)}${found.length > 0 ? `; found by ${found.join(", ")}` : ""}`,
    ...(departures.length > 0 ? [`  ${departures.map(departureText).join(", ")}`] : []),
    ...hit.contradicts.map(({ handle, why }) => `  contradicts decision ${handle}: ${oneLine(why)}`),
    ...codeLines(hit.code),
    ...pastLines(hit),
  ].join("\n");
}

/** What a hit is, in a few words. */
export function factsOf(hit: Hit, dayOf: (iso: string) => string): string[] {
  return [
    ...(hit.path
      ? [placeOf(hit), ...documentFacts(hit)]
      : [hit.type, hit.scope, ...(hit.passage ? [] : [dayOf(hit.createdAt)])]),
    ...saidBy(hit.passage),
    ...(hit.otherSession ? ["another session"] : []),
    ...(hit.session ? [`session ${hit.session}`] : []),
    ...(hit.status === "archived" ? ["archived"] : []),
    ...windowOf(hit),
    ...(hit.unratified ? ["not ratified"] : []),
    ...(hit.stale ? [`stale: ${hit.stale}`] : []),
  ];
}

/** The label and type of a document. */
export const documentFacts = ({ label, docType }: Pick<Hit, "label" | "docType">): string[] =>
  [label, docType].filter((fact) => fact !== undefined);

/** What it replaced, and what was rejected on its subject. */
export const pastLines = ({ history }: Hit): string[] => [
  ...history.slice(0, HISTORY_LINES).map((past) => `  ${became(past)}: ${oneLine(past.content)}`),
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
  const moved = change > 0 ? "raised" : "lowered";
  return name === "ownSession" ? `${moved} to put this session first` : `${moved} by ${name}`;
}

function became({ status, reason, validUntil, folded }: Hit["history"][number]): string {
  if (folded) return "folded";
  if (status !== "rejected") return `held until ${validUntil?.slice(0, 10) ?? "?"}`;
  return `rejected${reason ? ` (${oneLine(reason, 120)})` : ""}`;
}

/** The speaker and the date of the matching passage, if known. */
function saidBy(passage: Hit["passage"]): string[] {
  const who = passage?.speaker ?? passage?.role;
  const day = passage?.at?.replace(/T.*/, "");
  return [...(who ? [`said by ${who}`] : []), ...(day ? [`on ${day}`] : [])];
}

export const percent = (share: number) => `${Math.round(share * 100)} %`;

export const oneLine = (text: string, limit = LINE_CHARACTERS): string => shownLine(text, limit);

export function placeOf({ path, startLine, endLine, heading, symbol }: Hit): string {
  const lines = startLine === undefined ? "" : `:${startLine}${endLine && endLine > startLine ? `-${endLine}` : ""}`;
  const within = symbol ?? heading;
  return `${path}${lines}${within ? ` (${within})` : ""}`;
}

/** The validity window of a decision, if stated. */
function windowOf({ shelf, validFrom, validUntil }: Hit): string[] {
  if (shelf !== "decision" && shelf !== "proposal") return [];
  const days = [validFrom && `from ${validFrom.slice(0, 10)}`, validUntil && `until ${validUntil.slice(0, 10)}`];
  return days.filter((day) => day !== null);
}
