/**
 * Ids as people type them: whether a text is meant as an id, and which id a mistyped one was meant to be.
 *
 * A verb that accepts an id or words must never search for a mistyped id, nor act on a word as if it were an id.
 * Handles mix hex digits and letters; names such as `postgres15` end in their digits and have other letters.
 */
import { HANDLE_LENGTH, handleOf } from "../../model/memory/handles.ts";
import { editDistance } from "../corpus/fuzzy-name.ts";

/** The shortest prefix that is looked up. */
export const LEAST_TYPED = 4;
/** From this length on, hex digits are neither a year nor the prefix of some id by chance. */
export const LEAST_SURE = 6;
const MOST_TYPOS = 2;
/** How many letters of a full id may be wrong: nothing else of that length has so few. */
const MOST_TYPOS_IN_ID = 4;
/** Anything longer can only be a full id. */
const LONG = 20;
/** The time part of an id; ids created together share it. */
const TIME_LENGTH = 13;

/** id: can only be an id; prefix: an id if one has this prefix, else words. */
export type Reading = "id" | "prefix" | "words";

/** How to read a target that may be an id or words. */
export function readingOf(target: string): Reading {
  const text = target.toLowerCase();
  if (!/^[0-9a-z-]+$/.test(text) || isDate(text)) return "words";
  if (/^[0-9a-f-]+$/.test(text)) return readingOfHex(text);
  return isMisspeltHandle(text) || isMisspeltId(text) ? "id" : "words";
}

function readingOfHex(text: string): Reading {
  const [hasDigit, hasLetter] = [/\d/.test(text), /[a-f]/.test(text)];
  if (hasDigit && text.length >= LEAST_SURE) return "id";
  // A short number may be a year, and letters alone a word; the two mixed are neither.
  if (hasDigit && hasLetter && text.length >= LEAST_TYPED) return "prefix";
  return text.length === HANDLE_LENGTH && hasLetter ? "prefix" : "words";
}

/** A date or a telephone number: digits in groups, the first of which is not that of an id. */
const isDate = (text: string): boolean => /^\d{1,7}(-\d+)+$/.test(text) && text.length < LONG;

const wrongLetters = (text: string): number => text.replace(/[0-9a-f-]/g, "").length;

/** Digits and letters alternate as in no word, and at most two letters are not hex. */
function isMisspeltHandle(text: string): boolean {
  if (text.length !== HANDLE_LENGTH || text.includes("-") || wrongLetters(text) > MOST_TYPOS) return false;
  const turns = text.match(/\d(?=[a-z])|[a-z](?=\d)/g)?.length ?? 0;
  return turns >= 3;
}

function isMisspeltId(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return text.length >= LONG && digits >= 6 && wrongLetters(text) <= MOST_TYPOS_IN_ID;
}

/** Whether this is a handle of one of these ids with a typo or two. Prefixes do not count: words resemble them. */
export function isNearHandle(typed: string, ids: readonly string[]): boolean {
  const text = typed.toLowerCase();
  const isAsLong = Math.abs(text.length - HANDLE_LENGTH) <= MOST_TYPOS;
  return isAsLong && ids.some((id) => editDistance(text, handleOf(id).toLowerCase(), MOST_TYPOS) <= MOST_TYPOS);
}

/** The ids that were most likely meant, nearest first; equally near ones keep their order. */
export function nearestIds(typed: string, ids: readonly string[], limit: number): string[] {
  const text = typed.toLowerCase();
  if (text.length < LEAST_TYPED || text.length > 2 * LONG || !/^[0-9a-z-]+$/.test(text)) return [];
  const bound = text.length < LEAST_SURE ? 1 : MOST_TYPOS;
  const near = ids.map((id) => ({ id, distance: distanceTo(text, id.toLowerCase(), bound) }));
  return near
    .filter(({ distance }) => distance <= bound)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** Distance to the id or its handle, or to a prefix as long as the typed text. */
function distanceTo(text: string, id: string, bound: number): number {
  const handle = handleOf(id);
  const forms = text.length > TIME_LENGTH ? [id, id.slice(0, text.length)] : [handle, handle.slice(0, text.length)];
  return Math.min(...[...new Set(forms)].map((form) => editDistance(text, form, bound)));
}
