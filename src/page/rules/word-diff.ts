/**
 * What differs between two texts, word by word.
 *
 * The longest common subsequence, after the common beginning and end are taken off. Texts that differ in too many words
 * are shown as replaced as a whole: nobody reads a diff of that size, and the table would not fit.
 */
export interface Difference {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

const MOST_CELLS = 1_000_000;

export function wordDiff(before: string, after: string): Difference[] {
  const [one, two] = [tokensOf(before), tokensOf(after)];
  let start = 0;
  while (start < one.length && start < two.length && one[start] === two[start]) start += 1;
  let end = 0;
  while (end < one.length - start && end < two.length - start && one.at(-1 - end) === two.at(-1 - end)) end += 1;
  const middle = differ(one.slice(start, one.length - end), two.slice(start, two.length - end));
  return joined([...one.slice(0, start).map(same), ...middle, ...one.slice(one.length - end).map(same)]);
}

const same = (text: string): Difference => ({ kind: "same", text });
const removed = (text: string): Difference => ({ kind: "removed", text });
const added = (text: string): Difference => ({ kind: "added", text });

/** Words with the space that follows them, so that the pieces joined are the text. */
const tokensOf = (text: string): string[] => text.match(/\s*\S+\s*|\s+/g) ?? [];

function differ(one: readonly string[], two: readonly string[]): Difference[] {
  if (one.length * two.length > MOST_CELLS) return [...one.map(removed), ...two.map(added)];
  const table = lengths(one, two);
  const found: Difference[] = [];
  let [i, j] = [0, 0];
  while (i < one.length && j < two.length) {
    if (one[i] === two[j]) {
      found.push(same(one[i]!));
      i += 1;
      j += 1;
    } else if (table[i + 1]![j]! >= table[i]![j + 1]!) {
      found.push(removed(one[i]!));
      i += 1;
    } else {
      found.push(added(two[j]!));
      j += 1;
    }
  }
  return [...found, ...one.slice(i).map(removed), ...two.slice(j).map(added)];
}

/** For each pair of positions, the length of the longest common subsequence from there on. */
function lengths(one: readonly string[], two: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: one.length + 1 }, () => new Uint32Array(two.length + 1));
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = two.length - 1; j >= 0; j--) {
      table[i]![j] = one[i] === two[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
    }
  }
  return table;
}

function joined(differences: readonly Difference[]): Difference[] {
  const joint: { kind: Difference["kind"]; text: string }[] = [];
  for (const { kind, text } of differences) {
    const last = joint.at(-1);
    if (last?.kind === kind) last.text += text;
    else joint.push({ kind, text });
  }
  return joint;
}
