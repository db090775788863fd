/**
 * Chooses what a stretch of work teaches: windows of neighbouring sentences, scored, spread by relevance and novelty.
 */
import { CAPTURED_CHARACTERS, STRETCH_MEMORIES, type Captured } from "../../model/capture/stretch.ts";
import { tellingStems } from "../text/words.ts";
import { CORRECTION, HEADING, PLACE_WEIGHTS, unitScore } from "./cues.ts";
import { described } from "./describe.ts";
import type { Notes } from "./notes.ts";
import type { Passage } from "./passage.ts";

export interface Window {
  text: string;
  score: number;
  passage: Passage;
}

const WIDEST = 4;
const CONSIDERED = 250;
const RELEVANCE = 0.65;

export function chosen(notes: Notes): Captured[] {
  const best = new Map<string, Window>();
  for (const window of notes.passages.flatMap(windowsOf))
    if ((best.get(window.text)?.score ?? -Infinity) < window.score) best.set(window.text, window);
  const ranked = [...best.values()].sort((one, two) => two.score - one.score).slice(0, CONSIDERED);
  return spread(ranked, STRETCH_MEMORIES).map(({ text, passage }) => described(text, passage, notes.files));
}

export function windowsOf(passage: Passage): Window[] {
  const { units, place, error } = passage;
  const scores = units.map(({ text, heading }) => {
    if (place === "compaction" && !HEADING.test(heading) && unitScore(text) < 4) return -9;
    const own = unitScore(text) * (place === "prompt" || place === "plan" ? 0.7 : place === "commit" ? 0.5 : 1);
    const isCorrection = place === "prompt" && CORRECTION.test(text);
    return (
      own +
      PLACE_WEIGHTS[place] +
      (isCorrection ? 1.5 : 0) +
      (error !== null ? 1 : 0) +
      (HEADING.test(heading) ? 0.7 : 0)
    );
  });
  return units.flatMap((_, first) => {
    const windows: Window[] = [];
    let text = "";
    let score = 0;
    for (let last = first; last < Math.min(units.length, first + WIDEST); last += 1) {
      const joined = text === "" ? units[last]!.text : `${text} ${units[last]!.text}`;
      if (joined.length > CAPTURED_CHARACTERS || scores[last]! < -5) break;
      text = joined;
      score = last === first ? scores[last]! : score + 0.6 * Math.max(0, scores[last]!);
      windows.push({ text, score, passage });
    }
    return windows;
  });
}

/** Maximal marginal relevance, by the words that two windows share. */
function spread(windows: readonly Window[], count: number): Window[] {
  const vectors = wordVectors(windows.map(({ text }) => text));
  const scores = windows.map(({ score }) => score);
  const least = Math.min(...scores);
  const range = Math.max(1e-9, Math.max(...scores) - least);
  const nearest = windows.map(() => 0);
  const picked: number[] = [];
  while (picked.length < Math.min(count, windows.length)) {
    let best = -1;
    let bestValue = -Infinity;
    for (const [index, score] of scores.entries()) {
      if (picked.includes(index)) continue;
      const value = (RELEVANCE * (score - least)) / range - (1 - RELEVANCE) * nearest[index]!;
      if (value > bestValue) [best, bestValue] = [index, value];
    }
    picked.push(best);
    for (const index of windows.keys())
      nearest[index] = Math.max(nearest[index]!, similarity(vectors[index]!, vectors[best]!));
  }
  return picked.map((index) => windows[index]!);
}

type WordVector = ReadonlyMap<string, number>;

function wordVectors(texts: readonly string[]): WordVector[] {
  const sets = texts.map(tellingStems);
  const frequency = new Map<string, number>();
  for (const set of sets) for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return sets.map((set) => {
    const weights = [...set].map((word): [string, number] => [word, Math.log(1 + texts.length / frequency.get(word)!)]);
    const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1;
    return new Map(weights.map(([word, weight]) => [word, weight / length]));
  });
}

function similarity(one: WordVector, two: WordVector): number {
  let sum = 0;
  for (const [word, weight] of one) sum += weight * (two.get(word) ?? 0);
  return sum;
}
