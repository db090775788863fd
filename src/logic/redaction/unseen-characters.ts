/** Characters that take no place on a screen: copied into a token, they hide it from every rule. */

const UNSEEN = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

export const hasUnseen = (text: string): boolean => UNSEEN.test(text);

/** The text as it is seen, and where each of its characters stands in the original. */
export function withoutUnseen(text: string): { seen: string; placeOf: (at: number) => number } {
  const places = new Uint32Array(text.length);
  const parts: string[] = [];
  let length = 0;
  let done = 0;
  const keep = (until: number) => {
    for (let at = done; at < until; at++) places[length++] = at;
    parts.push(text.slice(done, until));
  };
  for (const { index } of text.matchAll(new RegExp(UNSEEN, "g"))) {
    keep(index);
    done = index + 1;
  }
  keep(text.length);
  return { seen: parts.join(""), placeOf: (at) => places[at]! };
}
