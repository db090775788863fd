/** Characters that take no place on a screen: copied into a token, they hide it from every rule. */

const UNSEEN = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

export const hasUnseen = (text: string): boolean => UNSEEN.test(text);

interface Span {
  start: number;
  end: number;
}

/** The text as it is seen, and where each of its characters stands in the original. */
export const withoutUnseen = (text: string): ReturnType<typeof without> =>
  without(
    text,
    Array.from(text.matchAll(new RegExp(UNSEEN, "g")), ({ index }) => ({ start: index, end: index + 1 })),
  );

/** The text without these parts of it, which are in order. */
export function without(text: string, removed: readonly Span[]): { seen: string; placeOf: (at: number) => number } {
  const places = new Uint32Array(text.length);
  const parts: string[] = [];
  let length = 0;
  let done = 0;
  const keep = (until: number) => {
    for (let at = done; at < until; at++) places[length++] = at;
    parts.push(text.slice(done, until));
  };
  for (const { start, end } of removed) {
    keep(start);
    done = end;
  }
  keep(text.length);
  return { seen: parts.join(""), placeOf: (at) => places[at]! };
}
