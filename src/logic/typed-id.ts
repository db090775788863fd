/**
 * Ids as people type them: what may be one, and which one was meant.
 *
 * A verb that takes an id or words must never take a mistyped id for words, nor a word for an id. Handles are hex digits
 * in any order; words and names such as `postgres15` end in their digits and have other letters.
 */
import { HANDLE_LENGTH, handleOf } from "../model/handle.ts";
import { editDistance } from "./fuzzy-name.ts";

/** Fewer characters than this name nothing. */
export const LEAST_TYPED = 4;
/** So many digits are no number that people know, and no id begins with them by chance. */
export const LEAST_SURE = 6;
const LONGEST_SLIP = 2;
/** Nothing else that is so long has so many digits and so few other letters. */
const LONG_SLIP = 4;
/** Above this it can only be meant as a whole id, or nearly. */
const LONG = 20;
/** Ids of one hour agree up to here. */
const TIME_LENGTH = 13;

/** id: nothing else can be meant; beginning: an id if one begins so; words: neither. */
export type Reading = "id" | "beginning" | "words";

/** What is meant by a target that may be an id or words. */
export function readingOf(target: string): Reading {
  const text = target.toLowerCase();
  if (!/^[0-9a-z-]+$/.test(text) || isDate(text)) return "words";
  if (/^[0-9a-f-]+$/.test(text)) return readingOfHex(text);
  return isMisspeltHandle(text) || isMisspeltId(text) ? "id" : "words";
}

function readingOfHex(text: string): Reading {
  const [hasDigit, hasLetter] = [/\d/.test(text), /[a-f]/.test(text)];
  if (hasDigit && text.length >= LEAST_SURE) return "id";
  // A short number may be a year and letters alone a word, but no word has both.
  if (hasDigit && hasLetter && text.length >= LEAST_TYPED) return "beginning";
  return text.length === HANDLE_LENGTH && hasLetter ? "beginning" : "words";
}

/** A date or a telephone number: digits in groups, the first of which is not that of an id. */
const isDate = (text: string): boolean => /^\d{1,7}(-\d+)+$/.test(text) && text.length < LONG;

const wrongLetters = (text: string): number => text.replace(/[0-9a-f-]/g, "").length;

/** Digits and letters take turns as in no word, and at most two letters are none of a handle's. */
function isMisspeltHandle(text: string): boolean {
  if (text.length !== HANDLE_LENGTH || text.includes("-") || wrongLetters(text) > LONGEST_SLIP) return false;
  const turns = text.match(/\d(?=[a-z])|[a-z](?=\d)/g)?.length ?? 0;
  return turns >= 3;
}

function isMisspeltId(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return text.length >= LONG && digits >= 6 && wrongLetters(text) <= LONG_SLIP;
}

/** Whether this is one of these handles with a slip or two. Only whole handles: what they begin with, words resemble. */
export function isNearlyHandle(typed: string, ids: readonly string[]): boolean {
  const text = typed.toLowerCase();
  const isAsLong = Math.abs(text.length - HANDLE_LENGTH) <= LONGEST_SLIP;
  return isAsLong && ids.some((id) => editDistance(text, handleOf(id).toLowerCase(), LONGEST_SLIP) <= LONGEST_SLIP);
}

/** The ids that somebody most likely meant, the nearest first; equally near ones in their order. */
export function nearestIds(typed: string, ids: readonly string[], limit: number): string[] {
  const text = typed.toLowerCase();
  if (text.length < LEAST_TYPED || text.length > 2 * LONG || !/^[0-9a-z-]+$/.test(text)) return [];
  const bound = text.length < LEAST_SURE ? 1 : LONGEST_SLIP;
  const near = ids.map((id) => ({ id, distance: distanceTo(text, id.toLowerCase(), bound) }));
  return near
    .filter(({ distance }) => distance <= bound)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** From an id, or from as much of it or of its handle as was typed. */
function distanceTo(text: string, id: string, bound: number): number {
  const handle = handleOf(id);
  const forms = text.length > TIME_LENGTH ? [id, id.slice(0, text.length)] : [handle, handle.slice(0, text.length)];
  return Math.min(...[...new Set(forms)].map((form) => editDistance(text, form, bound)));
}
