/**
 * Finds the entries that have a keyword in a text.
 *
 * Most texts contain none of the hundreds of keywords, and searching for each would read the text as often. It is read
 * once to record which three letters follow each other; only keywords whose triples all occur are searched for. Runs on
 * every write, hence plain loops. A program that reads little, such as a hook, ends before this pays, so the first
 * texts are simply searched.
 */
const TRIPLES = 1 << 15;
/** How many characters are searched for each keyword before the triples are prepared. */
const SIMPLY_SEARCHED = 8_000;

interface Keyword {
  text: string;
  triples: Uint16Array;
}

const UNKNOWN = 0;
const PRESENT = 1;
const ABSENT = 2;

interface Entry {
  readonly keywords: readonly string[];
}

/** Returns the entries with a keyword in the text, in order. Keywords and text are compared as they are. */
export function keywordFinder<T extends Entry>(entries: readonly T[]): (text: string) => T[] {
  let searched = 0;
  let byTriples: ((text: string) => T[]) | undefined;
  return (text) => {
    searched += text.length;
    if (searched > SIMPLY_SEARCHED) return (byTriples ??= tripleFinder(entries))(text);
    return entries.filter(({ keywords }) => keywords.some((keyword) => text.includes(keyword)));
  };
}

function tripleFinder<T extends Entry>(entries: readonly T[]): (text: string) => T[] {
  // Many entries share keywords, and each is searched for once.
  const texts = [...new Set(entries.flatMap(({ keywords }) => keywords))];
  const keywords = texts.map((text): Keyword => ({ text, triples: triplesOf(text) }));
  const numbers = new Map(texts.map((text, number) => [text, number]));
  const prepared = entries.map((entry) => ({ entry, numbers: entry.keywords.map((text) => numbers.get(text)!) }));
  const seen = new Uint8Array(TRIPLES);
  const known = new Uint8Array(keywords.length);
  return (text) => {
    seen.fill(0);
    recordTriples(text, seen);
    known.fill(UNKNOWN);
    const isPresent = (number: number): boolean => {
      if (known[number] === UNKNOWN) {
        const keyword = keywords[number]!;
        known[number] = mayOccur(keyword.triples, seen) && text.includes(keyword.text) ? PRESENT : ABSENT;
      }
      return known[number] === PRESENT;
    };
    const found: T[] = [];
    for (const { entry, numbers } of prepared) if (numbers.some(isPresent)) found.push(entry);
    return found;
  };
}

function mayOccur(triples: Uint16Array, seen: Uint8Array): boolean {
  for (let at = 0; at < triples.length; at++) if (seen[triples[at]!] === 0) return false;
  return true;
}

/** Several triples share a number: this may record one too many, never one too few. */
const tripleOf = (first: number, second: number, third: number): number =>
  ((first * 37 + second) * 37 + third) & (TRIPLES - 1);

function recordTriples(text: string, seen: Uint8Array): void {
  let first = text.charCodeAt(0);
  let second = text.charCodeAt(1);
  for (let at = 2; at < text.length; at++) {
    const third = text.charCodeAt(at);
    seen[tripleOf(first, second, third)] = 1;
    first = second;
    second = third;
  }
}

function triplesOf(text: string): Uint16Array {
  const triples = new Uint16Array(Math.max(0, text.length - 2));
  for (let at = 0; at < triples.length; at++)
    triples[at] = tripleOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
  return triples;
}
