/** The part of a text that answers a question, on one line, as spans whose matching words are marked. */
import { coverageStems } from "../../logic/recall/coverage.ts";
import { excerptOf } from "../../logic/recall/excerpt.ts";
import { matchedWords } from "../../logic/recall/matched-words.ts";
import type { Span } from "../../model/text/paragraph.ts";

const ELLIPSIS = "…";

/** Without a question, the beginning of the text. */
export function matchedPassage(text: string, question: string | undefined, limit: number): Span[] {
  const wanted = question === undefined ? [] : coverageStems(question);
  const whole = onOneLine(text);
  // Sentences end at line breaks too, so the part is chosen before they are removed.
  const part = onOneLine(excerptOf(text.trim(), wanted, limit));
  const before = whole.startsWith(part) ? "" : `${ELLIPSIS} `;
  const after = whole.endsWith(part) ? "" : ` ${ELLIPSIS}`;
  return [...plain(before), ...marked(part, wanted), ...plain(after)];
}

const onOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
const plain = (text: string): Span[] => (text === "" ? [] : [{ text }]);

function marked(text: string, wanted: readonly string[]): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const { from, to } of matchedWords(text, wanted)) {
    spans.push(...plain(text.slice(at, from)), { text: text.slice(from, to), style: "match" });
    at = to;
  }
  return [...spans, ...plain(text.slice(at))];
}
