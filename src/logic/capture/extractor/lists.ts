/** Keeps lists and sections together: a memory that begins or ends within one reads like a fragment. */
import { CAPTURED_CHARACTERS } from "../../../model/capture/stretch.ts";
import { joined, type Placed } from "./join-sentences.ts";
import { anyOf, expression, raw } from "./phrases.ts";
import { NUMBERS } from "./sentences/words.ts";

type Run = readonly Placed[];

const fits = (run: Run, first: number, last: number): boolean =>
  joined(run.slice(first, last + 1)).length <= CAPTURED_CHARACTERS;

/** Items shorter than this on average say nothing without the rest of their list. */
const SHORTEST_MEAN = 50;
const MOST_SECTIONS = 2;
/** Begins another story, which must not be told with the end of the one before. */
const NEW_STORY = /^(?:the )?(?:bug|problem|issue)(?: \d+)?(?:\s?[:(—–-]|$)/i;

/** Whether the sentences from the first to the last leave out items of a list for which there is room, or which they need. */
export function cutsList(run: Run, first: number, last: number): boolean {
  if ([first, last].some((index) => isShortPart(run, first, last, run[index]!))) return true;
  const startsWithin = isSameList(run[first - 1], run[first]);
  if (startsWithin && fits(run, first - 1, last) && startOfPart(run, first) !== first) return true;
  return isSameList(run[last], run[last + 1]) && fits(run, first, last + 1);
}

/** Whether the list of this sentence is there only in part, and too short to be understood. */
function isShortPart(run: Run, first: number, last: number, of: Placed): boolean {
  if (!of.unit.isItem) return false;
  const whole = run.filter((one) => one === of || isSameList(one, of));
  const held = run.slice(first, last + 1).filter((one) => one === of || isSameList(one, of));
  const characters = held.reduce((sum, one) => sum + one.unit.text.length, 0);
  return held.length < whole.length && characters / held.length < SHORTEST_MEAN;
}

/** Whether they are of more than two sections of a message, or go on into a list of the second without its end. */
export function mixesSections(run: Run, first: number, last: number): boolean {
  const part = run.slice(first, last + 1);
  const starts = part.filter((one, index) => index === 0 || !isSameSection(part[index - 1]!, one));
  if (starts.length < 2 || starts.some(({ passage }) => passage !== starts[0]!.passage)) return false;
  const isNewStory = beginsNewStory(starts[0]!, starts[1]!);
  const isPlan = part[0]!.passage.place === "plan";
  return isPlan || isNewStory || starts.length > MOST_SECTIONS || isSameList(run[last], run[last + 1]);
}

export const beginsNewStory = (before: Placed, after: Placed): boolean =>
  before.unit.heading !== "" && before.unit.heading !== after.unit.heading && NEW_STORY.test(after.unit.heading);

const isSameSection = (one: Placed, other: Placed): boolean =>
  one.passage === other.passage && one.unit.heading === other.unit.heading;

/** A list that is too long for one memory is cut where the next item has no room. */
function startOfPart(run: Run, index: number): number {
  let start = index;
  while (isSameList(run[start - 1], run[start])) start -= 1;
  for (let next = start + 1; next <= index; next += 1) if (!fits(run, start, next)) start = next;
  return start;
}

const isSameList = (one: Placed | undefined, other: Placed | undefined): boolean =>
  one !== undefined &&
  one.passage === other?.passage &&
  one.unit.isItem &&
  other.unit.isItem &&
  one.unit.heading === other.unit.heading;

const PARTS = anyOf(
  "issues?|bugs?|problems?|things|changes|fixes|cases|reasons|causes|places|ways|points|steps|parts|options",
  "questions|concerns|gaps|improvements",
);
/** What a digit counts: in "step 2 changes" and "since 1.2 changes" it counts nothing. */
const COUNTING =
  "are|has|have|had|does|do|did|sees?|found|finds?|made|makes?|needs?|the|these|with|in|at|for|of|all|only";
const COUNTED = raw`(\b(?<word>${NUMBERS.join("|")})|(?<=^|\b(${COUNTING}) )(?<digit>[2-9]))( [\w-]+){0,2} ${PARTS}\b`;
/** A heading of this kind has only words that tell which ones are meant. */
const ANNOUNCING_HEAD = expression(raw`${COUNTED}( (in|of|with|to|for|that|which|here|found|left)\b[^.:]*)?$`);
/** A colon says that they follow; a reason that they have been told. */
const ANNOUNCING = expression(raw`${COUNTED}((?!\b(because|since|due to)\b)[^.:])*:$`);

/** Whether "it does two things:" is followed by only one. */
export function lacksAnnounced(placed: Run): boolean {
  const { unit } = placed[0]!;
  // Items below one with a colon are parts of it.
  const divided = placed.findIndex((one) => one.unit.isItem && one.unit.text.endsWith(":"));
  const counted = divided < 0 ? placed : placed.slice(0, divided + 1);
  const underHeading = counted.filter((one) => one.unit.heading === unit.heading).length;
  // What stands over a list announces it, as with a colon.
  const lacksOfHead = unit.isItem
    ? lacksSome(ANNOUNCING, `${unit.heading}:`, underHeading)
    : lacksSome(ANNOUNCING_HEAD, unit.heading, underHeading);
  return lacksOfHead || lacksSome(ANNOUNCING, unit.text, announcedBy(placed));
}

/** How many things follow a sentence: what it says them about, or the sections that begin behind it. */
function announcedBy(placed: Run): number {
  const following = placed.slice(1);
  const headings = new Set(following.map((one) => one.unit.heading));
  return headings.has(placed[0]!.unit.heading) ? following.length : headings.size;
}

function lacksSome(announcing: RegExp, announcement: string, there: number): boolean {
  const { word, digit } = announcing.exec(announcement)?.groups ?? {};
  return there < (word === undefined ? Number(digit ?? 0) : NUMBERS.indexOf(word.toLowerCase()) + 2);
}
