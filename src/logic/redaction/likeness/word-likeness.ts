/**
 * Tells words and names of code from letters and digits that were drawn at random, without a list of words.
 *
 * In words of any language some letters seldom follow others, capitals begin a word or fill it, and digits stand
 * together. Refused: judging fewer than eight characters, too few for any of that to show.
 */

/**
 * How often a letter follows another in words of English, of some thirty other languages without accents, and of
 * code: a row for the first, from a to z, a digit for the second, from 0, hardly ever, each one twice as often.
 */
const PAIRS = `
  46765463655868361878552244 84448215842844830864721052 81528118806624820657630251 83359344833544830763742044
  64675563545768552887553534 82238724832724830756701051 82238456732646720764731051 93439211822545820646622060
  75767563245679752677460206 93549031714345830375821002 93338324845635830776752051 83458443854744841266640172
  96249425813464870364620050 72678584845336731278551053 46664563546778561877664424 82338327723733860966610040
  52210013400502310434910000 84558453825455840566542052 73638435826564762378642045 83328326923534730766632153
  76766463645878560888241325 92429222923425820553410072 94449307802537830664433141 72738204903443782448540660
  56656351527666670577452114 95249343926455720566641055`.replaceAll(/\s/g, "");
const LETTERS = 26;
const A = 97;
const ZERO = 48;

const LEAST_LENGTH = 8;
/** Parts of a name are longer than this on average; for what they lack, their letters must be the likelier. */
const USUAL_HUMP = 4;
/** The parts of a name: a word with its capital, or capitals alone. */
const HUMP = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
/** A number after or before hardly any letters is an id, a version or an amount. */
const NUMBER = /^[A-Za-z]{0,3}\d+[A-Za-z]{0,3}$/;

/** `YYYYMMDD`, `sooooo`, `AbCdFG123`: typed to fill a place. */
const FILLED = /([A-Za-z])\1{3}|\D123(?:4(?:56?)?)?$/;

/**
 * How readily letters are taken for random. Of ten that are, 91 and 73 of a hundred fall below; of names in code and of
 * words, at most one in a hundred and one in a thousand.
 */
export const READILY = 5.6;
export const RELUCTANTLY = 5;

/** Whether a part of the value looks drawn at random. Words that signs join are a name. */
export function isScrambled(value: string, least: number): boolean {
  if (/^[A-Za-z0-9]+$/.test(value)) return isScrambledPart(value, least);
  const parts = value.split(/[-_.:]/);
  const likely = parts.length > 1 ? Math.min(least, RELUCTANTLY) : least;
  return parts.some((part) => isScrambledPart(part.replaceAll(/[^A-Za-z0-9]/g, ""), likely));
}

function isScrambledPart(part: string, least: number): boolean {
  if (part.length < LEAST_LENGTH || NUMBER.test(part) || FILLED.test(part) || isCounted(part)) return false;
  const numbers = part.match(/\d+/g) ?? [];
  if (numbers.length > 2) return true;
  const humps = part.match(HUMP) ?? [];
  const length = part.length - numbers.join("").length;
  if (numbers.length > 0 && lengthOf(humps.filter((hump) => hump.length > 2)) < length * 0.6) return true;
  return likelihoodOf(humps) - Math.max(0, USUAL_HUMP - length / humps.length) < least;
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

/** The mean over all pairs of letters within the parts of a name. */
function likelihoodOf(humps: readonly string[]): number {
  let sum = 0;
  let pairs = 0;
  for (const hump of humps) {
    const lower = hump.toLowerCase();
    for (let at = 1; at < lower.length; at++, pairs++)
      sum += PAIRS.charCodeAt((lower.charCodeAt(at - 1) - A) * LETTERS + lower.charCodeAt(at) - A) - ZERO;
  }
  return pairs === 0 ? 0 : sum / pairs;
}

/** Fewer may be a coincidence. */
const LEAST_COUNTED = 10;

/** `abc123def456` and `a1b2c3d4`: somebody counted, and drew nothing. */
function isCounted(part: string): boolean {
  const lower = part.toLowerCase();
  return part.length >= LEAST_COUNTED && isRow(lower.replaceAll(/\d/g, "")) && isRow(lower.replaceAll(/\D/g, ""));
}

function isRow(text: string): boolean {
  for (let at = 1; at < text.length; at++) if (text.charCodeAt(at) !== text.charCodeAt(at - 1) + 1) return false;
  return true;
}

const LEAST_DIGITS = 6;
const DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-3]\d)?$/;

/** Digits that a person or a program chose: no row, no repetition, no date, no round number. */
export function isChosenNumber(value: string): boolean {
  if (!/^\d+$/.test(value) || value.length < LEAST_DIGITS || DATE.test(value) || value.endsWith("0000")) return false;
  if (/^(\d{1,4})\1+$/.test(value)) return false;
  // `112233` is a row too, and so is `1234567890`.
  const single = value.replaceAll(/(\d)\1+/g, "$1").replace(/90$/, "9");
  return !isRow(single) && !isRow([...single].reverse().join(""));
}
