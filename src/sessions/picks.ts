/**
 * What a person picked of the options that the agent offered, and which prompts are worth a word to the agent: read from
 * the form of question and answer, not from what they say.
 */
import { cutLine, shownLine } from "../text/short-text.ts";
import { tellingStems } from "../text/words.ts";

/** The sentences of a message in Markdown as agents write it, often broken: without headings, code and marks. */
interface Block {
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
  const lines = message
    .toWellFormed()
    .split(/\r?\n/)
    .map((line) => line.trim());
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

export interface Pick {
  /** The agent's question. */
  question: string;
  picked: string;
  rejected: string[];
}

interface Option {
  label: string;
  text: string;
}

const OPTION_LINE =
  /^\s{0,6}(?:[-*•]\s+)?(?:\*\*|__)?(?:option\s+)?([1-9]|[A-F])(?:\*\*|__)?\s{0,2}[.):—–-]\s{0,3}(\S.*)$/i;
const OPTIONS_MOST = 9;
const OPTION_CHARACTERS = 300;
const QUESTION_CHARACTERS = 200;
const TAIL_CHARACTERS = 4_000;
/** A longer answer says more than which one. */
const ANSWER_CHARACTERS = 300;
/** "3 days" and "1.5" name no option, and "the last one failed" picks none. */
const NAMED = new RegExp(
  String.raw`^(?:ok(?:ay)?|yes|yeah|sure|please)?[,.!\s]{0,4}(?:(?:let's|lets|i'd|we|i|you can)\s+)?(?:(?:go(?:\s+\w+)?|do|take|pick|choose|use|prefer|try|want|with|for)\s+){0,3}(?:the\s+)?` +
    String.raw`(?:(?:(?:option|number|variant|choice|approach|no\.?)\s*)?#?\(?([1-9]|[a-f])\)?|(first|second|third|last|former|latter)\s+(?:one|option|approach|variant|choice))` +
    String.raw`(?:,?\s+please)?(?=[^\p{L}\p{N}%]*$|[,.;:!)—–-]+\s)`,
  "iu",
);
const ORDINAL = /^\W*(?:the\s+)?(first|second|third|last|former|latter)\W*$/i;
/** Everything in an answer that may name an option. "A" before a word is an article more often. */
const MENTIONED =
  /(?<![\p{L}\p{N}.'’])(?:[1-9]|[b-f]|a(?!\s+\p{L})|first|second|third|last|former|latter)(?![\p{L}\p{N}]|\.\d)/giu;
/** What is said of the option that the answer begins with does not refuse it. */
const LABEL_FIRST = /^(?:option\s+)?\(?([1-9]|[A-F])\)?\s*(?:[,.;:)!—–-]|$)/;
const POSITIONS: Readonly<Record<string, number>> = { first: 0, former: 0, second: 1, latter: 1, third: 2 };
const REFUSES = /\b(?:not|don't|no|neither|none|both|instead of|rather than|except|why|what|how)\b/i;

/** A shorter question says little without the sentence before it. */
const SHORT_QUESTION = 60;

/** The question that a message closes with, also above the options that it offers; null if it does not. */
export function closingQuestion(message: string): string | null {
  const lines = message.split("\n");
  const at = lines.findLastIndex((line, index) => line.includes("?") && offersBelow(lines, index));
  const sentences = plainSentences(at < 0 ? message : lines.slice(0, at + 1).join("\n"));
  const question = sentences.at(-1);
  if (question === undefined || !isQuestion(question.text)) return null;
  const before = sentences.at(-2);
  const together = before?.paragraph === question.paragraph ? `${before.text} ${question.text}` : "";
  const isTogether = question.text.length < SHORT_QUESTION && together !== "" && together.length <= QUESTION_CHARACTERS;
  return shownLine(isTogether ? together : question.text, QUESTION_CHARACTERS);
}

const offersBelow = (lines: readonly string[], at: number): boolean =>
  lines.slice(at + 1).filter((line) => OPTION_LINE.test(line)).length >= 2;

/** Options in a row, from 1 or A on; the last such list counts. */
function optionsIn(message: string): Option[] {
  let options: Option[] = [];
  let found: Option[] = [];
  for (const line of message.slice(-TAIL_CHARACTERS).split("\n")) {
    const [, label = "", text = ""] = OPTION_LINE.exec(line) ?? [];
    if (label === "") continue;
    const option = { label: label.toUpperCase(), text: cutLine(text.replace(/[*_`]+/g, "").trim(), OPTION_CHARACTERS) };
    if (option.label === "1" || option.label === "A") options = [option];
    else if (options.length > 0 && follows(options.at(-1)!.label, option.label)) options.push(option);
    if (options.length >= 2 && options.length <= OPTIONS_MOST) found = [...options];
  }
  return found;
}

const follows = (one: string, two: string): boolean => two.charCodeAt(0) === one.charCodeAt(0) + 1;

/** Null unless the answer clearly names one of the options. */
export function pickIn(lastWords: string | null, answer: string): Pick | null {
  const said = answer.trim();
  if (lastWords === null || said === "" || said.length > ANSWER_CHARACTERS || said.includes("?")) return null;
  const question = closingQuestion(lastWords);
  const options = optionsIn(lastWords);
  if (question === null || options.length < 2) return null;
  const at = REFUSES.test(said) && !LABEL_FIRST.test(said) ? -1 : positionIn(said, options);
  const picked = options[at];
  if (!picked) return null;
  return { question, picked: picked.text, rejected: options.filter((one) => one !== picked).map(({ text }) => text) };
}

function positionIn(said: string, options: readonly Option[]): number {
  const exact = options.findIndex(({ text }) => text === said || text.startsWith(`${said}: `));
  if (exact >= 0) return exact;
  const placeOf = (name: string): number => {
    const ordinal = name.toLowerCase();
    if (ordinal === "last") return options.length - 1;
    return POSITIONS[ordinal] ?? options.findIndex((one) => one.label === name.toUpperCase());
  };
  const mentioned = new Set([...said.matchAll(MENTIONED)].map(([name]) => placeOf(name)).filter((place) => place >= 0));
  if (mentioned.size > 1) return -1;
  const [, label, ordinal] = NAMED.exec(said) ?? ORDINAL.exec(said) ?? [];
  const name = label ?? ordinal;
  return name === undefined ? byWords(said, options) : placeOf(name);
}

/** The one option whose own words the answer has. */
function byWords(said: string, options: readonly Option[]): number {
  const words = tellingStems(said);
  const stems = options.map(({ text }) => tellingStems(text));
  const shared = stems.map(
    (own, at) =>
      [...own].filter((word) => words.has(word) && stems.every((other, i) => i === at || !other.has(word))).length,
  );
  const most = Math.max(...shared);
  return most > 0 && most >= words.size / 2 && shared.filter((one) => one === most).length === 1
    ? shared.indexOf(most)
    : -1;
}

/** At most 40 tokens each. */
export const NUDGES = {
  choice: "If this settles what later sessions must respect, call `propose`: subject, decision, what was rejected.",
  correction: "If this corrects you for good, not only here, call `remember` with it as one sentence.",
} as const;
export type NudgeKind = keyof typeof NUDGES;

const CORRECTS = /^(?:no|nope|nah|wrong|not quite|actually)\s*[,.:;!—–]/i;
/** Orders and questions carry on with the work. */
const CARRIES_ON = /\?\s*$|^(?:yes|yep|yeah|ok(?:ay)?|sure|please|go|continue|do|can|could|let)\b/i;
const STATEMENT_WORDS_LEAST = 4;

/** Which word a prompt is worth: it picks an option, corrects, or answers the agent's closing question by a statement. */
export function nudgeFor(lastWords: string | null, prompt: string): NudgeKind | null {
  const said = prompt.trim();
  if (said === "") return null;
  if (CORRECTS.test(said) && !said.endsWith("?") && tellingStems(said).size >= 2) return "correction";
  if (lastWords === null || closingQuestion(lastWords) === null) return null;
  if (pickIn(lastWords, said) !== null) return "choice";
  const isStatement =
    !CARRIES_ON.test(said) && tellingStems(said).size >= STATEMENT_WORDS_LEAST && said.length <= ANSWER_CHARACTERS;
  return isStatement ? "choice" : null;
}
