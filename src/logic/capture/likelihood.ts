/**
 * How likely a window is worth keeping.
 *
 * The weights were fitted by logistic regression on windows of 14 sessions and the notes of a reader about them; two are
 * set by hand, see docs/decisions/0029.
 */
import type { Features } from "./features.ts";

const BASE = -0.36;
const WEIGHTS: Readonly<Features> = {
  plan: -0.72,
  prompt: -0.31,
  commit: 0.25,
  compaction: -0.19,
  lateness: 0.3,
  opening: -0.3,
  depth: -0.49,
  length: 0.85,
  code: 0.86,
  items: -0.43,
  rows: -0.3,
  firstPerson: -0.32,
  recurring: 0.91,
  meanRecurring: -0.8,
  // By hand: readers note causes and choices no more often, but later sessions need them more.
  cause: 0.4,
  choice: 0.3,
  fix: 0.49,
  open: 0.25,
  caution: 0.21,
};

export function likelihood(features: Features): number {
  const sum = Object.entries(WEIGHTS).reduce(
    (total, [name, weight]) => total + weight * features[name as keyof Features],
    BASE,
  );
  return 1 / (1 + Math.exp(-sum));
}
