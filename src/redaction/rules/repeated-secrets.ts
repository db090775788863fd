/**
 * A value that was found once is the same secret wherever it stands near by: in the address that is called with it, or in
 * what a program printed.
 *
 * Only values that nothing else would be called. What was found by this does not lead to more, and how far one may stand
 * from the other is bounded, so that a text that grows is judged as if it had been read at once.
 */
import { isPlaceholder, isReference, readsLikeWords } from "./likeness.ts";
import { CONTEXT_CHARACTERS, type Found } from "./secret-finder.ts";

const LEAST = 16;
const MOST = 256;
/** Where one may begin: most words are followed by a blank too soon. */
const BEGINNING = /(?<![A-Za-z0-9])[A-Za-z0-9](?=[\x21-\x7e]{15})/g;

/** `found`: secrets by their labels, in any order. */
export function repeatsOf(found: readonly Found[], text: string): Found[] {
  const labelled = new Set<number>();
  /** By how they begin. */
  const lengths = new Map<string, Set<number>>();
  for (const { start, end } of found) {
    if (end - start < LEAST || end - start > MOST || !isUnmistakable(text.slice(start, end))) continue;
    const opening = text.slice(start, start + LEAST);
    lengths.set(opening, (lengths.get(opening) ?? new Set()).add(end - start));
    labelled.add(start);
  }
  if (labelled.size === 0) return [];
  const places = Array.from(text.matchAll(BEGINNING), ({ index }) =>
    [...(lengths.get(text.slice(index, index + LEAST)) ?? [])].map((length) => ({ start: index, end: index + length })),
  ).flat();
  const whole = places.filter(({ end }) => !/[A-Za-z0-9]/.test(text.charAt(end)));
  return [...behind(whole, labelled, text), ...behind(whole.toReversed(), labelled, text)];
}

/** Places in the order in which they are passed: those that come soon after the same value with its label. */
function behind(places: readonly Found[], labelled: ReadonlySet<number>, text: string): Found[] {
  const last = new Map<string, number>();
  return places.filter(({ start, end }) => {
    const value = text.slice(start, end);
    if (!labelled.has(start)) return Math.abs(start - (last.get(value) ?? Infinity)) <= CONTEXT_CHARACTERS;
    last.set(value, start);
    return false;
  });
}

const isUnmistakable = (value: string): boolean =>
  /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9][\x21-\x7e]+$/.test(value) &&
  !isPlaceholder(value) &&
  !isReference(value) &&
  !readsLikeWords(value);
