/**
 * Makes one text of the sentences of a window.
 *
 * List items have no full stop, and without one the next sentence would run on. A heading stands before its first
 * sentence. What belongs to the conversation is left out, so that the text states facts.
 */
import { CAPTURED_CHARACTERS } from "../../../model/capture/stretch.ts";
import { isBare } from "./sentences/bare-heads.ts";
import { unlabelled } from "./sentences/labels.ts";
import { withoutOpener } from "./sentences/openers.ts";
import type { Passage, Place } from "./passage.ts";
import { announcesList } from "./sentences/stand-alone.ts";
import type { Unit } from "./sentences/units.ts";

export interface Placed {
  unit: Unit;
  passage: Passage;
  /** Position of the unit in its passage. */
  position: number;
}

const ENDED = /[.!?:;,…—]["')\]`]*$/;
const SPOKEN: ReadonlySet<Place> = new Set(["middle", "final"]);

export const joined = (placed: readonly Placed[]): string =>
  placed
    .map((one, index) => {
      const { unit } = one;
      const [before, next] = [placed[index - 1], placed[index + 1]?.unit];
      const isHead = before === undefined || unit.heading !== before.unit.heading;
      const text = statement(one, isHead || !isFollowing(before, one));
      const heading =
        isHead && !isBare(unit.heading) && (unit.isItem || !announcesList(unit.heading))
          ? `${withoutOpener(unlabelled(unit.heading), true)}: `
          : "";
      const said = `${heading}${text}`;
      if (next === undefined || ENDED.test(said)) return said;
      return `${said}${unit.isItem && next.isItem && next.heading === unit.heading ? ";" : "."}`;
    })
    .join(" ");

/** Texts whose first sentence sums up the rest. */
const TITLED: ReadonlySet<Place> = new Set(["commit", "published"]);
const LONGEST_TITLE = 110;

/** The text with the subject of the commit, or the title, that it stands under; as it is if there is no room. */
export function underTitle(text: string, { passage: { place, units }, position }: Placed): string {
  const first = units[0]!;
  const isTitle = TITLED.has(place) && !first.isItem && first.heading === "" && first.text.length <= LONGEST_TITLE;
  if (position === 0 || !isTitle || (place === "published" && ENDED.test(first.text))) return text;
  const titled = `${first.text.replace(/[.:]$/, "")}. ${text}`;
  return titled.length <= CAPTURED_CHARACTERS ? titled : text;
}

/** What a sentence states, to whomever it was said. */
export function statement({ unit, passage: { place } }: Placed, isFirst: boolean): string {
  const text = place === "commit" ? unit.text : withoutOpener(unit.text, isFirst);
  return unlabelled(SPOKEN.has(place) ? impersonal(text) : text);
}

const impersonal = (text: string): string =>
  text.replace(/\byour\b(?! own)/g, "the").replace(/\bYour\b(?! own)/g, "The");

const isFollowing = (before: Placed, after: Placed): boolean =>
  before.passage === after.passage && after.position === before.position + 1;
