/**
 * Finds the entries that have a keyword in a text.
 *
 * Most texts contain none of the hundred or so keywords, and searching for each would read the text as often. It is
 * read once to record which pairs of letters occur; only keywords whose pairs all occur are searched for. Runs on every
 * write, hence plain loops.
 */
const LETTER_BITS = 7;
const LETTER_MASK = (1 << LETTER_BITS) - 1;
const PAIRS = 1 << (2 * LETTER_BITS);

interface Keyword {
  text: string;
  pairs: Uint16Array;
}

/** Returns the entries with a keyword in the text, in order. Keywords and text are compared as they are. */
export function keywordFinder<T extends { readonly keywords: readonly string[] }>(
  entries: readonly T[],
): (text: string) => T[] {
  const prepared = entries.map((entry) => ({
    entry,
    keywords: entry.keywords.map((text): Keyword => ({ text, pairs: pairsOf(text) })),
  }));
  const pairsSeen = new Uint8Array(PAIRS);
  return (text) => {
    pairsSeen.fill(0);
    recordPairs(text, pairsSeen);
    const found: T[] = [];
    for (const { entry, keywords } of prepared) if (hasOne(keywords, text, pairsSeen)) found.push(entry);
    return found;
  };
}

function hasOne(keywords: readonly Keyword[], text: string, pairsSeen: Uint8Array): boolean {
  for (const keyword of keywords) if (mayOccur(keyword.pairs, pairsSeen) && text.includes(keyword.text)) return true;
  return false;
}

function mayOccur(pairs: Uint16Array, pairsSeen: Uint8Array): boolean {
  for (let at = 0; at < pairs.length; at++) if (pairsSeen[pairs[at]!] === 0) return false;
  return true;
}

/** Letters beyond ASCII share a number with an ASCII one: this may record a pair too many, never one too few. */
const pairOf = (left: number, right: number) => ((left & LETTER_MASK) << LETTER_BITS) | (right & LETTER_MASK);

function recordPairs(text: string, pairsSeen: Uint8Array): void {
  let left = text.charCodeAt(0);
  for (let at = 1; at < text.length; at++) {
    const right = text.charCodeAt(at);
    pairsSeen[pairOf(left, right)] = 1;
    left = right;
  }
}

function pairsOf(text: string): Uint16Array {
  const pairs = new Uint16Array(Math.max(0, text.length - 1));
  for (let at = 0; at < pairs.length; at++) pairs[at] = pairOf(text.charCodeAt(at), text.charCodeAt(at + 1));
  return pairs;
}
