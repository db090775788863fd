/**
 * Whether two texts are members of a series: equal but for their numbers, of which one of the first words has its own.
 *
 * "Service 7 listens on port 8007" and "Service 8 listens on port 8008" are about two services. Of fifty such, three
 * would be announced with each, which tells nobody anything. Known without the rules for statements.
 */
const FIRST_WORDS = 3;

export function isOfSeries(one: string, other: string): boolean {
  const [left, right] = [one.split(/\s+/), other.split(/\s+/)];
  if (left.length !== right.length) return false;
  const differing = left.flatMap((word, at) => (word === right[at] ? [] : [at]));
  const isNumber = (at: number) => /\d/.test(left[at]!) && withoutNumbers(left[at]!) === withoutNumbers(right[at]!);
  return differing.length >= 2 && differing[0]! < FIRST_WORDS && differing.every(isNumber);
}

const withoutNumbers = (word: string): string => word.replace(/[\d.:/-]*\d/g, "#");
