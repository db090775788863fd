/**
 * Hits as text for an agent, which pays for every token: one line a hit, with handle, date and source.
 *
 * Of a long text the part that answers the question is quoted, and of a guess only the beginning; `get` reads the rest.
 */
import type { Source } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Hit, Past } from "../../model/recall/hit.ts";
import { shownLine } from "../../model/text/cut.ts";
import { titled } from "../../model/text/titled.ts";
import { GUESS_BELOW, percent, placeOf } from "./render-hits.ts";

const LINE_CHARACTERS = 400;
const GUESS_CHARACTERS = 160;
const REMARK_CHARACTERS = 120;
const HISTORY_LINES = 2;
/** Beside a hit that likely answers, less relevant ones are left out. */
const LIKELY = 0.5;
const LEAST_BESIDE_LIKELY = 0.1;
/** Where nothing likely answers, hits are left out that are so many times less relevant than the best. */
const TIMES_LESS = 20;
/** If even the best is less relevant, that is said. */
const CLEAR = 0.1;
const UNCLEAR = "Nothing clearly answers that; the nearest:";

export function hitsForAgent(hits: readonly Hit[], degraded: string | null, nothing: string): string {
  const note = degraded ? [`(${degraded})`] : [];
  return [...(hits.length === 0 ? [nothing] : hits.map(hitLines)), ...note].join("\n");
}

/** What answers by itself. Of sessions and files several passages answer together, some of them hardly relevant alone. */
const WHOLE: readonly Shelf[] = ["memory", "decision", "proposal"];

/**
 * The same without hits that are irrelevant beside the others. On questions about memories this saves a third of the tokens,
 * and lost no answer on those it was chosen by.
 */
export function relevantForAgent(hits: readonly Hit[], degraded: string | null, nothing: string): string {
  const best = Math.max(0, ...hits.map(({ relevance }) => relevance));
  const least = best >= LIKELY ? LEAST_BESIDE_LIKELY : best / TIMES_LESS;
  const told = hits.filter(({ relevance, shelf }) => relevance >= least || !WHOLE.includes(shelf));
  return [
    ...(hits.length > 0 && best < CLEAR ? [UNCLEAR] : []),
    hitsForAgent(told, degraded, nothing),
    ...(told.length < hits.length ? [`(${hits.length - told.length} far less relevant left out)`] : []),
  ].join("\n");
}

function hitLines(hit: Hit): string {
  const { handle, title, content, excerpt, history } = hit;
  const isFile = hit.path !== undefined;
  const isGuess = hit.relevance < GUESS_BELOW;
  const text = shownLine(
    titled(isFile ? null : title, excerpt ?? content),
    isGuess ? GUESS_CHARACTERS : LINE_CHARACTERS,
  );
  // An ellipsis says by itself that there is more; an excerpt does not.
  const rest = excerpt !== undefined && !isGuess && !isFile ? ` (get ${handle} for all)` : "";
  return [
    `${isFile ? placeOf(hit) : handle} ${percent(hit.relevance)} ${factsOf(hit)}: ${text}${rest}`,
    ...remarks(hit).map((remark) => `  ${shownLine(remark, REMARK_CHARACTERS)}`),
    ...history.slice(0, HISTORY_LINES).map((past) => `  ${shownLine(pastLine(past), REMARK_CHARACTERS)}`),
  ].join("\n");
}

function factsOf(hit: Hit): string {
  const { type, createdAt, source, byAgent, path, passage, validFrom } = hit;
  if (path !== undefined) return type;
  const day = (passage?.at ?? validFrom ?? createdAt).slice(0, 10);
  const who = passage?.speaker ?? passage?.role ?? (byAgent ? "agent" : SOURCES[source]);
  const what = hit.shelf === "decision" ? "decided" : `${type}, ${who}`;
  return `${hit.unratified ? "not ratified, " : ""}${hit.status === "archived" ? "archived " : ""}${what} ${day}`;
}

/** In the word that costs least. */
const SOURCES: Readonly<Record<Source, string>> = {
  user_explicit: "person",
  manual: "person",
  ai_inferred: "agent",
  system_auto: "event",
  extraction: "captured",
  code_index: "code",
  "file-index": "file",
};

function remarks({ contradicts, stale, validUntil, code }: Hit): string[] {
  return [
    ...contradicts.map(({ handle, why }) => `contradicts decision ${handle}: ${why}`),
    ...(stale ? [`stale: ${stale}`] : []),
    ...(validUntil ? [`holds until ${validUntil.slice(0, 10)}`] : []),
    ...(code ? [`describes ${code.path ?? "code"}, get ${code.handle}`] : []),
  ];
}

function pastLine({ status, reason, validUntil, content, folded }: Past): string {
  if (folded) return `folded in: ${content}`;
  if (status === "rejected") return `rejected: ${content}${reason ? ` (${reason})` : ""}`;
  return `until ${validUntil?.slice(0, 10) ?? "then"}: ${content}`;
}
