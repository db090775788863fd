/**
 * What an agent wrote for others to read: a pull request, an issue, a reply to a review.
 *
 * Such a text is written to be understood by somebody who was not there, so it is the best account of the work beside
 * the messages of its commits. It is read from the command line, or from the input of a tool whose name says so.
 */
import { quotedTexts, withoutTrailers } from "./commit-message.ts";

/** Command lines of code hosts. */
const PUBLISHES =
  /\b(?:gh|glab|tea|hub)\s+(?:api\b|\S+\s+(?:create|edit|comment|review|close|reopen|note|update|reply)\b|pull-request\b)/;
const TEXT_OPTION =
  /\s(?:--(?:body|description|notes|message|comment)|-b|-(?:f|F|-field|-raw-field)\s+["']?(?:body|description))[ =]?\s*/;
const TITLE_OPTION = /\s(?:--title|-t)[ =]\s*/;
const PUBLISHING_TOOL =
  /(?:create|add|update|edit|post|reply|submit|save)\w*(?:issue|pull|merge|comment|review|ticket|page|release|discussion|document)|(?:issue|pull|merge|comment|review|ticket|page|release|discussion|document)\w*(?:create|add|update|edit|post|reply|submit|save|write)/i;
/** What stands under these heads is a list to tick off. */
const CHECKLIST = /^#{1,6}\s+(?:test(?:ing)?(?: plan)?|checklist|how to test|verification|screenshots?)\s*$/i;
const LONGEST = 16_000;

/** Null when the command publishes nothing, or its text is in a file. */
export function publishedText(command: string): string | null {
  const start = PUBLISHES.exec(command)?.index;
  if (start === undefined) return null;
  const rest = command.slice(start, start + LONGEST);
  const titles = quotedTexts(rest, TITLE_OPTION);
  const bodies = quotedTexts(rest, TEXT_OPTION);
  if (bodies.length === 0) return null;
  return withoutChecklist([...titles, ...bodies].join("\n\n"));
}

export const isPublishingTool = (tool: string): boolean => PUBLISHING_TOOL.test(tool);

const TEXT_FIELDS = ["title", "subject", "description", "body", "comment", "content", "text"];

/** What such a tool is given to publish. */
export function publishedInput(tool: string, input: Readonly<Record<string, unknown>>): string | null {
  if (!isPublishingTool(tool)) return null;
  const texts = TEXT_FIELDS.map((field) => input[field]).filter((text) => typeof text === "string");
  return withoutChecklist(texts.join("\n\n").slice(0, LONGEST));
}

function withoutChecklist(text: string): string | null {
  let isLeftOut = false;
  const lines = text.split("\n").filter((line) => {
    if (/^#{1,6}\s/.test(line)) isLeftOut = CHECKLIST.test(line.trim());
    return !isLeftOut;
  });
  return withoutTrailers(lines.join("\n")) || null;
}
