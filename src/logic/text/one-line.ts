/**
 * Reduces any text to one short line: a title, a name, a session.
 *
 * Line breaks, terminal controls and invalid characters become spaces. Secrets are redacted first, so that truncation
 * never leaves half of one, and again after each truncation, because a new end can turn a harmless text into a secret.
 * The result is clean and passes an import.
 */
import { isUnseen } from "../../model/text/unseen.ts";

type Clean = (text: string) => string;

// Replacement characters go too: they carry no information, and many of them pass for binary data.
const NOT_SHOWN = /[\s\p{Cc}\p{Cs}\ufffd]+/gu;
/** A placeholder at the end may be longer than what it replaces, so each truncation leaves more room for it. */
const ROOM_CHARACTERS = 20;

/** Null if nothing is left. `limit` is in UTF-16 units, as zod counts. */
export function oneLine(text: string, limit: number, clean: Clean): string | null {
  let line = clean(onOneLine(clean(text)));
  for (let length = limit; line.length > limit; length -= ROOM_CHARACTERS) {
    line = clean(onOneLine(line.slice(0, Math.max(0, length))));
  }
  return isUnseen(line) ? null : line;
}

/** Truncation may split a surrogate pair; the lone half is removed like any other. */
const onOneLine = (text: string): string => text.replace(NOT_SHOWN, " ").trim();
