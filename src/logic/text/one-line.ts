/**
 * One line of a few words out of whatever was given: a title, a name, a session.
 *
 * What breaks lines, controls terminals or is no character becomes a space. Secrets go first,
 * so that a cut never leaves half of one, and again after each cut, because an end makes a
 * secret of what was none before. What comes out is clean and passes an import.
 */
type Clean = (text: string) => string;

// Not as valid text either: what could not be decoded tells nothing, and much of it passes for binary data.
const NOT_SHOWN = /[\s\p{Cc}\p{Cs}\ufffd]+/gu;
/** A placeholder at the end may be longer than what it hides, so each cut leaves more room for it. */
const ROOM_CHARACTERS = 20;

/** Null where nothing is left. `limit` is in UTF-16 units, as zod counts. */
export function oneLine(text: string, limit: number, clean: Clean): string | null {
  let line = clean(onOneLine(clean(text)));
  for (let length = limit; line.length > limit; length -= ROOM_CHARACTERS) {
    line = clean(onOneLine(line.slice(0, Math.max(0, length))));
  }
  return line || null;
}

/** Half of a pair, which a cut may leave, goes like every lone surrogate. */
const onOneLine = (text: string): string => text.replace(NOT_SHOWN, " ").trim();
