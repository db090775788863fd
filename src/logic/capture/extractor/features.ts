/**
 * What a window is judged by: where it stands, what it names, and whether its words come back in the stretch.
 *
 * Nothing here knows a project or a programming language. Words that recur in several messages carry the topic of the
 * work; that tells more than any phrase.
 */
import { tellingStems } from "../../text/words.ts";
import { CUES } from "./sentences/cue-phrases.ts";
import { CODE } from "./sentences/cues.ts";
import { isGuess } from "./sentences/guesses.ts";
import type { Passage } from "./passage.ts";
import type { Window } from "./windows.ts";

export interface Features {
  plan: number;
  prompt: number;
  commit: number;
  published: number;
  middle: number;
  compaction: number;
  /** How late in the stretch, from 0 to 1. */
  lateness: number;
  /** First sentence of its message. */
  opening: number;
  /** How far down in its message, from 0 to 1. */
  depth: number;
  length: number;
  code: number;
  items: number;
  rows: number;
  firstPerson: number;
  guess: number;
  /** Words that other passages have too: all of them together, and on average. */
  recurring: number;
  meanRecurring: number;
  cause: number;
  fix: number;
  choice: number;
  open: number;
  caution: number;
}

/** What a window is compared with. */
export interface Surroundings {
  /** In how many passages a stem occurs. */
  frequency: ReadonlyMap<string, number>;
  positions: ReadonlyMap<Passage, number>;
}

const MOST_CODE = 5;
const MOST_RECURRING = 2;
const RECURRING_SCALE = 20;
const LENGTH_SCALE = 400;
const FIRST_PERSON = /\bI(?:'ll| will|'m| am)\b|\blet me\b/i;
const TABLE_ROW = / — .* — /;

export function surroundingsOf(passages: readonly Passage[]): Surroundings {
  const frequency = new Map<string, number>();
  for (const { units } of passages)
    for (const word of tellingStems(units.map(({ text }) => text).join("\n")))
      frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return { frequency, positions: new Map(passages.map((passage, index) => [passage, index])) };
}

/** `stems`: of the window's text. */
export function featuresOf(window: Window, stems: ReadonlySet<string>, around: Surroundings): Features {
  const { text, placed } = window;
  const { passage, position } = placed[0]!;
  const is = (place: Passage["place"]) => Number(passage.place === place);
  const share = (pattern: RegExp) => placed.filter(({ unit }) => pattern.test(unit.text)).length / placed.length;
  const has = (pattern: RegExp) => Number(pattern.test(text));
  const places = [...stems].map((word) => Math.log(around.frequency.get(word) ?? 1));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    plan: is("plan"),
    prompt: is("prompt"),
    commit: is("commit"),
    published: is("published"),
    middle: is("middle"),
    compaction: is("compaction"),
    lateness: (around.positions.get(passage) ?? 0) / Math.max(1, around.positions.size - 1),
    opening: Number(position === 0),
    depth: position / Math.max(1, passage.units.length - 1),
    length: text.length / LENGTH_SCALE,
    code: Math.min(MOST_CODE, (text.match(CODE) ?? []).length) / MOST_CODE,
    items: placed.filter(({ unit }) => unit.isItem).length / placed.length,
    rows: share(TABLE_ROW),
    firstPerson: share(FIRST_PERSON),
    guess: placed.filter(({ unit }) => isGuess(unit.text)).length / placed.length,
    recurring: sum(places.map((value) => Math.min(MOST_RECURRING, value))) / RECURRING_SCALE,
    meanRecurring: sum(places) / Math.max(1, places.length),
    cause: has(CUES.cause),
    fix: has(CUES.fix),
    choice: has(CUES.choice),
    open: has(CUES.open),
    caution: has(CUES.caution),
  };
}
