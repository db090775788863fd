/** The sentences of a message in Markdown as agents write it, often broken: without headings, code and marks. */
export interface Block {
  text: string;
  /** That it stands under; empty if none. */
  heading: string;
  kind: "prose" | "item" | "row";
}

export interface Sentence {
  text: string;
  /** Counts paragraphs and items. */
  paragraph: number;
}

const FENCE = /^(?:```|~~~)/;
const RULE = /^[-=_*|:─━`★ ]+$/;
const ITEM = /^(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
const HEADING = /^#{1,6}\s+(.{2,120})$|^\*\*([^*]{2,80})\*\*:?$/;
const SENTENCE_END = /(?<=[.!?…]["')\]`*]{0,3})\s+(?=["'`([*]{0,3}[\p{Lu}\d])|(?<=[。！？])/u;

/** An item of a list is one, and so is a row of a table. */
export function blocksOf(message: string): Block[] {
  const blocks: Block[] = [];
  let heading = "";
  let isCode = false;
  let isOpen = false;
  const lines = message.toWellFormed().split(/\r?\n/).map((line) => line.trim()); // prettier-ignore
  for (const [index, line] of lines.entries()) {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    const title = HEADING.exec(line);
    const isProse = !isFence && !isCode && line !== "" && !RULE.test(line) && title === null;
    if (title !== null && !isCode) heading = plain((title[1] ?? title[2]!).replace(ITEM, "")).replace(/:$/, "");
    const text = line.replace(ITEM, "");
    if (isProse && line.startsWith("|")) {
      // The columns' names stand over a rule.
      if (!RULE.test(lines[index + 1] ?? "")) blocks.push({ text: cellsOf(line).join(" — "), heading, kind: "row" });
    } else if (isOpen && isProse && text === line) blocks.at(-1)!.text += ` ${line}`;
    else if (isProse) blocks.push({ text, heading, kind: text === line ? "prose" : "item" });
    isOpen = isProse && text === line && !line.startsWith("|");
  }
  return blocks.map((block) => ({ ...block, text: plain(block.text) })).filter(({ text }) => text !== "");
}

const cellsOf = (row: string): string[] => row.split("|").filter((cell) => cell.trim() !== "");

/** Code marks stay, because they name things. */
const plain = (text: string): string =>
  text
    .replace(/!?\[([^[\]]{1,200})\]\([^()]{0,500}\)/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/\s+/g, " ")
    .trim();

export const plainSentences = (message: string): Sentence[] =>
  blocksOf(message).flatMap(({ text, kind }, paragraph) =>
    kind === "row" ? [] : sentencesIn(text).map((sentence) => ({ text: sentence, paragraph })),
  );

export const sentencesIn = (text: string): string[] => text.split(SENTENCE_END).filter((part) => part.trim() !== "");

export const isQuestion = (sentence: string): boolean => /[?？]["')\]*_`]*$/.test(sentence.trim());
