/**
 * Tokens, estimated without a tokenizer, for budgets that must hold whatever the text: real tokenizers count less in
 * prose and code of any language, in numbers, hashes and emoji.
 *
 * A run of letters or digits has at least one token, so a hash costs more than a word of the same length; a space
 * belongs to the word after it. Bytes alone would count half of what a hash, a date or an emoji takes.
 */

/** Letters of a run that one token holds, and how much each further one adds. */
const WORD = { first: 5, more: 1 / 3 };
const NUMBER = { first: 2, more: 1 / 2 };
const MARK = 0.9;
/** By the length of the character in UTF-8; letters of living scripts are in every vocabulary. */
const OTHER = { two: 1, common: 1.5, three: 3, four: 3 };
const COMMON: readonly (readonly [from: number, to: number])[] = [
  [0x0900, 0x0e7f],
  [0x2010, 0x2027],
  [0x3000, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7af],
  [0xff00, 0xffef],
];

export const estimatedTokens = (...texts: readonly string[]): number =>
  Math.ceil(texts.reduce((sum, text) => sum + tokensIn(text), 0));

/** Each line ends with a line break, and is counted on its own: together they never have more. */
export const tokensOfLines = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + estimatedTokens(`${line}\n`), 0);

type Kind = "lower" | "upper" | "digit" | "space" | "other";

function tokensIn(text: string): number {
  let tokens = 0;
  let before: Kind = "other";
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at)!;
    if (point > 0xffff) at += 1;
    const kind = kindOf(point);
    const isContinued = kind === before || (kind === "lower" && before === "upper");
    length = isContinued ? length + 1 : 1;
    tokens += weightOf(point, kind, { length, isAfterSpace: before === "space" });
    before = kind;
  }
  return tokens;
}

function weightOf(
  point: number,
  kind: Kind,
  { length, isAfterSpace }: { length: number; isAfterSpace: boolean },
): number {
  switch (kind) {
    case "lower":
    case "upper":
      return length === 1 ? 1 : length > WORD.first ? WORD.more : 0;
    case "digit":
      // A space never belongs to the number after it.
      return length === 1 ? (isAfterSpace ? 2 : 1) : length > NUMBER.first ? NUMBER.more : 0;
    case "space":
      return length === 1 ? 0 : WORD.more;
    case "other":
      return point < 0x80 ? MARK : otherWeight(point);
  }
}

function otherWeight(point: number): number {
  if (point < 0x800) return OTHER.two;
  if (point > 0xffff) return OTHER.four;
  return COMMON.some(([from, to]) => point >= from && point <= to) ? OTHER.common : OTHER.three;
}

function kindOf(point: number): Kind {
  if (point >= 0x61 && point <= 0x7a) return "lower";
  if (point >= 0x41 && point <= 0x5a) return "upper";
  if (point >= 0x30 && point <= 0x39) return "digit";
  return point === 0x20 ? "space" : "other";
}
