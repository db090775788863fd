/**
 * The line that tells most of the last stretches of work: the one with the words that most of their memories have, as far
 * as no line has told them yet.
 *
 * What several memories speak of was the work; the rest was passing. Each line makes its words count less, so the next one
 * tells something else.
 */
export interface Telling {
  line: string;
  /** What it says, as stems. */
  words: ReadonlySet<string>;
}

/** What a word still counts each time that a line has told it. */
const TOLD = 0.5;
/** Of two lines that tell as much, the shorter one; but not by so much that only short ones are told. */
const LENGTH_POWER = 0.25;

/** How much each word counts: by the number of memories that have it, but less than twice as much for twice as many. */
export function wordWorths(memories: readonly (readonly Telling[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const tellings of memories)
    for (const word of new Set(tellings.flatMap(({ words }) => [...words])))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, Math.sqrt(count)]));
}

/** The words of a line that was told count less from now on. */
export function tell({ words }: Telling, worths: Map<string, number>): void {
  for (const word of words) worths.set(word, (worths.get(word) ?? 0) * TOLD);
}

/** The first of the best; undefined if there is none. */
export function mostTelling<Line extends Telling>(
  lines: readonly Line[],
  worths: ReadonlyMap<string, number>,
): Line | undefined {
  let best: Line | undefined;
  let highest = -1;
  for (const line of lines) {
    let worth = 0;
    for (const word of line.words) worth += worths.get(word) ?? 0;
    worth /= line.line.length ** LENGTH_POWER;
    if (worth > highest) [best, highest] = [line, worth];
  }
  return best;
}
