/** Characters that take no place on a screen: copied into a token, they hide it from every rule. */

const UNSEEN = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

export const hasUnseen = (text: string): boolean => UNSEEN.test(text);

interface Span {
  start: number;
  end: number;
}

/** Searches the text as it is seen; places are those of the whole text. */
export function findInSeen<T extends Span>(text: string, find: (seen: string) => T[]): T[] {
  if (!hasUnseen(text)) return find(text);
  const unseen = Array.from(text.matchAll(new RegExp(UNSEEN, "g")), ({ index }) => ({ start: index, end: index + 1 }));
  const { seen, placeOf } = without(text, unseen);
  return find(seen).map((one) => ({ ...one, start: placeOf(one.start), end: placeOf(one.end - 1) + 1 }));
}

/** The text without these parts of it, which are in order, or with one character for each. */
export function without(
  text: string,
  removed: readonly (Span & { as?: string })[],
): { seen: string; placeOf: (at: number) => number } {
  const places = new Uint32Array(text.length + 1);
  const parts: string[] = [];
  let length = 0;
  let done = 0;
  const keep = (until: number) => {
    for (let at = done; at < until; at++) places[length++] = at;
    parts.push(text.slice(done, until));
  };
  for (const { start, end, as } of removed) {
    keep(start);
    if (as !== undefined) {
      places[length++] = start;
      parts.push(as);
    }
    done = end;
  }
  keep(text.length);
  places[length] = text.length;
  return { seen: parts.join(""), placeOf: (at) => places[at]! };
}
