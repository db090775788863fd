/**
 * How far relevance can be trusted: how many of the hits that say .5 answer the question, and what is said of questions
 * that nothing answers.
 */
import type { Hit } from "../../src/recall/hit.ts";
import { DEPARTURES } from "../../src/recall/ranking.ts";

export interface Reliability {
  /** Ten ranges of relevance, from 0 on. */
  ranges: { hits: number; said: number; right: number }[];
  /** Questions by whether the first hit was right, and how many of those first hits passed the threshold for guesses. */
  first: Record<"right" | "wrong" | "unanswered", { questions: number; passed: number; mean: number }>;
  /** Hits that passed the threshold, and how many of those were right. */
  passed: { hits: number; right: number };
  /** Neighbouring hits of one shelf whose relevance rises by a tenth or more, with no departure named. */
  inversions: number;
}

const GUESS_BELOW = 0.35;
const RANGES = 10;
const INVERSION_LEAST = 0.1;

export interface ReliabilityTally {
  /** `rightness` of each hit, in order; nothing is right where nothing answers. */
  note(hits: readonly Hit[], rightness: readonly boolean[], isAnswered: boolean): void;
  result(): Reliability;
}

export function reliabilityTally(): ReliabilityTally {
  const ranges = Array.from({ length: RANGES }, () => ({ hits: 0, said: 0, right: 0 }));
  const none = () => ({ questions: 0, passed: 0, mean: 0 });
  const first = { right: none(), wrong: none(), unanswered: none() };
  const passed = { hits: 0, right: 0 };
  let inversions = 0;
  return {
    note(hits, rightness, isAnswered) {
      for (const [index, { relevance }] of hits.entries()) {
        const isRight = rightness[index] ?? false;
        const range = ranges[Math.min(RANGES - 1, Math.floor(relevance * RANGES))]!;
        range.hits += 1;
        range.said += relevance;
        range.right += Number(isRight);
        if (relevance >= GUESS_BELOW) passed.hits += 1;
        if (relevance >= GUESS_BELOW && isRight) passed.right += 1;
      }
      inversions += hits.slice(1).filter((hit, index) => isInverted(hits[index]!, hit)).length;
      const best = hits[0];
      const kind = first[!isAnswered ? "unanswered" : rightness[0] ? "right" : "wrong"];
      kind.questions += 1;
      kind.mean += best?.relevance ?? 0;
      if (best && best.relevance >= GUESS_BELOW) kind.passed += 1;
    },
    result: () => ({
      ranges: ranges.map(({ hits, said, right }) => ({ hits, said: share(said, hits), right: share(right, hits) })),
      first: Object.fromEntries(
        Object.entries(first).map(([name, { questions, passed: count, mean }]) => [
          name,
          { questions, passed: share(count, questions), mean: share(mean, questions) },
        ]),
      ) as Reliability["first"],
      passed: { hits: passed.hits, right: share(passed.right, passed.hits) },
      inversions,
    }),
  };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 1_000);

function isInverted(above: Hit, below: Hit): boolean {
  const isNamed = [above, below].some(({ why }) => DEPARTURES.some((departure) => departure in why));
  return above.shelf === below.shelf && !isNamed && below.relevance - above.relevance >= INVERSION_LEAST;
}

export function reliabilityText({ ranges, first, passed, inversions }: Reliability): string {
  const filled = ranges.flatMap((range, index) => (range.hits > 0 ? [{ ...range, from: index / RANGES }] : []));
  const rows = filled.map(
    ({ from, hits, said, right }) =>
      `  relevance ${from.toFixed(1)}+  ${String(hits).padStart(6)} hits  said ${said.toFixed(2)}  right ${right.toFixed(2)}`,
  );
  const firsts = Object.entries(first).map(
    ([name, { questions, passed: part, mean }]) =>
      `  first hit ${name}: ${questions} questions, mean ${mean.toFixed(2)}, ${part.toFixed(2)} pass ${GUESS_BELOW}`,
  );
  return [
    ...rows,
    ...firsts,
    `  of ${passed.hits} hits that pass ${GUESS_BELOW}, ${passed.right.toFixed(2)} are right; ${inversions} inversions`,
    "",
  ].join("\n");
}
