/**
 * Windows: one to four neighbouring sentences that may become a memory.
 *
 * A sentence alone often lacks its subject, which stands in the one before or in the heading. Short remarks between
 * tool calls follow each other across messages, so a window may span them.
 */
import { tellingStems } from "../../text/words.ts";
import { CAPTURED_CHARACTERS } from "../../../model/capture/stretch.ts";
import {
  isChatter,
  isDangling,
  isEmpty,
  isFragment,
  isIdleHead,
  isMomentary,
  isQuestion,
  isUnderWay,
  passingClass,
} from "./passing.ts";
import type { Passage, Place } from "./passage.ts";
import type { Unit } from "./units.ts";
import { withdrawnUnits } from "./withdrawn.ts";

export interface Placed {
  unit: Unit;
  passage: Passage;
  /** Position of the unit in its passage. */
  position: number;
}

export interface Window {
  text: string;
  placed: Placed[];
}

const WIDEST = 4;
const SHORTEST = 60;
/** Shorter ones are exclamations on the way. */
const SHORTEST_REMARK = 40;
/** A person says much in few words. */
const KEPT_SHORT: ReadonlySet<Place> = new Set(["prompt", "commit"]);

export function windowsOf(passages: readonly Passage[]): Window[] {
  const windows = new Map<string, Window>();
  for (const run of runsOf(passages))
    for (let first = 0; first < run.length; first += 1)
      for (let last = first; last < Math.min(run.length, first + WIDEST); last += 1) {
        const placed = run.slice(first, last + 1);
        const text = joined(placed);
        if (text.length > CAPTURED_CHARACTERS) break;
        if (last > first && !isNext(run[last - 1]!, run[last]!)) break;
        const isKept = KEPT_SHORT.has(placed[0]!.passage.place) || standsAlone(text, placed);
        if (isKept && isWhole(placed) && !windows.has(text)) windows.set(text, { text, placed });
      }
  return [...windows.values()];
}

/** What a colon announces must follow. */
const isWhole = (placed: readonly Placed[]): boolean =>
  placed.every(({ unit }, index) => !unit.text.endsWith(":") || placed[index + 1]?.unit.isItem === true);

/** Of one message without a gap; of two, only sentences with words in common: else they have nothing to do with each other. */
function isNext(before: Placed, { passage, position, unit }: Placed): boolean {
  if (passage === before.passage) return position === before.position + 1;
  const isSentence = ({ text, isItem }: Unit) => !isItem && text.length >= SHORTEST_REMARK;
  return isSentence(unit) && isSentence(before.unit) && sharedStems(before.unit.text, unit.text) > 0;
}

function sharedStems(one: string, other: string): number {
  const stems = tellingStems(other);
  return [...tellingStems(one)].filter((stem) => stems.has(stem)).length;
}

/** How things stood may accompany what was found, but is nothing by itself. */
const isMostlyTelling = (placed: readonly Placed[]): boolean =>
  placed.filter(({ unit }) => isMomentary(unit.text)).length * 2 < placed.length;

/** Whether an agent's words can be understood without those around them. */
function standsAlone(text: string, placed: readonly Placed[]): boolean {
  const { unit } = placed[0]!;
  const isLoneItem = placed.length === 1 && unit.isItem && isBare(unit.heading);
  return text.length >= SHORTEST && !isLoneItem && !isDangling(text) && isMostlyTelling(placed);
}

const isTelling = ({ text, heading }: Unit, place: Place): boolean =>
  !(place === "compaction" && isUnderWay(text, heading)) &&
  !isFragment(text) &&
  !(isQuestion(text) || isChatter(text) || isEmpty(text) || isIdleHead(heading));

/** Sentences that may stand in one window. */
function runsOf(passages: readonly Passage[]): Placed[][] {
  const runs: Placed[][] = [];
  const withdrawn = withdrawnUnits(passages);
  let before: Passage | undefined;
  for (const passage of passages) {
    const placed = passage.units
      .map((unit, position) => ({ unit, passage, position }))
      .filter(({ unit }) => KEPT_SHORT.has(passage.place) || (isTelling(unit, passage.place) && !withdrawn.has(unit)));
    if (placed.length === 0) continue;
    const isRemark = before?.place === "middle" && passage.turn === before.turn && passage.place !== "commit";
    if (isRemark) runs.at(-1)!.push(...placed);
    else runs.push(placed);
    before = passage;
  }
  return runs;
}

/** Politeness, and words that tie a sentence to one that is not there. */
const OPENING =
  /^(?:(?:(?:you're|that's) (?:absolutely |totally )?(?:right|correct)|(?:good|great|fair|excellent) (?:point|catch|question|idea|call|news)|fair enough|got it|understood|interesting(?:ly)?|agreed|exactly|absolutely|indeed|hmm+|right|yes|yep|sure|ok(?:ay)?|well|honestly(?: though)?|however|also|additionally|that said|so|and|but)(?:\s?[,.!:;—–]|\s-)\s*|(?:but|and|so) (?=\S))+/i;
/** Says no more than that a message has sections. */
const BARE_HEADING = /^(?:summary|overview|analysis|details|context|background|notes?)$/i;

function opened(text: string): string {
  const rest = text.replace(OPENING, "");
  return rest === text || rest === "" ? text : `${rest[0]!.toUpperCase()}${rest.slice(1)}`;
}

/** List items have no full stop, and without one the next sentence would run on. A heading stands before its first. */
function joined(placed: readonly Placed[]): string {
  const { unit: first, passage } = placed[0]!;
  return placed
    .map(({ unit }, index) => {
      const next = placed[index + 1]?.unit;
      const isHead = unit === first || unit.heading !== placed[index - 1]!.unit.heading;
      const text = unit === first && !KEPT_SHORT.has(passage.place) ? opened(unit.text) : unit.text;
      const said = isHead && !isBare(unit.heading) ? `${unit.heading}: ${text}` : text;
      if (next === undefined || /[.!?:;,…—]["')\]`]*$/.test(said)) return said;
      return `${said}${unit.isItem && next.isItem && next.heading === unit.heading ? ";" : "."}`;
    })
    .join(" ");
}

const isBare = (heading: string): boolean =>
  heading === "" || BARE_HEADING.test(heading) || passingClass(`${heading}:`) !== null;
