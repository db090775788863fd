/**
 * How likely a window is worth keeping.
 *
 * The weights were fitted by logistic regression on windows of 14 sessions and the notes of a reader about them; some
 * are set by hand, see docs/decisions/0029.
 */
import type { Features } from "./features.ts";

const BASE = -0.48;
const WEIGHTS: Readonly<Features> = {
  plan: -1.2,
  prompt: -1.5,
  commit: 0.3,
  middle: -0.5,
  published: 0.3,
  compaction: -0.27,
  lateness: 0.34,
  opening: -0.44,
  depth: -0.55,
  length: 1.34,
  code: 0.95,
  items: -0.3,
  rows: -0.66,
  firstPerson: -0.35,
  recurring: 0.98,
  meanRecurring: -0.82,
  // By hand, as plan, prompt, middle and published are: readers note causes and choices no more often, but later sessions need them more.
  cause: 0.4,
  choice: 0.3,
  guess: -1.2,
  fix: 0.67,
  open: 0.22,
  caution: 0.2,
};

export function likelihood(features: Features): number {
  const sum = Object.entries(WEIGHTS).reduce(
    (total, [name, weight]) => total + weight * features[name as keyof Features],
    BASE,
  );
  return 1 / (1 + Math.exp(-sum));
}
