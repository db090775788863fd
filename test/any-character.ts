/** Any character of Unicode, as a unit of strings. The library's own costs a second in every process that asks for it. */
import fc from "fast-check";

const SURROGATES = { start: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

export const anyCharacter = fc.nat(LAST - SURROGATES.count).map(
  (place) => String.fromCodePoint(place < SURROGATES.start ? place : place + SURROGATES.count),
  (character) => {
    const point = typeof character === "string" ? character.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== character) throw new Error("no single character");
    return point < SURROGATES.start ? point : point - SURROGATES.count;
  },
);
