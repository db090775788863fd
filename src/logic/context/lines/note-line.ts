/**
 * A note as one line, without what only made sense in the message it was taken from: headings of sections, numbers and
 * marks of lists, ornaments.
 */
import { plainLine } from "./plain-line.ts";

/** Of a longer text only the beginning is looked at. */
const LOOKED_AT = 4_000;
/** Where a sentence or item begins: at the beginning, or after the end of another. */
const BEGINNING = "(?<=^|[.!?;:] )";
/** They announce what follows and say nothing themselves; the longer ones are those of summaries that hosts make. */
const HEADINGS = [
  "primary request and intent",
  "key technical concepts",
  "files and code sections",
  "(?:key )?errors and fixes",
  "problem solving",
  "all user messages",
  "pending tasks",
  "current work",
  "(?:key |main )?changes(?: made)?",
  "(?:final |quick )?summary(?: of (?:the )?changes)?",
  "key (?:points|findings|takeaways)",
  "(?:here's )?what (?:I did|I changed|was done|changed)",
  "overview|results?|done|notes?",
];
const HEADING = new RegExp(`${BEGINNING}(?:${HEADINGS.join("|")}): (?=\\S)`, "gi");
const LIST_MARK = new RegExp(`${BEGINNING}(?:#{1,6}|[-*•]|\\d{1,2}[.)]) (?=\\S)`, "g");
/** A heading that was a sentence. */
const ENDED_TWICE = /(?<=[.!?]):(?= )/g;
const MARK = "(?:(?![❌❗⛔])(?:\\p{Emoji_Presentation}|[✓✔])\\ufe0f?)";
/** Around a sentence or item. What is wrong is worth a mark, what is fine is said in words; within a sentence it may be what the sentence is about. */
const ORNAMENT = new RegExp(`${BEGINNING}(?:${MARK} ?)+| ?${MARK}+(?=$|[.!?;:](?: |$))`, "gu");

export function noteLine(text: string): string {
  const line = text.slice(0, LOOKED_AT).replace(/\s+/g, " ").trim();
  const bare = line
    .replace(ORNAMENT, "")
    .replace(ENDED_TWICE, "")
    .replace(LIST_MARK, "")
    .replace(HEADING, "")
    // A mark may stand before a heading, or after one.
    .replace(LIST_MARK, "");
  return plainLine(bare.trim() === "" ? line : bare);
}
