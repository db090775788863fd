/**
 * Windows: one to four neighbouring sentences that may become a memory.
 *
 * A sentence alone often lacks its subject, which stands in the one before or in the heading. Short remarks between
 * tool calls follow each other across messages, so a window may span them.
 */
import { CAPTURED_CHARACTERS } from "../../../model/capture/stretch.ts";
import { isChatter, isEmpty } from "./cues.ts";
import type { Passage, Place } from "./passage.ts";
import type { Unit } from "./units.ts";

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

const WIDEST = 3;
const SHORTEST = 30;
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
        const isLong = text.length >= SHORTEST || KEPT_SHORT.has(placed[0]!.passage.place);
        if (isLong && isWhole(placed) && !windows.has(text)) windows.set(text, { text, placed });
      }
  return [...windows.values()];
}

/** What a colon announces must follow. */
const isWhole = (placed: readonly Placed[]): boolean =>
  placed.every(({ unit }, index) => !unit.text.endsWith(":") || placed[index + 1]?.unit.isItem === true);

/** Sentences that may stand in one window. */
function runsOf(passages: readonly Passage[]): Placed[][] {
  const runs: Placed[][] = [];
  let before: Passage | undefined;
  for (const passage of passages) {
    const placed = passage.units
      .map((unit, position) => ({ unit, passage, position }))
      .filter(({ unit }) => KEPT_SHORT.has(passage.place) || !(isChatter(unit.text) || isEmpty(unit.text)));
    if (placed.length === 0) continue;
    const isRemark = before?.place === "middle" && passage.turn === before.turn && passage.place !== "commit";
    if (isRemark) runs.at(-1)!.push(...placed);
    else runs.push(placed);
    before = passage;
  }
  return runs;
}

/** List items have no full stop, and without one the next sentence would run on. */
function joined(placed: readonly Placed[]): string {
  const { heading } = placed[0]!.unit;
  const text = placed
    .map(({ unit }, index) => {
      const next = placed[index + 1]?.unit;
      if (next === undefined || /[.!?:;,…—]["')\]`]*$/.test(unit.text)) return unit.text;
      return `${unit.text}${unit.isItem && next.isItem ? ";" : "."}`;
    })
    .join(" ");
  return heading === "" || isChatter(`${heading}:`) ? text : `${heading}: ${text}`;
}
