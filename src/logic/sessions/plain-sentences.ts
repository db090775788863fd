/** The sentences of a message in Markdown, without headings, code, tables and marks; an item of a list is one sentence. */
export interface Sentence {
  text: string;
  /** Counts paragraphs and items. */
  paragraph: number;
}

const ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?/;
const HEADING = /^\s{0,3}#{1,6}\s|^\s*\*\*[^*]{1,100}\*\*:?\s*$/;
const RULE = /^[-=_*|:─━ ]+$/;
const SENTENCE_END = /(?<=[.!?…]["')\]`*]{0,3})\s+(?=["'`([*]{0,3}[\p{Lu}\d])|(?<=[。！？])/u;
/** A full stop after these ends no sentence. */
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|vs|etc|cf|approx|no)|^\d{1,2})\.$/i;

export function plainSentences(message: string): Sentence[] {
  return paragraphsOf(message).flatMap((paragraph, index) =>
    sentencesIn(paragraph).map((text) => ({ text, paragraph: index })),
  );
}

function paragraphsOf(message: string): string[] {
  const paragraphs: string[][] = [];
  let isOpen = false;
  let isCode = false;
  for (const line of message.split("\n")) {
    const text = line.trim();
    const isFence = text.startsWith("```") || text.startsWith("~~~");
    if (isFence) isCode = !isCode;
    if (isFence || isCode || text === "" || text.startsWith("|") || RULE.test(text) || HEADING.test(line)) {
      isOpen = false;
      continue;
    }
    if (isOpen && !ITEM.test(line)) paragraphs.at(-1)!.push(text);
    else paragraphs.push([line.replace(ITEM, "").trim()]);
    isOpen = true;
  }
  return paragraphs.map((lines) => withoutMarks(lines.join(" "))).filter((text) => text !== "");
}

/** Code marks stay, because they name things. */
const withoutMarks = (text: string): string =>
  text
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(
      /^[\p{Extended_Pictographic}\uFE0F\s]+|(?<![\p{Extended_Pictographic}\uFE0F])[\p{Extended_Pictographic}\uFE0F]+$/gu,
      "",
    )
    .replace(/\s+/g, " ")
    .trim();

function sentencesIn(paragraph: string): string[] {
  const sentences: string[] = [];
  for (const part of paragraph.split(SENTENCE_END)) {
    const before = sentences.at(-1);
    if (before !== undefined && ABBREVIATION.test(before)) sentences[sentences.length - 1] = `${before} ${part}`;
    else if (part.trim() !== "") sentences.push(part.trim());
  }
  return sentences;
}

export const isQuestion = (sentence: string): boolean => /[?？]["')\]*_`]*$/.test(sentence.trim());
