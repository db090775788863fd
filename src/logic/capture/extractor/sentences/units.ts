/**
 * The sentences and list items of a message, without code, each with the heading it stands under.
 *
 * A message is Markdown in practice, often broken Markdown, so lines are enough and a parser would be no help.
 */
import { passingClass } from "./passing.ts";

export interface Unit {
  text: string;
  /** Empty when there is none. */
  heading: string;
  isItem: boolean;
  /** Somebody else's words, as a quotation. */
  isQuoted: boolean;
}

const LONGEST = 400;
const SHORTEST = 8;
const LONGEST_LEAD = 180;
const BULLET = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?/;
/** "**2. Name** …" is an item as well. */
const BOLD_NUMBER = /^(\s*)\*\*(\d{1,2}[.)])\s+(?=[^*]+\*\*.)/;
const RULE = /^[-=_*|:─━`★ ]+$/;
const BOLD_LINE = /^\*\*([^*]{2,80})\*\*:?$/;
const SENTENCE_END = /(?<=[.!?]["')\]`]{0,2})\s+(?=[A-Z0-9`"'([*])/;
/** A dot after these ends no sentence. */
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|vs|etc|cf|approx|no)\.|^\d{1,2}\.)$/i;

export function unitsOf(message: string): Unit[] {
  const units = ledItems(blocksOf(message)).flatMap(({ text, heading, isItem, isQuoted }) => {
    const parts = (isItem && text.length <= LONGEST ? [onTopic(text)] : sentencesOf(text)).map(trimmed);
    return parts.filter((part) => part.length >= SHORTEST).map((part) => ({ text: part, heading, isItem, isQuoted }));
  });
  return withCause(units);
}

/** "I've found the root cause. …": what follows is the cause, and says so. */
const CAUSE_FOUND =
  /^(?:(?:now )?(?:i(?:'ve| have)?|we(?:'ve| have)?) (?:found|identified|see|have|understand)|found|that's|here's|this is) (?:it[:—, ]+)?the (?:root cause|cause|culprit)(?: now)?[.!:]$/i;
const withCause = (said: readonly Unit[]): Unit[] =>
  said.map((unit, index) => {
    const before = said[index - 1];
    return before !== undefined && !unit.isItem && CAUSE_FOUND.test(before.text)
      ? { ...unit, heading: "Root cause" }
      : unit;
  });

/** A sentence that announces a list stands over each of its items, as a heading does. */
function ledItems(blocks: readonly Unit[]): Unit[] {
  const led: Unit[] = [];
  let lead: string | null = null;
  let section = "";
  for (const [index, block] of blocks.entries()) {
    if (block.isItem) {
      led.push(lead === null || block.heading !== section ? block : { ...block, heading: lead });
      continue;
    }
    section = block.heading;
    const sentences = block.text.split(SENTENCE_END);
    const last = sentences.at(-1)!;
    const isLead = last.endsWith(":") && last.length <= LONGEST_LEAD && blocks[index + 1]?.isItem === true;
    const cause = CAUSE_FOUND.test(sentences.at(-2) ?? "") ? "Root cause: " : "";
    lead = isLead ? `${cause}${last.slice(0, -1)}` : null;
    if (!isLead) led.push(block);
    else if (sentences.length > 1) led.push({ ...block, text: sentences.slice(0, -1).join(" ") });
  }
  return led;
}

/** An item without those of its sentences that are only about the moment. */
function onTopic(item: string): string {
  const [first, ...rest] = sentencesOf(item);
  return [first, ...rest.filter((sentence) => passingClass(sentence) === null && !sentence.endsWith("?"))].join(" ");
}

/** "The cache is stale, so let me clear it": the fact stays, the announcement goes. */
const ANNOUNCING_TAIL =
  /(?:,? (?:so|and|but)|\s?[—–;]|,|\.|\s-)\s+(?:(?:but|and|so|now|then) )?(?:let me|i'll|i will|i need to|i should|i can|i want to|let's|we(?:'ll| can| should| need to)|want me to|i'd)\b.*$/i;
const SHORTEST_HEAD = 50;
/** Needs the clause that was cut. */
const SUBORDINATE =
  /^(?:since|if|when|because|as|while|after|before|although|though|once|unless|now that|given|for|to|in order)\b/i;
function trimmed(text: string): string {
  const head = text.replace(ANNOUNCING_TAIL, "");
  return head === text || head.length < SHORTEST_HEAD || SUBORDINATE.test(head) ? text : `${head}.`;
}

function blocksOf(message: string): Unit[] {
  const blocks: Unit[] = [];
  const headings = trackHeadings();
  let paragraph: string[] = [];
  let isCode = false;
  /** An item goes on until an empty line. */
  let isOpenItem = false;
  let isQuoted = false;
  const push = (text: string, isItem: boolean) => blocks.push({ text, heading: headings.now(), isItem, isQuoted });
  const flush = (isBeforeCode = false) => {
    const text = plain(paragraph.join(" "));
    // The code that a colon announces is left out, and the sentence is whole without it.
    if (paragraph.length > 0) push(isBeforeCode ? text.replace(/:$/, ".") : text, false);
    paragraph = [];
  };
  for (const written of message.split("\n")) {
    const own = written.replace(/^\s*(?:>\s?)+/, "");
    const line = own.replace(BOLD_NUMBER, "$1$2 **");
    if ((own !== written) !== isQuoted) flush();
    isQuoted = own !== written;
    const text = line.trim();
    const isFence = text.startsWith("```") || text.startsWith("~~~");
    if (isFence) isCode = !isCode;
    if (isFence || isCode || text === "" || RULE.test(text)) {
      flush(isFence && isCode);
      isOpenItem = false;
      continue;
    }
    if (headings.isLeftBy(line)) {
      flush();
      headings.leave();
    }
    const title = /^#{1,6}\s+(.*)/.exec(text)?.[1] ?? BOLD_LINE.exec(text)?.[1];
    const isItem: boolean = title === undefined && BULLET.test(line);
    // Without its columns a row of a table says nothing.
    if (title !== undefined || isItem || text.startsWith("|")) flush();
    if (title !== undefined) headings.title(titled(title), !text.startsWith("#"));
    else if (isItem) {
      const item = plain(line.replace(BULLET, ""));
      isOpenItem = !headings.isLead(item);
      if (isOpenItem) push(item, true);
      else headings.lead(item, line);
      continue;
    } else if (isOpenItem && !text.startsWith("|")) {
      const item = blocks.at(-1)!;
      item.text = `${item.text} ${plain(text)}`;
      continue;
    } else if (!text.startsWith("|")) {
      if (paragraph.length === 0) headings.paragraph(blocks.at(-1));
      paragraph.push(text);
    }
    isOpenItem = false;
  }
  flush();
  return blocks;
}

const titled = (title: string): string => plain(title).replace(/:$/, "").slice(0, LONGEST_LEAD);

/** What stands over a line: a title, a bold line as far as the end of its list, or an item that announces deeper ones. */
function trackHeadings() {
  let section = "";
  let outer = "";
  let isBold = false;
  let nested: { lead: string; indent: number; isNumbered: boolean } | null = null;
  const indentOf = (line: string) => line.length - line.trimStart().length;
  const isNumbered = (line: string) => /^\s*\d/.test(line);
  return {
    now: () => nested?.lead ?? section,
    title(title: string, isBoldLine: boolean) {
      [section, isBold, nested] = [title, isBoldLine, null];
      if (!isBoldLine) outer = title;
    },
    isLead: (item: string) => item.endsWith(":") && item.length <= LONGEST_LEAD,
    lead(item: string, line: string) {
      nested = { lead: item.slice(0, -1), indent: indentOf(line), isNumbered: isNumbered(line) };
    },
    /** Bullets right below a numbered item belong to it, even if they are not indented. */
    isLeftBy(line: string): boolean {
      if (nested === null || indentOf(line) > nested.indent) return false;
      const isBelow = nested.isNumbered && !isNumbered(line) && BULLET.test(line);
      return !(isBelow && indentOf(line) === nested.indent);
    },
    leave: () => void (nested = null),
    paragraph(before: Unit | undefined) {
      if (isBold && before?.isItem && before.heading === section) section = outer;
    },
  };
}

/** "(`4be1d07c`)": which commit did it is in git. */
const MADE_IN = /\s\((?:(?:in|commit) )*`?(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}`?\)/g;
/** Emphasis, links and images become their words; code marks stay, because they name things. */
const plain = (text: string): string =>
  withoutMarks(text)
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, "")
    .replace(/\[([^[\]]+)\]\([^()]*\)/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(MADE_IN, "")
    .replace(/(?<!\w)__([^_]+)__(?!\w)/g, "$1")
    .replace(/<\/?(?:analysis|b|br|details|div|em|i|kbd|p|span|strong|sub|summary|sup)>/gi, " ")
    .replace(/\s+/g, " ")
    .trim();

/** A tick at the start says that something is done; any other mark says nothing more than the words. */
function withoutMarks(text: string): string {
  const start = text.search(/\S/);
  return text
    .replace(/\s?[✅❌❓✔✓☑✗✘⚠🎉]\uFE0F?/gu, (mark, at: number) => (at > start ? "" : mark))
    .replace(/^[❌❓✗✘⚠]\uFE0F?\s*/u, "");
}

function sentencesOf(text: string): string[] {
  const sentences: string[][] = [];
  for (const part of text.split(SENTENCE_END)) {
    const before = sentences.at(-1);
    const isCut = before !== undefined && (ABBREVIATION.test(before.at(-1)!) || isQuoting(before.join(" "), part));
    if (isCut) before.push(part);
    else sentences.push([part]);
  }
  return sentences.flatMap((parts) => pieces(parts.join(" ")));
}

/** Whether a full stop stands within a quotation or code that ends in the next part. */
const isQuoting = (before: string, next: string): boolean =>
  ['"', "`"].some((mark) => isOdd(before, mark) && isOdd(next, mark)) && before.length + next.length < LONGEST;
const isOdd = (text: string, mark: string): boolean => text.split(mark).length % 2 === 0;

/** A sentence that is too long for a memory, cut between words. */
function pieces(sentence: string): string[] {
  const cut: string[] = [];
  let rest = sentence;
  while (rest.length > LONGEST) {
    const space = rest.lastIndexOf(" ", LONGEST);
    const end = space > LONGEST / 4 ? space : LONGEST;
    cut.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return [...cut, rest];
}
