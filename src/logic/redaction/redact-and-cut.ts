/**
 * Redacts a text and cuts it, in this order, because half a secret might not be recognised.
 *
 * Of a very long text only the parts around what is kept are redacted, with so much more that no secret can span the
 * rest.
 */
import { cut } from "../../model/text/cut.ts";
import { REACH_CHARACTERS } from "./grown-text.ts";
import { redact } from "./redaction.ts";

const GAP = "\n[…]\n";

export function beginning(text: string, limit: number): string {
  const seen = limit + 2 * REACH_CHARACTERS;
  const redacted = redact(text.slice(0, seen), { above: text.slice(seen) }).text;
  // A secret that was divided is at the end, and not longer than this.
  const sound = text.length > seen ? redacted.slice(0, -REACH_CHARACTERS) : redacted;
  return cut(sound, limit);
}

/** What a command printed: how it began, and how it ended. */
export function bothEnds(text: string, limit: number): string {
  const half = Math.floor((limit - GAP.length) / 2);
  const seen = limit + 2 * REACH_CHARACTERS;
  if (text.length <= 2 * seen) {
    const redacted = redact(text).text;
    return redacted.length <= limit ? redacted : cut(redacted, half) + GAP + ending(redacted, half);
  }
  const redacted = redact(text.slice(-seen), { above: text.slice(0, -seen) }).text;
  return beginning(text, half) + GAP + ending(redacted.slice(REACH_CHARACTERS), half);
}

const ending = (text: string, limit: number): string => text.slice(-limit).replace(/^[\udc00-\udfff]/, "");
