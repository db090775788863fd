/** The number of a point, which says no more than that there are others; what the point is about stays. */
import { expression, raw } from "../phrases.ts";
import { FIXED_IN } from "./words.ts";

const POINT = "bug|problem|task|comment|thread|fix|issue|item|question|finding|point|change";
const NUMBERED = raw`(${POINT}|option|approach|scenario|case|edit) \d{1,2}( \([^()]{1,20}\))?`;
/** "2. ", "Problem 2 (high): " */
const LABEL = expression(raw`^(\d{1,2}[.)]\s+|${NUMBERED}(\s?[:—–]\s+|\s-\s|[.)]\s+))+(?=\S)`);
/** "Thread 3 (medium - unsafe deletion): Fixed in 4be1d07c. " */
const TITLED_LABEL = expression(
  raw`^(${POINT}) \d{1,2} \((\w+ ?[-—–:,] )?(?<title>[^()]{4,80})\)\s?[:—–-]\s+(${FIXED_IN}[.,;](\s+|$))?`,
);

export const unlabelled = (text: string): string =>
  text
    .replace(LABEL, "")
    .replace(TITLED_LABEL, (_, title: string) => `${title[0]!.toUpperCase()}${title.slice(1)}: `)
    .trimEnd();
