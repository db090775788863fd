/**
 * How likely a window is worth keeping.
 *
 * The weights were fitted by logistic regression on windows of 14 sessions and the notes of a reader about them; two are
 * set by hand, see docs/decisions/0029.
 */
import type { Features } from "./features.ts";

const BASE = -0.45;
const WEIGHTS: Readonly<Features> = {
  plan: -1.2,
  prompt: -0.56,
  commit: 0.35,
  compaction: -0.44,
  lateness: 0.36,
  opening: -0.49,
  depth: -0.61,
  length: 1.19,
  code: 1.08,
  items: -0.42,
  rows: -0.66,
  firstPerson: -0.53,
  recurring: 0.96,
  meanRecurring: -0.8,
  // By hand: readers note causes and choices no more often, but later sessions need them more.
  cause: 0.4,
  choice: 0.3,
  fix: 0.67,
  open: 0.24,
  caution: 0.3,
};

export function likelihood(features: Features): number {
  const sum = Object.entries(WEIGHTS).reduce(
    (total, [name, weight]) => total + weight * features[name as keyof Features],
    BASE,
  );
  return 1 / (1 + Math.exp(-sum));
}
