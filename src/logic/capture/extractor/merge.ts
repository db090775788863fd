/** Makes one memory of short ones from the same message: together they say what none of them says alone. */
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

/** The nearest first: what stands close together belongs together more often. */
export function merged(candidates: readonly Candidate[]): Candidate[] {
  const found = [...candidates];
  for (let pair = nearestPair(found); pair !== null; pair = nearestPair(found)) {
    const [one, other] = pair;
    found.splice(one, 1, together(found[one]!, found[other]!));
    found.splice(other, 1);
  }
  return found;
}

function nearestPair(candidates: readonly Candidate[]): [number, number] | null {
  let nearest: [number, number] | null = null;
  let least = Infinity;
  for (const [index, { window }] of candidates.entries())
    for (const [offset, { window: other }] of candidates.slice(index + 1).entries()) {
      const apart = isSameMessage(window, other) ? distance(window, other) : Infinity;
      if (apart < least && isRelated(window, other)) [nearest, least] = [[index, index + 1 + offset], apart];
    }
  return nearest;
}

/** In sentences of the message. */
function distance(one: Window, other: Window): number {
  const [first, second] = isBefore(one, other) ? [one, other] : [other, one];
  return second.placed[0]!.position - first.placed.at(-1)!.position;
}

/** Of two in one message. What the person laid down stands alone. */
function isRelated(one: Window, other: Window): boolean {
  if (isStated(one) || isStated(other)) return false;
  const [first, second] = isBefore(one, other) ? [one, other] : [other, one];
  if (beginsNewStory(first.placed.at(-1)!, second.placed[0]!)) return false;
  return joined([...first.placed, ...second.placed]).length <= CAPTURED_CHARACTERS;
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

/** In one message, or in the session; a line of it may hold several messages, whose order is not known. */
export function isBefore(one: Window, other: Window): boolean {
  const [from, to] = [one.placed[0]!, other.placed[0]!];
  return from.passage === to.passage ? from.position < to.position : from.passage.line < to.passage.line;
}
