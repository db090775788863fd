/** A card as lines: each says who said it, and no text of a session can begin a line of its own. */
import type { SessionCard } from "../../model/sessions/card.ts";
import { shownLine } from "../../model/text/cut.ts";
import type { Zone } from "../../model/time/zone.ts";
import { isoTimeIn } from "../time/time-anchor.ts";

/** Of all lines together; the longest give way. */
const CARD_CHARACTERS = 1_000;
const FILES_SHOWN = 6;
const COMMITS_SHOWN = 5;
const LEAST_LINE = 60;

/** Agents read it too, and "you" would be themselves. */
export function cardLines(card: SessionCard, zone: Zone): string[] {
  const lines = [
    [spanOf(card, zone), card.branch === null ? "" : `branch ${card.branch}`, card.host].filter(Boolean).join(", "),
    ...titleLines(card),
    card.said && `Agent asked: ${card.said.question} User answered: ${card.said.answer}`,
    card.files.length > 0 && `Edited: ${some(card.files.map(fileShown), FILES_SHOWN, ", ")}`,
    card.commits.length > 0 && `Committed: ${some(card.commits.toReversed(), COMMITS_SHOWN, "; ")}`,
    card.check && checkLine(card.check),
    card.ended &&
      `${card.ended.by === "agent" ? "Agent's last words" : `Left over (summed up by ${card.host})`}: ${card.ended.text}`,
    card.unanswered !== null && `Agent asked, unanswered: ${card.unanswered}`,
  ];
  return fitting(lines.filter((line) => typeof line === "string").map((line) => shownLine(line, CARD_CHARACTERS)));
}

function titleLines({ title, asked, host }: SessionCard): string[] {
  const own = asked === null ? [] : [`User asked: ${asked}`];
  if (title.by === "program") return [`Title by ${host}: ${title.text}`, ...own];
  if (own.length > 0) return own;
  return title.text === "" || title.by === "branch" ? [] : [`User asked: ${title.text}`];
}

const checkLine = ({ command, passed, outcome }: NonNullable<SessionCard["check"]>): string =>
  `Last check: ${command} ${passed ? "passed" : "failed"}${outcome === "" ? "" : `: ${outcome}`}`;

const fileShown = ({ path, edits }: SessionCard["files"][number]): string => (edits > 1 ? `${path} (${edits})` : path);

const some = (all: readonly string[], most: number, joint: string): string =>
  all.slice(0, most).join(joint) + (all.length > most ? `${joint}${all.length - most} more` : "");

/** "2026-03-02 09:15–10:40", with the second day only where it is another. */
function spanOf({ from, to }: SessionCard, zone: Zone): string {
  const [start, end] = [from, to].map((at) => isoTimeIn(at, zone).slice(0, 16).replace("T", " ")) as [string, string];
  if (start === end) return start;
  return start.slice(0, 10) === end.slice(0, 10) ? `${start}–${end.slice(11)}` : `${start} – ${end}`;
}

function fitting(lines: readonly string[]): string[] {
  const left = [...lines];
  for (;;) {
    const excess = left.reduce((sum, line) => sum + line.length + 1, -1) - CARD_CHARACTERS;
    const length = left.slice(1).reduce((most, line) => Math.max(most, line.length), 0);
    if (excess <= 0 || length <= LEAST_LINE) return left;
    const longest = left.findLastIndex((line, index) => index > 0 && line.length === length);
    left[longest] = shownLine(
      left[longest]!,
      Math.max(LEAST_LINE, Math.min(length - 1, length - Math.ceil(excess / 4))),
    );
  }
}
