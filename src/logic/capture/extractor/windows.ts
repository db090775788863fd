/**
 * Windows: neighbouring sentences that may become a memory.
 *
 * A sentence alone often lacks its subject, which stands in the one before or in the heading. Short remarks between
 * tool calls follow each other across messages, so a window may span them. Only in a list is anything passed over, and
 * a window holds at most two sections: sentences picked from all over a report read as if put together at random.
 */
import { CAPTURED_CHARACTERS } from "../../../model/capture/stretch.ts";
import { tellingStems } from "../../text/words.ts";
import { isUpkeep } from "./commit-message.ts";
import { joined, type Placed } from "./join-sentences.ts";
import { cutsList, lacksAnnounced, mixesSections } from "./lists.ts";
import { isCarriedOut, isTelling } from "./on-the-way.ts";
import { isBare } from "./sentences/bare-heads.ts";
import { isDangling } from "./sentences/dangling.ts";
import { withoutOpener } from "./sentences/openers.ts";
import { type Statement, undoneUnits } from "./overturned.ts";
import type { Passage, Place } from "./passage.ts";
import { retractedUnits } from "./retracted.ts";
import { lacksMainClause, lacksPlural } from "./sentences/incomplete.ts";
import { isReasoned } from "./sentences/passing.ts";
import { isOfExample } from "./sentences/stand-alone.ts";
import type { Unit } from "./sentences/units.ts";
import { part, withdrawnUnits } from "./withdrawn.ts";

export interface Window {
  text: string;
  placed: Placed[];
}

const WIDEST = 8;
const SHORTEST = 60;
/** An item this long, of several clauses, is understood without its list. */
const SHORTEST_LONE_ITEM = 120;
/** Shorter ones are exclamations on the way. */
const SHORTEST_REMARK = 40;
/** Of a list, between two of its items. */
const MOST_LEFT_OUT = 1;
/** A sentence with so many of its words in another says the same. */
const SAID_AGAIN = 0.8;
/** A person says much in few words. */
const KEPT_SHORT: ReadonlySet<Place> = new Set(["prompt", "commit"]);

/** `told`: memories of earlier stretches. */
export function windowsOf(passages: readonly Passage[], told: readonly Statement[] = []): Window[] {
  const windows = new Map<string, Window>();
  for (const run of runsOf(passages, told))
    for (let first = 0; first < run.length; first += 1)
      for (let last = first; last < Math.min(run.length, first + WIDEST); last += 1) {
        const placed = run.slice(first, last + 1);
        const text = joined(placed);
        if (text.length > CAPTURED_CHARACTERS || isBroken(placed)) break;
        const isKept = KEPT_SHORT.has(placed[0]!.passage.place) || standsAlone(text, placed);
        const isCut = cutsList(run, first, last) || mixesSections(run, first, last);
        if (isKept && !isCut && isWhole(placed) && !windows.has(text)) windows.set(text, { text, placed });
      }
  return [...windows.values()];
}

/** Whether its last sentence does not go with those before. */
function isBroken(placed: readonly Placed[]): boolean {
  const last = placed.at(-1)!;
  const stems = tellingStems(last.unit.text);
  const earlier = placed.slice(0, -1);
  const isSaidAgain =
    !last.unit.isItem && earlier.some(({ unit }) => part(stems, tellingStems(unit.text)) >= SAID_AGAIN);
  return isSaidAgain || (earlier.length > 0 && !isNext(earlier.at(-1)!, last));
}

/** What a colon announces must follow: a list, or somebody's words. */
const isWhole = (placed: readonly Placed[]): boolean =>
  placed.every(({ unit }, index) => {
    const next = placed[index + 1]?.unit;
    return !unit.text.endsWith(":") || next?.isItem === true || (next?.isQuoted === true && !unit.isQuoted);
  });

/** Somebody else's words are told only with the sentence that announces them, or they would pass for the agent's. */
const hasAnnouncedQuotations = (placed: readonly Placed[]): boolean =>
  placed.every(({ unit }, index) => {
    const before = placed[index - 1]?.unit;
    return !unit.isQuoted || before?.isQuoted === true || before?.text.endsWith(":") === true;
  });

/** Sentences of two messages belong together only if they have words in common. */
function isNext(before: Placed, after: Placed): boolean {
  const { passage, position, unit } = after;
  if (passage === before.passage)
    return (
      position <= before.position + 1 + MOST_LEFT_OUT &&
      passage.units.slice(before.position + 1, position).every((left) => isItemOf(left, before, after))
    );
  const isSentence = ({ text, isItem }: Unit) => !isItem && text.length >= SHORTEST_REMARK;
  return isSentence(unit) && isSentence(before.unit) && sharesWords(before.unit.text, unit.text);
}

/** A list may do without an item that says nothing; one that lacks more was mostly about the moment, and is left out. */
const isItemOf = (left: Unit, ...ends: Placed[]): boolean =>
  left.isItem && ends.every(({ unit }) => unit.isItem && unit.heading === left.heading);

function sharesWords(one: string, other: string): boolean {
  const stems = tellingStems(other);
  return [...tellingStems(one)].some((stem) => stems.has(stem));
}

/** Whether an agent's words can be understood without those around them. */
function standsAlone(text: string, placed: readonly Placed[]): boolean {
  const { unit } = placed[0]!;
  const hasClauses = unit.text.length >= SHORTEST_LONE_ITEM && /[.:—–;]\s/.test(unit.text);
  const isLoneItem = placed.length === 1 && unit.isItem && isBare(unit.heading) && !hasClauses;
  return (
    text.length >= SHORTEST &&
    hasAnnouncedQuotations(placed) &&
    !isLoneItem &&
    !isDangling(text) &&
    !isDangling(withoutOpener(unit.text, true)) &&
    !lacksMainClause(unit.text) &&
    !(isBare(unit.heading) && lacksPlural(unit.text)) &&
    !lacksAnnounced(placed) &&
    !isOfExample(text)
  );
}

/** Sentences that may stand in one window. */
function runsOf(passages: readonly Passage[], told: readonly Statement[]): Placed[][] {
  const runs: Placed[][] = [];
  const withdrawn = new Set([...withdrawnUnits(passages), ...undoneUnits(passages, told)]);
  const retracted = retractedUnits(passages);
  const isKept = (unit: Unit, passage: Passage) =>
    isTelling(unit, passage.place) && !withdrawn.has(unit) && !isCarriedOut(unit, passage, passages);
  let before: Passage | undefined;
  for (const passage of passages.filter((one) => !isOfUpkeep(one))) {
    const placed = passage.units
      .map((unit, position) => ({ unit, passage, position }))
      .filter(({ unit }) => !retracted.has(unit) && (KEPT_SHORT.has(passage.place) || isKept(unit, passage)));
    if (placed.length === 0) continue;
    const isRemark = before?.place === "middle" && passage.place === "middle" && passage.turn === before.turn;
    if (isRemark) runs.at(-1)!.push(...placed);
    else runs.push(placed);
    before = passage;
  }
  return runs;
}

/** Whether a commit that changes nothing for others has no reason to tell. */
const isOfUpkeep = ({ place, units }: Passage): boolean =>
  place === "commit" && isUpkeep(units[0]!.text) && !units.some(({ text }) => isReasoned(text));
