/** Makes one memory of two short ones from the same message: together they say what neither says alone. */
import { CAPTURED_CHARACTERS } from "../../../model/capture/stretch.ts";
import { isStated } from "./describe.ts";
import { joined } from "./join-sentences.ts";
import { beginsNewStory } from "./lists.ts";
import type { Window } from "./windows.ts";

export interface Candidate {
  window: Window;
  stems: ReadonlySet<string>;
  likelihood: number;
  /** Takes something back, or overturns what an earlier stretch told. */
  corrects: boolean;
}

export function merged(candidates: readonly Candidate[]): Candidate[] {
  const found: Candidate[] = [];
  for (const one of candidates) {
    const index = found.findIndex((other) => isRelated(one.window, other.window));
    if (index < 0) found.push(one);
    else found[index] = together(found[index]!, one);
  }
  return found;
}

/** What the person laid down stands alone. */
function isRelated(one: Window, other: Window): boolean {
  if (isStated(one) || isStated(other)) return false;
  const [first, second] = isBefore(one, other) ? [one, other] : [other, one];
  if (beginsNewStory(first.placed.at(-1)!, second.placed[0]!)) return false;
  return isSameMessage(one, other) && joined([...first.placed, ...second.placed]).length <= CAPTURED_CHARACTERS;
}

const isSameMessage = (one: Window, other: Window): boolean => one.placed[0]!.passage === other.placed[0]!.passage;

function together(one: Candidate, other: Candidate): Candidate {
  const [first, second] = isBefore(one.window, other.window) ? [one, other] : [other, one];
  const placed = [...first.window.placed, ...second.window.placed];
  return {
    window: { text: joined(placed), placed },
    stems: new Set([...one.stems, ...other.stems]),
    likelihood: Math.max(one.likelihood, other.likelihood),
    corrects: one.corrects || other.corrects,
  };
}

function isBefore(one: Window, other: Window): boolean {
  const [from, to] = [one.placed[0]!, other.placed[0]!];
  return from.passage.line === to.passage.line ? from.position < to.position : from.passage.line < to.passage.line;
}
