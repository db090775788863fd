/**
 * Hits as text for an agent, which pays for every token: one line a hit, with handle, date and source.
 *
 * Of a long text the part that answers the question is quoted, and of a guess only the beginning; `get` reads the rest.
 */
import { SPEAKER_OF } from "../../model/memory/speakers.ts";
import type { Hit, Past } from "../../model/recall/hit.ts";
import { shownLine } from "../../model/text/cut.ts";
import { titleApart } from "../../model/text/titled.ts";
import { dayIn } from "../../model/time/day-shown.ts";
import type { Zone } from "../../model/time/zone.ts";
import { GUESS_BELOW, documentFacts, otherSessionFact, percent, placeOf, toldLines } from "./render-hits.ts";
import type { Told } from "./told-hits.ts";

const LINE_CHARACTERS = 400;
const GUESS_CHARACTERS = 160;
const TITLE_CHARACTERS = 80;
const REMARK_CHARACTERS = 120;
const HISTORY_LINES = 2;

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
    isGuess ? GUESS_CHARACTERS : LINE_CHARACTERS,
  );
  // What an answer was said to, somebody else may have said.
  const to = isSaid && title !== null ? `, on "${shownLine(title, TITLE_CHARACTERS).replaceAll('"', "'")}"` : "";
  // An ellipsis says by itself that there is more; an excerpt does not.
  const rest = excerpt !== undefined && !isGuess && !isFile ? ` (get ${handle} for all)` : "";
  return [
    `${besideOf(hit)}${isFile ? placeOf(hit) : handle} ${percent(hit.relevance)} ${factsOf(hit, zone)}${to}: ${text}${rest}`,
    ...remarks(hit, zone).map((remark) => `  ${shownLine(remark, REMARK_CHARACTERS)}`),
    ...history.slice(0, HISTORY_LINES).map((past) => `  ${shownLine(pastLine(past, zone), REMARK_CHARACTERS)}`),
  ].join("\n");
}

/** Before a hit that something stands above. */
const besideOf = ({ beside }: Hit): string =>
  beside ? `  ${beside.is}${beside.contradicts ? ", contradicts" : ""} (settle ${beside.handle}): ` : "";

/** What stands above it, unless that is the hit before. */
const besideText = ({ beside }: Hit, zone: Zone): string[] =>
  beside?.summary === undefined
    ? []
    : [`${beside.is === "earlier" ? "later" : "earlier"}, ${dayIn(beside.createdAt, zone)}: ${beside.handle} ${beside.summary}`]; // prettier-ignore

function factsOf(hit: Hit, zone: Zone): string {
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
    ...conditions.map((when) => `holds when: ${when}`),
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
